import type { Tx } from '@cairn/postgres';
import { type KeyRow, lineageOf } from '../key-store.ts';
import type { Powers } from '../widening.ts';
import type { Narrow } from './narrow.ts';
import { narrowAffected, type Transact } from './narrow-affected.ts';

export interface Change {
  /** The key as it is. */
  key: KeyRow;
  /** What becomes of it. */
  name: string;
  powers: Powers;
}

/**
 * Changes what a key is good for. `decide` is asked before anybody is told and again when it is committed; it throws
 * what denies the change. What was minted below an ephemeral key ends with it at the latest, so its end moves, too.
 */
export async function restrictKey(
  narrow: Narrow,
  transact: Transact,
  work: { holding: readonly string[]; decide: (tx: Tx) => Promise<Change> },
): Promise<KeyRow> {
  return narrowAffected(narrow, transact, {
    effect: 'recheck',
    holding: work.holding,
    async affected(tx) {
      const { key, powers } = await work.decide(tx);
      return endsEarlier(key, powers) ? lineageOf(tx, key.key_id) : [key.key_id];
    },
    async commit(tx, affected) {
      const change = await work.decide(tx);
      const below = affected.filter((id) => id !== change.key.key_id);
      if (below.length > 0)
        await tx.execute(
          `UPDATE api_keys SET expires_at = least(expires_at, $2), expires_by = least(expires_by, $2)
            WHERE key_id = ANY($1)`,
          [below, change.powers.expires_at],
        );
      return writeChange(tx, change);
    },
  });
}

function endsEarlier(key: KeyRow, powers: Powers): boolean {
  return (
    key.kind === 'ephemeral' &&
    powers.expires_at !== null &&
    powers.expires_at.getTime() < (key.expires_at?.getTime() ?? Infinity)
  );
}

async function writeChange(tx: Tx, { key, name, powers }: Change): Promise<KeyRow> {
  const rows = await tx.query<KeyRow>(
    `UPDATE api_keys
        SET name = $2, scopes = $3, app_permissions = $4, ip_allowlist = $5, expires_at = $6,
            requests_per_second = $7, burst = $8
      WHERE key_id = $1 RETURNING *`,
    [
      key.key_id,
      name,
      powers.scopes,
      JSON.stringify(powers.app_permissions),
      powers.ip_allowlist,
      powers.expires_at,
      powers.requests_per_second,
      powers.burst,
    ],
  );
  return rows[0]!;
}
