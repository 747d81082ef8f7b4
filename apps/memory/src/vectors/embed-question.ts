import { ModelFailure, type Models } from '@cairn/llm';
import type { NearChunks } from '../search/near-chunks.ts';
import { nearestChunks } from './nearest-chunks.ts';

/** Longest a search waits for its question's vector. */
const QUESTION_TIMEOUT_MS = 3_000;

/** Finds near chunks by the configured embedding model; a model that fails costs the search nothing but its list. */
export function createNearChunks(models: Models): NearChunks {
  return {
    async embed(text, { attribution, signal, record }) {
      const model = await models.embedding(attribution);
      if (model === null) return { vector: null, model: '', fallback: null };
      try {
        const call = { attribution, signal, record, purpose: 'embed-query', retries: 0 };
        const [vector] = await model.embed([text], { ...call, callTimeoutMs: QUESTION_TIMEOUT_MS });
        return { vector: vector!, model: model.name, fallback: null };
      } catch (error) {
        if (!(error instanceof ModelFailure)) throw error;
        return { vector: null, model: model.name, fallback: `embedding_${error.reason}` };
      }
    },
    async find({ tx }, target, { vector, model }, { limit, filter }) {
      return vector === null ? [] : nearestChunks(tx, target, { model, vector, limit, filter });
    },
  };
}
