import { describe, expect, it } from '@jest/globals';
import { type Collection, fit, leaveOneOut } from './leave-one-out.ts';

/** One question a document, whose right answer a signal lifts, or buries, over another. */
function collection(name: string, signal: string, lifts: boolean, questions = 8): Collection {
  const ids = Array.from({ length: questions }, (_, index) => `q${index}`);
  return {
    set: {
      name,
      documents: [],
      questions: ids.map((id) => ({ id, text: id })),
      judgements: new Map(ids.map((id) => [id, new Map([['right', 1]])])),
    },
    shares: new Map(
      ids.map((id) => [
        id,
        [
          { id: 'wrong', signals: { words: lifts ? 1.2 : 1, [signal]: lifts ? 0 : 0.5 } },
          { id: 'right', signals: { words: lifts ? 1 : 1.2, [signal]: lifts ? 0.5 : 0 } },
        ],
      ]),
    ),
  };
}

describe('weights that are validated on collections they were not fitted on', () => {
  it('keeps a signal that gains everywhere', () => {
    const results = leaveOneOut(['a', 'b', 'c'].map((name) => collection(name, 'graph', true)));
    for (const { leftOut, indexAlone, p } of results) {
      expect(leftOut).toBeGreaterThan(indexAlone);
      expect(p).toBe(0);
    }
  });

  it('switches off a signal that harms', () => {
    expect(fit([collection('a', 'graph', false), collection('b', 'graph', false)])).toEqual({ graph: 0 });
  });

  it('shows what a collection loses by weights that suit the others', () => {
    const [, , odd] = leaveOneOut([
      collection('a', 'graph', true),
      collection('b', 'graph', true),
      collection('odd', 'graph', false),
    ]);
    expect(odd!.leftOut).toBeLessThan(odd!.indexAlone);
  });

  it('counts every collection the same, whatever its size', () => {
    const small = [collection('a', 'graph', true, 2), collection('b', 'graph', true, 2)];
    expect(fit([...small, collection('c', 'graph', false, 200)])).toEqual({ graph: 1 });
  });
});
