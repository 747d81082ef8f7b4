import type { Tx } from '@cairn/postgres';
import { type KeyRow, lineageOf } from '../key-store.ts';
import type { Narrow } from './narrow.ts';
import { narrowAffected, type Transact } from './narrow-affected.ts';

export interface Change {
  before: KeyRow;
  after: KeyRow;
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
      const change = await work.decide(tx);
      const keyId = change.before.key_id;
      return endsEarlier(change) ? lineageOf(tx, keyId) : [keyId];
    },
    async commit(tx, affected) {
      const { after } = await work.decide(tx);
      const below = affected.filter((id) => id !== after.key_id);
      if (below.length > 0)
        await tx.execute(
          `UPDATE api_keys SET expires_at = least(expires_at, $2), expires_by = least(expires_by, $2)
            WHERE key_id = ANY($1)`,
          [below, after.expires_at],
        );
      return writeChange(tx, after);
    },
  });
}

function endsEarlier({ before, after }: Change): boolean {
  return (
    before.kind === 'ephemeral' &&
    after.expires_at !== null &&
    after.expires_at.getTime() < (before.expires_at?.getTime() ?? Infinity)
  );
}

async function writeChange(tx: Tx, key: KeyRow): Promise<KeyRow> {
  const rows = await tx.query<KeyRow>(
    `UPDATE api_keys
        SET name = $2, scopes = $3, app_permissions = $4, ip_allowlist = $5, expires_at = $6,
            requests_per_second = $7, burst = $8
      WHERE key_id = $1 RETURNING *`,
    [
      key.key_id,
      key.name,
      key.scopes,
      JSON.stringify(key.app_permissions),
      key.ip_allowlist,
      key.expires_at,
      key.requests_per_second,
      key.burst,
    ],
  );
  return rows[0]!;
}
