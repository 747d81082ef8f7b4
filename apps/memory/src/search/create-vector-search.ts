import type { Models } from '@cairn/llm';
import type { VectorSearch } from './vector-search.ts';
import { fallbackReason } from './fallback-reason.ts';
import { nearestChunks } from '../vectors/nearest-chunks.ts';

/** Finds near chunks by the configured embedding model; a model that fails costs the search nothing but its list. */
export function createVectorSearch(models: Models, timeoutMs: number): VectorSearch {
  return {
    async embed(text, { attribution, signal, record }) {
      let name = '';
      try {
        const model = await models.embedding(attribution);
        if (model === null) return { vector: null, model: '', fallback: null };
        name = model.name;
        const options = { attribution, signal, record, purpose: 'embed-query', retries: 0 };
        const [vector] = await model.embed([text], { ...options, callTimeoutMs: timeoutMs });
        return { vector: vector!, model: name, fallback: null };
      } catch (error) {
        const reason = fallbackReason(error);
        if (reason === null) throw error;
        return { vector: null, model: name, fallback: `embedding_${reason}` };
      }
    },
    async find({ tx }, target, { vector, model }, { limit, filter }) {
      return vector === null ? [] : nearestChunks(tx, target, { model, vector, limit, filter });
    },
  };
}
