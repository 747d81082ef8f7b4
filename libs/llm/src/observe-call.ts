import { counter, durationHistogram, inSpan } from '@cairn/telemetry';
import type { Billing } from './metering.ts';
import { ModelFailure } from './model-failure.ts';

type ModelKind = 'language' | 'embedding' | 'reranking';

const calls = counter(
  'cairn_model_calls_total',
  'Model calls, by what became of them: ok, aborted by the caller, or the reason of the failure.',
  ['provider', 'model', 'kind', 'outcome'],
);
const durations = durationHistogram('cairn_model_call_duration_seconds', 'Model calls, streams to their end.', [
  'provider',
  'model',
  'kind',
]);

type Called = Pick<Billing, 'provider' | 'model'> & { kind: ModelKind };

/** Counts, times and traces one model call. */
export async function observeCall<T>(called: Called, work: () => Promise<T>): Promise<T> {
  const end = beginCall(called);
  try {
    const result = await inSpan(
      `${called.kind} ${called.model}`,
      { kind: 'client', attributes: attributesOf(called) },
      work,
    );
    end();
    return result;
  } catch (error) {
    end(error);
    throw error;
  }
}

/** The same for a call that is read piece by piece; it has no span, as its reader may take any time. */
export async function* observeStream<T>(called: Called, pieces: AsyncIterable<T>): AsyncGenerator<T> {
  const end = beginCall(called);
  let failure: unknown;
  try {
    yield* pieces;
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    end(failure);
  }
}

function beginCall({ provider, model, kind }: Called): (error?: unknown) => void {
  const startedMs = performance.now();
  return (error) => {
    calls.inc({ provider, model, kind, outcome: error === undefined ? 'ok' : outcomeOf(error) });
    durations.observe({ provider, model, kind }, (performance.now() - startedMs) / 1_000);
  };
}

function outcomeOf(error: unknown): string {
  return error instanceof ModelFailure ? error.reason : 'aborted';
}

function attributesOf({ provider, model, kind }: Called) {
  return {
    'gen_ai.operation.name': kind === 'language' ? 'chat' : kind,
    'gen_ai.provider.name': provider,
    'gen_ai.request.model': model,
  };
}
