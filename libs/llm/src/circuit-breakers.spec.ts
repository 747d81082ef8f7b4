import { describe, expect, it, jest } from '@jest/globals';
import { withCircuitBreakers } from './circuit-breakers.ts';
import { type FailureReason, ModelFailure } from './model-failure.ts';
import { type Attribution, type Models, OFFLINE_MODELS } from './models.ts';

const OPEN_MS = 200;
const WHO: Attribution = { tenantId: 'ten_one', livemode: true };
const CALL = { attribution: WHO, purpose: 'rerank', signal: new AbortController().signal };

/** A reranker that fails while `failing` names a reason, and counts its calls. */
function flakyReranker(byok = false) {
  const state: { failing: FailureReason | 'given_up' | null; calls: number } = { failing: 'timed_out', calls: 0 };
  const models: Models = {
    ...OFFLINE_MODELS,
    reranker: () =>
      Promise.resolve({
        name: 'provider/reranker',
        byok,
        rerank: (_query, texts) => {
          state.calls += 1;
          if (state.failing === 'given_up') return Promise.reject(new DOMException('given up', 'AbortError'));
          if (state.failing !== null) return Promise.reject(new ModelFailure(state.failing, 'as planned'));
          return Promise.resolve(texts.map(() => 1));
        },
      }),
  };
  return { state, models: withCircuitBreakers(models, OPEN_MS) };
}

async function reasonOf(models: Models, who = WHO): Promise<string> {
  const model = await models.reranker(who);
  return model!.rerank('question', ['text'], CALL).then(
    () => 'answered',
    (error: unknown) => (error instanceof ModelFailure ? error.reason : 'given_up'),
  );
}

async function reasons(models: Models, times: number, who = WHO): Promise<string[]> {
  const seen: string[] = [];
  for (let time = 0; time < times; time += 1) seen.push(await reasonOf(models, who));
  return seen;
}

describe('circuit breakers of models', () => {
  it('calls a provider no more after three failures in a row', async () => {
    const { state, models } = flakyReranker();
    expect(await reasons(models, 5)).toEqual(['timed_out', 'timed_out', 'timed_out', 'circuit_open', 'circuit_open']);
    expect(state.calls).toBe(3);
  });

  it('tries again after a while, and goes on as before once it answers', async () => {
    jest.useFakeTimers({ now: 0 });
    try {
      const { state, models } = flakyReranker();
      await reasons(models, 3);
      jest.setSystemTime(OPEN_MS + 1);
      expect(await reasons(models, 2)).toEqual(['timed_out', 'circuit_open']);
      state.failing = null;
      jest.setSystemTime(3 * OPEN_MS);
      expect(await reasons(models, 3)).toEqual(['answered', 'answered', 'answered']);
    } finally {
      jest.useRealTimers();
    }
  });

  it('lets one call try while the others go without', async () => {
    jest.useFakeTimers({ now: 0 });
    try {
      const { state, models } = flakyReranker();
      await reasons(models, 3);
      jest.setSystemTime(OPEN_MS + 1);
      expect(await Promise.all([reasonOf(models), reasonOf(models), reasonOf(models)])).toEqual([
        'timed_out',
        'circuit_open',
        'circuit_open',
      ]);
      expect(state.calls).toBe(4);
    } finally {
      jest.useRealTimers();
    }
  });

  it('learns nothing from a try that its caller gives up: the provider is left alone as before', async () => {
    jest.useFakeTimers({ now: 0 });
    try {
      const { state, models } = flakyReranker();
      await reasons(models, 3);
      jest.setSystemTime(OPEN_MS + 1);
      state.failing = 'given_up';
      expect(await reasonOf(models)).toBe('given_up');
      state.failing = 'timed_out';
      expect(await reasons(models, 2)).toEqual(['circuit_open', 'circuit_open']);
      expect(state.calls).toBe(4);
      jest.setSystemTime(3 * OPEN_MS);
      state.failing = null;
      expect(await reasons(models, 2)).toEqual(['answered', 'answered']);
    } finally {
      jest.useRealTimers();
    }
  });

  it('counts no call that its caller gives up', async () => {
    const { state, models } = flakyReranker();
    state.failing = 'given_up';
    expect(await reasons(models, 5)).toEqual(Array.from({ length: 5 }, () => 'given_up'));
  });

  it('does not count what is wrong with one key or one request', async () => {
    const { state, models } = flakyReranker();
    state.failing = 'unauthorized';
    await reasons(models, 5);
    expect(state.calls).toBe(5);
  });

  it("keeps a tenant's own key apart from another's", async () => {
    const { models } = flakyReranker(true);
    await reasons(models, 4);
    expect(await reasonOf(models, { ...WHO, tenantId: 'ten_two' })).toBe('timed_out');
  });

  it('has no model where there is none', async () => {
    const models = withCircuitBreakers(OFFLINE_MODELS);
    expect(await models.reranker(WHO)).toBeNull();
    expect(await models.embedding(WHO)).toBeNull();
  });
});
