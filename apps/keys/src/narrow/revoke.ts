import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { encodeEvent, type EventScope } from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import { appendAllToOutbox, type Tx } from '@cairn/postgres';
import { findKey, lineageOf } from '../key-store.ts';
import type { Narrow } from './narrow.ts';
import { narrowAffected, type Transact } from './narrow-affected.ts';

/** On whose behalf keys are revoked, and whom the events of it are about. */
export interface Revoker {
  transact: Transact;
  /** Null: the tenant that the key acts in. */
  about: EventScope | null;
}

/**
 * Revokes a key for good, and gives when it was revoked: now, or once before. What was minted below an ephemeral key
 * is revoked with it; the children of any other live on. Throws `not_found`.
 */
export async function revokeKey(
  parts: { narrow: Narrow; now: () => Date },
  revoker: Revoker,
  keyId: string,
): Promise<Date> {
  return narrowAffected(parts.narrow, revoker.transact, {
    effect: 'deny',
    affected: (tx) => dyingWith(tx, keyId),
    async commit(tx, keyIds) {
      await markRevoked(tx, keyIds, parts.now(), revoker.about);
      const revoked = await findKey(tx, keyId);
      return revoked!.revoked_at!;
    },
  });
}

async function dyingWith(tx: Tx, keyId: string): Promise<string[]> {
  const key = await findKey(tx, keyId);
  if (key === null) throw notFound('The key');
  return key.kind === 'ephemeral' ? lineageOf(tx, keyId) : [keyId];
}

/** Writes down that the keys are revoked, those that are not yet, and says so. */
export async function markRevoked(
  tx: Tx,
  keyIds: readonly string[],
  at: Date,
  about: EventScope | null,
): Promise<void> {
  const rows = await tx.query<{ key_id: string; tenant_id: string; livemode: boolean }>(
    `UPDATE api_keys SET revoked_at = $2 WHERE key_id = ANY($1) AND revoked_at IS NULL
     RETURNING key_id, tenant_id, livemode`,
    [keyIds, at],
  );
  const events = rows.map((row) => {
    const scope = about ?? { tenantId: row.tenant_id, livemode: row.livemode };
    return encodeEvent('keyRevoked', scope, { keyId: row.key_id, revokedAt: timestampFromDate(at) });
  });
  await appendAllToOutbox(tx, events);
}
