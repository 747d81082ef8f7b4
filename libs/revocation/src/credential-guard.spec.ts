import { describe, expect, it } from '@jest/globals';
import { createCredentialGuard } from './credential-guard.ts';
import { createInvalidationLog } from './invalidation-log.ts';
import type { Lookup } from './lookup-cache.ts';

interface Hit {
  credentialId: string;
}
type Result = Lookup<Hit, 'no'>;

/** A guard whose lookups are answered by hand. */
function guardWith(bounds: { hitsMax?: number } = {}) {
  const clock = { ms: 1_000 };
  const asked: { digest: string; seenGood: boolean; response: (result: Result) => void }[] = [];
  const guard = createCredentialGuard<Hit, 'no'>({
    lease: { id: () => 'gw', isLive: () => true },
    log: createInvalidationLog({ nowMs: () => clock.ms, denyRetentionMs: 1_000, recheckRetentionMs: 1_000, max: 10 }),
    lookUp: (digest, seenGood) => new Promise((response) => asked.push({ digest, seenGood, response })),
    subjectOf: ({ credentialId }) => ({
      credentialId,
      keyId: credentialId,
      tenantId: 't',
      memoryId: null,
      spaceId: null,
    }),
    denied: 'no',
    nowMs: () => clock.ms,
    bounds: {
      hitsMax: bounds.hitsMax ?? 10,
      hitTtlMs: 30_000,
      negativesMax: 10,
      negativeTtlMs: 5_000,
      rememberedMax: 100,
      seenGoodPendingMax: 2,
      otherPendingMax: 3,
    },
    overloaded: () => new Error('overloaded'),
  });
  const good = (digest: string): Result => ({ ok: true, hit: { credentialId: digest } });
  const admitGood = async (digest: string) => {
    const admitted = guard.admit(digest);
    asked.at(-1)!.response(good(digest));
    return admitted;
  };
  return { guard, asked, clock, good, admitGood };
}

describe('lookups of unknown credentials', () => {
  it('fill their own pool: what was good before is looked up all the same, and keys is told that it was', async () => {
    const { guard, asked, clock, good, admitGood } = guardWith();
    await admitGood('mine');
    clock.ms += 31_000;
    const unknown = ['a', 'b', 'c'].map((digest) => guard.admit(digest));
    await expect(guard.admit('d')).rejects.toThrow('overloaded');
    const mine = guard.admit('mine');
    expect(asked.at(-1)).toMatchObject({ digest: 'mine', seenGood: true });
    asked.at(-1)!.response(good('mine'));
    expect(await mine).toMatchObject({ ok: true });
    for (const each of asked.filter(({ digest }) => digest !== 'mine')) each.response({ ok: false, denial: 'no' });
    expect(await Promise.all(unknown)).toEqual(unknown.map(() => ({ ok: false, denial: 'no' })));
  });

  it('leave what was good before remembered, though it was evicted from the cache', async () => {
    const { guard, asked, admitGood } = guardWith({ hitsMax: 1 });
    await admitGood('mine');
    for (const digest of ['b', 'c', 'd', 'e']) await admitGood(digest);
    void guard.admit('mine');
    expect(asked.at(-1)).toMatchObject({ digest: 'mine', seenGood: true });
  });

  it('are begun by a caller that may, once for all concurrent callers, and ended with the result', async () => {
    const { guard, asked } = guardWith();
    let [begun, ended] = [0, 0];
    const begin = () => {
      begun += 1;
      return () => {
        ended += 1;
      };
    };
    const admitted = [guard.admit('a', begin), guard.admit('a', begin)];
    expect([begun, ended, asked.length]).toEqual([1, 0, 1]);
    asked[0]!.response({ ok: false, denial: 'no' });
    await Promise.all(admitted);
    expect([begun, ended]).toEqual([1, 1]);
    // Known to be bad: nothing to look up.
    await guard.admit('a', begin);
    expect(begun).toBe(1);
  });

  it('that a caller may not begin fail for that caller alone', async () => {
    const { guard, asked, good } = guardWith();
    const never = () => {
      throw new Error('slow down');
    };
    await expect(guard.admit('a', never)).rejects.toThrow('slow down');
    const other = guard.admit('a');
    asked[0]!.response(good('a'));
    expect(await other).toMatchObject({ ok: true });
    // In use by now, so no longer unknown.
    expect(await guard.admit('a', never)).toMatchObject({ ok: true });
  });

  it('are lookups of unknown credentials again, once what was good is refused', async () => {
    const { guard, asked, clock, admitGood } = guardWith();
    await admitGood('mine');
    clock.ms += 31_000;
    const refused = guard.admit('mine');
    asked.at(-1)!.response({ ok: false, denial: 'no' });
    await refused;
    clock.ms += 6_000;
    void guard.admit('mine');
    expect(asked.at(-1)).toMatchObject({ digest: 'mine', seenGood: false });
  });
});
