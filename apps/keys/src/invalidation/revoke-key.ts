import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { encodeEvent, type EventScope } from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import { appendAllToOutbox, type Tx } from '@cairn/postgres';
import { findKey, type KeyRow, lineageOf } from '../credentials/key-store.ts';
import type { Invalidate } from './invalidate.ts';
import { invalidateAffected, type Transact } from './invalidate-affected.ts';
import { journalRevocation } from './journal-revocation.ts';
import { markMembersRemoved } from './mark-members-removed.ts';

/** On whose behalf keys are revoked, and the scope of the events that say so. */
interface Revoker {
  transact: Transact;
  /** Null: the tenant that the key acts in. */
  eventScope: EventScope | null;
}

/**
 * Revokes a key for good, and returns when it was revoked: now, or earlier. What was minted below an ephemeral key is
 * revoked with it; the children of any other key live on. Throws `not_found`.
 */
export async function revokeKey(
  deps: { invalidate: Invalidate; now: () => Date },
  revoker: Revoker,
  keyId: string,
): Promise<Date> {
  return invalidateAffected(deps.invalidate, revoker.transact, {
    effect: 'deny',
    affected: (tx) => revokedWith(tx, keyId),
    async commit(tx, keyIds) {
      await markRevoked(tx, keyIds, deps.now(), revoker.eventScope);
      const revoked = await findKey(tx, keyId);
      return revoked!.revoked_at!;
    },
  });
}

async function revokedWith(tx: Tx, keyId: string): Promise<string[]> {
  const key = await findKey(tx, keyId);
  if (key === null) throw notFound('The key');
  return endsWith(tx, key);
}

/** What a revocation of this one key revokes. */
export async function endsWith(tx: Tx, { kind, key_id }: Pick<KeyRow, 'kind' | 'key_id'>): Promise<string[]> {
  return kind === 'ephemeral' ? lineageOf(tx, key_id) : [key_id];
}

/** Marks those of the keys as revoked that are not yet, and publishes an event for each. */
export async function markRevoked(
  tx: Tx,
  keyIds: readonly string[],
  at: Date,
  eventScope: EventScope | null,
): Promise<void> {
  const rows = await tx.query<{ key_id: string; tenant_id: string; livemode: boolean }>(
    `UPDATE api_keys SET revoked_at = $2 WHERE key_id = ANY($1) AND revoked_at IS NULL
     RETURNING key_id, tenant_id, livemode`,
    [keyIds, at],
  );
  const events = rows.map((row) => {
    const scope = eventScope ?? { tenantId: row.tenant_id, livemode: row.livemode };
    return encodeEvent('keyRevoked', scope, { keyId: row.key_id, revokedAt: timestampFromDate(at) });
  });
  await appendAllToOutbox(tx, events);
  await markMembersRemoved(tx, keyIds, at);
  for (const row of rows) await journalRevocation(tx, eventScope?.tenantId ?? row.tenant_id, [row.key_id]);
}
