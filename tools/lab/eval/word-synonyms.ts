import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PARTS = ['verb', 'adj', 'noun'] as const;
const COMMENT = /^\s/;

/**
 * Another word for a word in its most frequent sense, as WordNet's files in a folder have it; null when it has none of
 * one word.
 */
export function readSynonyms(folder: string): (word: string) => string | null {
  const parts = PARTS.map((part) => {
    const read = (kind: string) => readFileSync(join(folder, `${kind}.${part}`), 'latin1').split('\n');
    // `word pos synset_cnt p_cnt [symbols] sense_cnt tagsense_cnt offset…`: the first offset is the commonest sense.
    const first = new Map<string, { offset: string; seen: number }>();
    for (const line of read('index')) {
      if (COMMENT.test(line) || line === '') continue;
      const fields = line.trim().split(' ');
      const behind = 4 + Number(fields[3]);
      first.set(fields[0]!, { offset: fields[behind + 2]!, seen: Number(fields[behind + 1]) });
    }
    const synsets = new Map<string, string[]>();
    for (const line of read('data')) {
      if (COMMENT.test(line) || line === '') continue;
      const fields = line.split(' ');
      const count = Number.parseInt(fields[3]!, 16);
      synsets.set(
        fields[0]!,
        Array.from({ length: count }, (_, index) => fields[4 + 2 * index]!),
      );
    }
    return { first, synsets };
  });
  return (word) => {
    const known = parts.flatMap(({ first, synsets }) => {
      const sense = first.get(word);
      return sense === undefined ? [] : [{ seen: sense.seen, words: synsets.get(sense.offset)! }];
    });
    const best = known.sort((a, b) => b.seen - a.seen)[0];
    return best?.words.find((other) => other !== word && /^[a-z]{4,}$/.test(other)) ?? null;
  };
}
