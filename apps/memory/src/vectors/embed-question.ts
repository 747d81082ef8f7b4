import type { Models } from '@cairn/llm';
import type { NearChunks } from '../search/near-chunks.ts';
import { whyWithoutModel } from '../search/why-without-model.ts';
import { nearestChunks } from './nearest-chunks.ts';

/** Longest a search waits for its question's vector. */
const QUESTION_TIMEOUT_MS = 3_000;

/** Finds near chunks by the configured embedding model; a model that fails costs the search nothing but its list. */
export function createNearChunks(models: Models): NearChunks {
  return {
    async embed(text, { attribution, signal, record }) {
      let name = '';
      try {
        const model = await models.embedding(attribution);
        if (model === null) return { vector: null, model: '', fallback: null };
        name = model.name;
        const call = { attribution, signal, record, purpose: 'embed-query', retries: 0 };
        const [vector] = await model.embed([text], { ...call, callTimeoutMs: QUESTION_TIMEOUT_MS });
        return { vector: vector!, model: name, fallback: null };
      } catch (error) {
        const reason = whyWithoutModel(error);
        if (reason === null) throw error;
        return { vector: null, model: name, fallback: `embedding_${reason}` };
      }
    },
    async find({ tx }, target, { vector, model }, { limit, filter }) {
      return vector === null ? [] : nearestChunks(tx, target, { model, vector, limit, filter });
    },
  };
}
