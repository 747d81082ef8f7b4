import type { Tx } from '@cairn/postgres';
import { type KeyRow, lineageOf } from '../credentials/key-store.ts';
import type { Invalidate } from './invalidate.ts';
import { invalidateAffected, type Transact } from './invalidate-affected.ts';

/** A key as it is and as it will be. */
export interface Change<Row extends KeyRow> {
  before: Row;
  after: Row;
}

/**
 * Changes the restrictions of a key. `decide` is called before any gateway knows and again in the commit; it throws
 * to reject the change. What was minted below an ephemeral key expires with it at the latest, so its expiry moves, too.
 */
export async function restrictKey<Row extends KeyRow>(
  invalidate: Invalidate,
  transact: Transact,
  work: {
    locking: readonly string[];
    decide: (tx: Tx) => Promise<Change<Row>>;
    /** What is written with the change. */
    alongside?: (tx: Tx) => Promise<void>;
  },
): Promise<Row> {
  return invalidateAffected(invalidate, transact, {
    effect: 'recheck',
    locking: work.locking,
    async affected(tx) {
      const change = await work.decide(tx);
      const keyId = change.before.key_id;
      return expiresEarlier(change) ? lineageOf(tx, keyId) : [keyId];
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
      await work.alongside?.(tx);
      return writeChange(tx, after);
    },
  });
}

function expiresEarlier({ before, after }: Change<KeyRow>): boolean {
  return (
    before.kind === 'ephemeral' &&
    after.expires_at !== null &&
    after.expires_at.getTime() < (before.expires_at?.getTime() ?? Infinity)
  );
}

async function writeChange<Row extends KeyRow>(tx: Tx, key: Row): Promise<Row> {
  const rows = await tx.query<Row>(
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
