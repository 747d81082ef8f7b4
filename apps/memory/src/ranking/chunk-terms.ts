import { LRUCache } from 'lru-cache';
import { analyse } from '../index/analysis/analyse.ts';
import { detectLanguage } from '../index/analysis/detect-language.ts';
import { FIELD_WEIGHTS } from '../index/scoring.ts';

/** A chunk's words as the signals compare them: terms without stop words. */
export interface ChunkTerms {
  /** Where each term stands, ascending; the title comes before the body. */
  positions: ReadonlyMap<string, readonly number[]>;
  /** How often, the title's words weighted as in the index. */
  frequencies: ReadonlyMap<string, number>;
  /** Sum of the frequencies. */
  length: number;
}

export interface ChunkText {
  chunkId: string;
  titlePath: string;
  body: string;
}

/** Positions between title and body, so that no pair of words stands across them. */
const FIELD_GAP = 16;
const WORDS_READ_MAX = 600;
const TERMS_KEPT_MAX = 600_000;

/** Reads chunks and remembers them: a chunk's text never changes under its id. */
export interface ChunkReader {
  read(chunk: ChunkText): ChunkTerms;
}

export function createChunkReader(): ChunkReader {
  const known = new LRUCache<string, ChunkTerms>({
    maxSize: TERMS_KEPT_MAX,
    sizeCalculation: (terms) => 1 + terms.positions.size,
  });
  return {
    read(chunk) {
      const cached = known.get(chunk.chunkId);
      if (cached !== undefined) return cached;
      const terms = readTerms(chunk);
      known.set(chunk.chunkId, terms);
      return terms;
    },
  };
}

function readTerms({ titlePath, body }: ChunkText): ChunkTerms {
  const language = detectLanguage(`${titlePath}\n${body}`);
  const positions = new Map<string, number[]>();
  const frequencies = new Map<string, number>();
  let length = 0;
  let offset = 0;
  for (const [text, weight] of [
    [titlePath, FIELD_WEIGHTS.title],
    [body, FIELD_WEIGHTS.body],
  ] as const) {
    let last = 0;
    for (const { term, position, stopWord } of analyse(text, language, WORDS_READ_MAX)) {
      last = position;
      if (stopWord) continue;
      const places = positions.get(term);
      if (places === undefined) positions.set(term, [offset + position]);
      else places.push(offset + position);
      frequencies.set(term, (frequencies.get(term) ?? 0) + weight);
      length += weight;
    }
    offset += last + FIELD_GAP;
  }
  return { positions, frequencies, length };
}
