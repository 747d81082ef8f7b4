import type { EncodedEvent } from '@cairn/contracts';
import type { Attribution } from '@cairn/llm';
import type { IndexFilter, IndexHit } from '@cairn/search-index';
import type { OpenMemory } from '../memories/engines.ts';
import type { TargetMemory } from '../memories/memory-scope.ts';

/** A question as a vector; null where there are no embeddings, or where they failed. */
interface EmbeddedQuestion {
  vector: Float32Array | null;
  /** Whose vectors it may be compared with. */
  model: string;
  /** Why there is no vector although there should be one. */
  fallback: string | null;
}

/** Chunks that are near a question in meaning. */
export interface VectorSearch {
  /** Asks the model, with no transaction held. Throws only for the caller's abort. */
  embed(
    text: string,
    call: { attribution: Attribution; signal: AbortSignal; record: (event: EncodedEvent) => void },
  ): Promise<EmbeddedQuestion>;
  /** The nearest chunks that the filter lets through, best first; `score` is the cosine. */
  find(
    open: OpenMemory,
    target: TargetMemory,
    question: EmbeddedQuestion,
    query: { limit: number; filter: IndexFilter | undefined },
  ): Promise<IndexHit[]>;
}

export const NO_VECTOR_SEARCH: VectorSearch = {
  embed: () => Promise.resolve({ vector: null, model: '', fallback: null }),
  find: () => Promise.resolve([]),
};
