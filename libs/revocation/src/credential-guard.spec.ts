import { describe, expect, it } from '@jest/globals';
import { createCredentialGuard, type Resolved } from './credential-guard.ts';
import { createNarrowingsSeen } from './narrowings-seen.ts';

interface Found {
  credentialId: string;
}
type Answer = Resolved<Found, 'no'>;

/** A guard whose lookups are answered by hand. */
function guardWith(bounds: { foundMax?: number } = {}) {
  const clock = { ms: 1_000 };
  const asked: { digest: string; seenGood: boolean; answer: (answer: Answer) => void }[] = [];
  const guard = createCredentialGuard<Found, 'no'>({
    lease: { id: () => 'gw', isLive: () => true },
    seen: createNarrowingsSeen({ nowMs: () => clock.ms, denyKeptMs: 1_000, recheckKeptMs: 1_000, max: 10 }),
    resolve: (digest, seenGood) => new Promise((answer) => asked.push({ digest, seenGood, answer })),
    bearerOf: ({ credentialId }) => ({
      credentialId,
      keyId: credentialId,
      tenantId: 't',
      memoryId: null,
      spaceId: null,
    }),
    denied: 'no',
    nowMs: () => clock.ms,
    bounds: {
      foundMax: bounds.foundMax ?? 10,
      foundKeptMs: 30_000,
      refusedMax: 10,
      refusedKeptMs: 5_000,
      rememberedMax: 100,
      seenGoodPendingMax: 2,
      otherPendingMax: 3,
    },
    overloaded: () => new Error('overloaded'),
  });
  const good = (digest: string): Answer => ({ ok: true, found: { credentialId: digest } });
  const admitGood = async (digest: string) => {
    const admitted = guard.admit(digest);
    asked.at(-1)!.answer(good(digest));
    return admitted;
  };
  return { guard, asked, clock, good, admitGood };
}

describe('lookups of unknown credentials', () => {
  it('fill their own lane: what was good before is looked up all the same, and its keeper knows that it was', async () => {
    const { guard, asked, clock, good, admitGood } = guardWith();
    await admitGood('mine');
    clock.ms += 31_000;
    const strangers = ['a', 'b', 'c'].map((digest) => guard.admit(digest));
    await expect(guard.admit('d')).rejects.toThrow('overloaded');
    const mine = guard.admit('mine');
    expect(asked.at(-1)).toMatchObject({ digest: 'mine', seenGood: true });
    asked.at(-1)!.answer(good('mine'));
    expect(await mine).toMatchObject({ ok: true });
    for (const each of asked.filter(({ digest }) => digest !== 'mine')) each.answer({ ok: false, refusal: 'no' });
    expect(await Promise.all(strangers)).toEqual(strangers.map(() => ({ ok: false, refusal: 'no' })));
  });

  it('leave what was good before remembered, though it fell out of the cache', async () => {
    const { guard, asked, admitGood } = guardWith({ foundMax: 1 });
    await admitGood('mine');
    for (const digest of ['b', 'c', 'd', 'e']) await admitGood(digest);
    void guard.admit('mine');
    expect(asked.at(-1)).toMatchObject({ digest: 'mine', seenGood: true });
  });

  it('are begun by a caller that may, once for all who ask the same, and ended with the answer', async () => {
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
    asked[0]!.answer({ ok: false, refusal: 'no' });
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
    asked[0]!.answer(good('a'));
    expect(await other).toMatchObject({ ok: true });
    // In use by now, so it is nobody's stranger.
    expect(await guard.admit('a', never)).toMatchObject({ ok: true });
  });

  it('are lookups of unknown credentials again, once what was good is refused', async () => {
    const { guard, asked, clock, admitGood } = guardWith();
    await admitGood('mine');
    clock.ms += 31_000;
    const refused = guard.admit('mine');
    asked.at(-1)!.answer({ ok: false, refusal: 'no' });
    await refused;
    clock.ms += 6_000;
    void guard.admit('mine');
    expect(asked.at(-1)).toMatchObject({ digest: 'mine', seenGood: false });
  });
});
