import type { Tx } from '@cairn/postgres';
import { type Lane, tenantsWaiting } from './queue.ts';

/** Tenants that have something due. */
export type TenantsInTurn = (tx: Tx) => Promise<string[]>;

/**
 * Each call returns the next tenants that have something due in the lane, and after the last one the first again: when
 * more than `max` wait each gets its turn, and else every call returns all of them.
 */
export function takeTenantsInTurn(lane: Lane, max: number): TenantsInTurn {
  let last = '';
  return async (tx) => {
    const next = await tenantsWaiting(tx, lane, last, max);
    const isRound = last !== '' && next.length < max;
    const first = isRound ? await tenantsWaiting(tx, lane, '', max) : [];
    const turn = [...new Set([...next, ...first])].slice(0, max);
    last = turn.length < max ? '' : turn.at(-1)!;
    return turn;
  };
}
