import { CairnError } from '@cairn/errors';
import type { Tx } from '@cairn/postgres';
import { lockKeys } from '../credentials/key-store.ts';
import type { Invalidate, Invalidation } from './invalidate.ts';

const ATTEMPTS_MAX = 5;

/** Runs work in one transaction that sees the rows of the caller. */
export type Transact = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

/**
 * Invalidates the keys that `affected` returns. When more are affected by the time of the commit, because a key was
 * minted below one of them, nothing is committed, and the larger set is announced. `affected` throws to reject the
 * invalidation before any gateway is informed; `locking` names further keys that its decision depends on.
 */
export async function invalidateAffected<T>(
  invalidate: Invalidate,
  transact: Transact,
  work: {
    locking?: readonly string[];
    affected: (tx: Tx) => Promise<string[]>;
    commit: (tx: Tx, affected: string[]) => Promise<T>;
    /** `deny` for credentials that end; `recheck` for those that lose rights. */
    effect: Invalidation['effect'];
  },
): Promise<T> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const announced = await transact(work.affected);
    const invalidated = { what: 'credentials', ids: announced } as const;
    const done = await invalidate({ invalidated, effect: work.effect, closes: true }, () =>
      transact(async (tx) => {
        await lockKeys(tx, [...announced, ...(work.locking ?? [])]);
        const affected = await work.affected(tx);
        return affected.every((id) => announced.includes(id)) ? { result: await work.commit(tx, affected) } : null;
      }),
    );
    if (done !== null) return done.result;
  }
  throw new CairnError('unavailable', 'The key changes too often right now.', {
    retryAfterSeconds: 1,
    internal: `${ATTEMPTS_MAX} attempts to invalidate each found more descendants`,
  });
}
