import { CairnError } from '@cairn/errors';
import type { Tx } from '@cairn/postgres';
import { lockKeys } from '../key-store.ts';
import type { Narrow, Narrowing } from './narrow.ts';

const ATTEMPTS_MAX = 5;

/** Runs work in one transaction that sees the rows of whoever narrows. */
export type Transact = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

/**
 * Narrows the keys that `affected` names. When more came to be affected before the commit, as a key was minted below
 * one of them, nothing is committed, and they are announced, too. `affected` throws what denies the narrowing, before
 * anybody is told of it; `holding` names keys it judges by besides.
 */
export async function narrowAffected<T>(
  narrow: Narrow,
  transact: Transact,
  work: {
    holding?: readonly string[];
    affected: (tx: Tx) => Promise<string[]>;
    commit: (tx: Tx, affected: string[]) => Promise<T>;
    /** `deny` for what ends; `recheck` for what is good for less. */
    effect: Narrowing['effect'];
  },
): Promise<T> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const announced = await transact(work.affected);
    const narrowed = { what: 'credentials', ids: announced } as const;
    const done = await narrow({ narrowed, effect: work.effect, closes: true }, () =>
      transact(async (tx) => {
        await lockKeys(tx, [...announced, ...(work.holding ?? [])]);
        const affected = await work.affected(tx);
        return affected.every((id) => announced.includes(id)) ? { result: await work.commit(tx, affected) } : null;
      }),
    );
    if (done !== null) return done.result;
  }
  throw new CairnError('unavailable', 'The key changes too often right now.', {
    retryAfterSeconds: 1,
    internal: `${ATTEMPTS_MAX} attempts to narrow found more keys below`,
  });
}
