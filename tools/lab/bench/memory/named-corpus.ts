import type { Corpus } from './corpus.ts';
import { nameSentences } from './named-text.ts';

/** Sentences of names in a chunk, so that the graph has something to say about every one of them. */
const SENTENCES = 2;
/** Each so many chunks one is a turn of a conversation, so that neighbours and speakers count. */
const TURN_EVERY = 8;
/** Each so many questions one names somebody whom a chunk names. */
const NAMED_QUESTION_EVERY = 2;
const SPEAKERS = ['Ada', 'Bela', 'Carl', 'Dora'];

/** The part of the n-th chunk that names somebody. */
export function namingPart(n: number): string {
  return nameSentences(n, SENTENCES).join(' ');
}

/** A corpus whose chunks also name people, firms and places; some are turns, and half of the questions name somebody. */
export function namedCorpus(corpus: Corpus): Corpus {
  return {
    chunk(n) {
      const chunk = corpus.chunk(n);
      const speaker = n % TURN_EVERY === 0 ? `${SPEAKERS[(n / TURN_EVERY) % SPEAKERS.length]}: ` : '';
      return { ...chunk, body: `${speaker}${namingPart(n)} ${chunk.body}` };
    },
    query(n, chunkCount) {
      const query = corpus.query(n, chunkCount);
      if (n % NAMED_QUESTION_EVERY !== 0) return query;
      const [sentence = ''] = nameSentences((n * 7_919) % chunkCount, 1);
      const names = sentence.match(/(?<!\p{L})\p{Lu}\p{L}+ \p{Lu}\p{L}+/u)?.[0].split(' ') ?? [];
      return { ...query, words: [...names, ...query.words] };
    },
  };
}
