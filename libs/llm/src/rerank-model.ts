import { z } from 'zod';
import { boundCall } from './bounded-call.ts';
import type { CalledModel, FindAccess, KeyedCall } from './keyed-call.ts';
import { estimatedUsage, meterCall } from './metering.ts';
import { failureOf, ModelFailure } from './model-failure.ts';
import { observeCall } from './observe-call.ts';
import type { CallOptions, RerankPort } from './models.ts';

const CALL_TIMEOUT_MS = 10_000;
const ANSWER_MAX_BYTES = 1_048_576;

const Answer = z.object({
  results: z.array(z.object({ index: z.int().min(0), relevance_score: z.number() })),
});

/** Read apart from the rest: it holds for an answer that is of no use, too. */
const Counted = z.object({ usage: z.object({ total_tokens: z.int().min(0) }) });

interface RerankModelOptions {
  name: string;
  byok: boolean;
  called: Pick<CalledModel, 'provider' | 'model'>;
  /** Begins one call, which is billed by itself. */
  begin: () => KeyedCall<FindAccess>;
}

/** A reranker that speaks the protocol of Jina, Cohere and vLLM: `POST {base_url}/rerank`. */
export function createRerankModel(options: RerankModelOptions): RerankPort {
  return {
    name: options.name,
    byok: options.byok,
    async rerank(query, texts, request) {
      if (texts.length === 0) return [];
      const call = boundCall(request.signal, request.callTimeoutMs ?? CALL_TIMEOUT_MS);
      try {
        return await observeCall({ ...options.called, kind: 'reranking' }, () =>
          ask(options, query, texts, request, call.signal).catch((error: unknown) => {
            const reason: unknown = call.signal.reason;
            throw reason instanceof ModelFailure && !request.signal.aborted ? reason : failureOf(error, request.signal);
          }),
        );
      } finally {
        call.end();
      }
    },
  };
}

async function ask(
  options: RerankModelOptions,
  query: string,
  texts: readonly string[],
  request: CallOptions,
  signal: AbortSignal,
): Promise<number[]> {
  const { model: find, billing } = options.begin();
  const access = await find();
  const response = await access.fetch(`${access.baseUrl.replace(/(?<!\/)\/+$/, '')}/rerank`, {
    method: 'POST',
    headers: { authorization: `Bearer ${access.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: options.called.model,
      query,
      documents: texts,
      top_n: texts.length,
      return_documents: false,
    }),
    signal,
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new ModelFailure(reasonOf(response.status), `the reranker answered ${response.status}`);
  }
  let answer: unknown;
  try {
    answer = await readAnswer(response);
    return scoresOf(answer, texts.length);
  } finally {
    // The work is done and paid for, whatever came of the answer.
    const characters = texts.reduce((sum, one) => sum + one.length + query.length, 0);
    const usage = Counted.safeParse(answer).data?.usage;
    const counted = estimatedUsage(characters, 0);
    if (usage !== undefined) Object.assign(counted, { inputTokens: usage.total_tokens, estimated: false });
    await meterCall(billing(), request, counted, { streamed: false, raw: usage });
  }
}

async function readAnswer(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text.length > ANSWER_MAX_BYTES) throw new ModelFailure('malformed', 'the reranker answered too much');
  return JSON.parse(text);
}

/** In the order of the texts; one that is not rated is last. */
function scoresOf(answer: unknown, count: number): number[] {
  const scores = Array.from({ length: count }, () => Number.NEGATIVE_INFINITY);
  for (const { index, relevance_score } of Answer.parse(answer).results)
    if (index < count) scores[index] = relevance_score;
  return scores;
}

function reasonOf(status: number) {
  if (status === 429) return 'rate_limited';
  if (status === 401 || status === 403) return 'unauthorized';
  return status >= 500 ? 'unreachable' : 'rejected';
}
