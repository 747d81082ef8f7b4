import { FIELD_WEIGHTS } from '@cairn/search-index';
import { detectLanguage } from '../../text/detect-language.ts';
import { eachTerm, TERM_NUMBERS } from '../../text/each-term.ts';
import { createIdleCache } from '../../cache/idle-cache.ts';
import { TermCollector, type ChunkTerms } from './term-collector.ts';

interface ChunkText {
  chunkId: string;
  /** As the index knows it; detected as it does it when not given. */
  language: string | undefined;
  titlePath: string;
  body: string;
}

/** Positions between title and body, so that no pair of words stands across them. */
const FIELD_GAP = 16;
const WORDS_READ_MAX = 600;
const CACHED_BYTES_MAX = 48_000_000;
/** Of the objects and the key around the numbers of one chunk. */
const CHUNK_BYTES = 1_200;

/** Reads chunks and remembers them: a chunk's text never changes under its id. */
export interface ChunkReader {
  read(chunk: ChunkText): ChunkTerms;
  purgeIdle(): void;
}

export function createChunkReader(): ChunkReader {
  const collector = new TermCollector();
  const known = createIdleCache<ChunkTerms>(
    CACHED_BYTES_MAX,
    ({ terms, uses }) => CHUNK_BYTES + 8 * terms.length + 4 * uses.length,
  );
  return {
    read(chunk) {
      const cached = known.get(chunk.chunkId);
      if (cached !== undefined) return cached;
      const terms = readTerms(chunk, collector);
      known.set(chunk.chunkId, terms);
      return terms;
    },
    purgeIdle: () => void known.purgeStale(),
  };
}

function readTerms({ titlePath, body, language }: ChunkText, collector: TermCollector): ChunkTerms {
  const known = language ?? detectLanguage(`${titlePath}\n${body}`);
  collector.begin();
  let length = 0;
  let offset = 0;
  for (const [text, weight] of [
    [titlePath, FIELD_WEIGHTS.title],
    [body, FIELD_WEIGHTS.body],
  ] as const) {
    const from = offset;
    const last = eachTerm(
      text,
      { language: known, wordsMax: WORDS_READ_MAX, form: TERM_NUMBERS },
      (number, position) => {
        if (collector.add(number, from + position, weight)) length += weight;
      },
    );
    offset += last + FIELD_GAP;
  }
  return { ...collector.collected(), length };
}
