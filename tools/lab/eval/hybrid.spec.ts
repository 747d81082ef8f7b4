import { describe, expect, it } from '@jest/globals';
import { compareHybrids } from './hybrid.ts';
import type { Collection } from './leave-one-out.ts';

/** One question a document, with one result that is right by words and one that is right by meaning. */
function collection(name: string, rightBy: 'words' | 'meaning', questions = 8): Collection {
  const ids = Array.from({ length: questions }, (_, index) => `q${index}`);
  return {
    set: {
      name,
      documents: [],
      questions: ids.map((id) => ({ id, text: id })),
      judgements: new Map(ids.map((id) => [id, new Map([[rightBy, 1]])])),
    },
    shares: new Map(
      ids.map((id) => [
        id,
        [
          { id: 'words', signals: { words: 0.7, meaning: 0 } },
          { id: 'meaning', signals: { words: 0, meaning: 0.3 } },
        ],
      ]),
    ),
  };
}

describe('words and meaning together', () => {
  it('chooses the weight of a collection on the others alone', () => {
    const kinds = ['meaning', 'meaning', 'words', 'words'] as const;
    const [byMeaning, , byWords] = compareHybrids(kinds.map((kind, at) => collection(`${at}`, kind)));
    expect(byMeaning!.weight).toBeLessThan(0.5);
    expect(byWords!.weight).toBeGreaterThan(0.5);
    expect(byWords!.leftOut).toBeLessThan(byWords!.words);
    expect(byWords!.pOverWords).toBe(1);
    expect(byWords!.best).toBe(byWords!.words);
  });

  it('keeps the words where the others want nothing else', () => {
    const [first] = compareHybrids([collection('a', 'meaning'), collection('b', 'words'), collection('c', 'words')]);
    expect(first!.weight).toBeLessThan(0.5);
  });

  it('sees each list alone, whatever the product weighs it', () => {
    const [one] = compareHybrids([collection('a', 'meaning'), collection('b', 'meaning')]);
    expect(one!.meaning).toBe(1);
    expect(one!.words).toBeLessThan(1);
  });
});
