import { embedMany, type EmbeddingModel } from 'ai';
import { boundCall } from './bounded-call.ts';
import type { CalledModel, KeyedCall } from './keyed-call.ts';
import { estimatedUsage, meterCall } from './metering.ts';
import { failureOf, ModelFailure } from './model-failure.ts';
import { observeCall } from './observe-call.ts';
import type { CallOptions, EmbeddingPort } from './models.ts';

const CALL_TIMEOUT_MS = 30_000;
const RETRIES = 2;

interface EmbeddingModelOptions {
  name: string;
  byok: boolean;
  called: Pick<CalledModel, 'provider' | 'model'>;
  /** Begins one call, which is billed by itself. */
  begin: () => KeyedCall<EmbeddingModel>;
  dimensions: number;
  batchMax: number;
}

/** An embedding model behind the AI SDK: batches of bounded size, checked, normalised and metered. */
export function createEmbeddingModel(options: EmbeddingModelOptions): EmbeddingPort {
  const { name, byok, dimensions, called } = options;
  return {
    name,
    dimensions,
    byok,
    async embed(texts, call) {
      const vectors: Float32Array[] = [];
      for (let start = 0; start < texts.length; start += options.batchMax)
        vectors.push(
          ...(await observeCall({ ...called, kind: 'embedding' }, () =>
            embedBatch(options, texts.slice(start, start + options.batchMax), call),
          )),
        );
      return vectors;
    },
  };
}

async function embedBatch(
  options: EmbeddingModelOptions,
  texts: readonly string[],
  request: CallOptions,
): Promise<Float32Array[]> {
  const call = boundCall(request.signal, request.callTimeoutMs ?? CALL_TIMEOUT_MS);
  const { model, billing } = options.begin();
  try {
    const { embeddings, usage } = await embedMany({
      model,
      values: [...texts],
      maxRetries: request.retries ?? RETRIES,
      maxParallelCalls: 1,
      abortSignal: call.signal,
    });
    const characters = texts.reduce((sum, text) => sum + text.length, 0);
    const counted = Number.isFinite(usage.tokens)
      ? { ...estimatedUsage(0, 0), inputTokens: usage.tokens, estimated: false }
      : estimatedUsage(characters, 0);
    await meterCall(billing(), request, counted, { streamed: false, raw: usage });
    if (embeddings.length !== texts.length) throw new ModelFailure('malformed', 'not one vector for each text');
    return embeddings.map((vector) => unit(vector, options.dimensions));
  } catch (error) {
    const reason: unknown = call.signal.reason;
    throw reason instanceof ModelFailure && !request.signal.aborted ? reason : failureOf(error, request.signal);
  } finally {
    call.end();
  }
}

/** Scaled to length 1, so that a product of two is their cosine. */
function unit(vector: readonly number[], dimensions: number): Float32Array {
  if (vector.length !== dimensions)
    throw new ModelFailure('malformed', `a vector of ${vector.length} instead of ${dimensions} numbers`);
  const length = Math.hypot(...vector);
  if (!(length > 0)) throw new ModelFailure('malformed', 'a vector without a direction');
  return Float32Array.from(vector, (value) => value / length);
}
