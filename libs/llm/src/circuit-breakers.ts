import {
  BrokenCircuitError,
  circuitBreaker,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  handleWhen,
} from 'cockatiel';
import { LRUCache } from 'lru-cache';
import { type FailureReason, ModelFailure } from './model-failure.ts';
import type { Attribution, Models } from './models.ts';

/** Failures in a row after which a provider is not called for a while. */
const FAILURES_MAX = 3;
const OPEN_MS = 15_000;
const BREAKERS_MAX = 10_000;
/** What speaks against the provider and not against one request or one key. */
const COUNTED = new Set<FailureReason>(['timed_out', 'unreachable', 'broken_off', 'malformed', 'rate_limited']);

/** Runs a call unless its breaker is open, which is a `ModelFailure` with `circuit_open` at once. */
type Guard = <T>(call: () => Promise<T>) => Promise<T>;

/**
 * The same models, but an embedding model or reranker that failed three times in a row is left alone for 15 s: a caller
 * who can go on without it does not wait for its time-out each time. Then one call tries it, and the others still go
 * without. A tenant's own key has a breaker of its own (Nygard, Release It!, 2nd edition 2018, chapter 5).
 */
export function withCircuitBreakers(models: Models, openMs = OPEN_MS): Models {
  const breakers = new LRUCache<string, CircuitBreakerPolicy>({ max: BREAKERS_MAX });
  const guardOf = (kind: string, who: Attribution, { name, byok }: { name: string; byok: boolean }): Guard => {
    const key = JSON.stringify([kind, name, byok ? who.tenantId : '']);
    const breaker = breakers.get(key) ?? createBreaker(openMs);
    breakers.set(key, breaker);
    return (call) => guarded(breaker, call);
  };
  return {
    ...models,
    async embedding(who) {
      const model = await models.embedding(who);
      if (model === null) return null;
      const guard = guardOf('embedding', who, model);
      return { ...model, embed: (texts, options) => guard(() => model.embed(texts, options)) };
    },
    async reranker(who) {
      const model = await models.reranker(who);
      if (model === null) return null;
      const guard = guardOf('reranking', who, model);
      return { ...model, rerank: (query, texts, options) => guard(() => model.rerank(query, texts, options)) };
    },
  };
}

/** The one call that a half-open breaker lets through ended before the provider answered or failed. */
class ProbeInconclusive extends Error {}

function createBreaker(openMs: number): CircuitBreakerPolicy {
  const counts = handleWhen(
    (error) => error instanceof ProbeInconclusive || (error instanceof ModelFailure && COUNTED.has(error.reason)),
  );
  return circuitBreaker(counts, { halfOpenAfter: openMs, breaker: new ConsecutiveBreaker(FAILURES_MAX) });
}

async function guarded<T>(breaker: CircuitBreakerPolicy, call: () => Promise<T>): Promise<T> {
  // The policy would let the others wait for the one call that tries.
  if (breaker.state === CircuitState.HalfOpen) throw circuitOpen();
  const isProbe = breaker.state === CircuitState.Open;
  try {
    return await breaker.execute(isProbe ? () => asProbe(call) : call);
  } catch (error) {
    if (error instanceof ProbeInconclusive) throw error.cause;
    throw error instanceof BrokenCircuitError ? circuitOpen() : error;
  }
}

/** The policy takes whatever it does not count for a success, and would call the provider again for everybody. */
async function asProbe<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw error instanceof ModelFailure ? error : new ProbeInconclusive('no answer', { cause: error });
  }
}

function circuitOpen(): ModelFailure {
  return new ModelFailure('circuit_open', 'the provider failed repeatedly and is not called for a while');
}
