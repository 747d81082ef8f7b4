import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { encodeEvent } from '@cairn/contracts';
import { validationFailed } from '@cairn/errors';
import { appendToOutbox, type Database, type Tx } from '@cairn/postgres';
import { QUOTA_TABLES } from '../allowances/quota-store.ts';
import type { Narrow, Narrowed } from './narrow.ts';

/** Whose keys are erased; without a memory all of the tenant, and what is known of the tenant itself. */
export interface ErasureScope {
  tenantId: string;
  memoryId: string | null;
  spaceId: string | null;
}

interface ErasedKey {
  key_id: string;
  owner_tenant_id: string;
  livemode: boolean;
  revoked_at: Date | null;
}

/**
 * Erases the keys bound to what is deleted and whatever names them; gives how many there were, so 0 when it was done
 * before. A tenant's twin is a tenant of its own and is erased by its own id.
 */
export async function erase(
  parts: { narrow: Narrow; workerDatabase: Database; now: () => Date },
  scope: ErasureScope,
): Promise<number> {
  const narrowed = narrowedBy(scope);
  return parts.narrow({ narrowed, effect: 'deny', closes: true }, () =>
    parts.workerDatabase.transaction(async (tx) => {
      const erased = await eraseKeys(tx, scope);
      if (narrowed.what === 'tenant') await forgetTenant(tx, scope.tenantId);
      // Who restores an older state of the database finds by these that the keys are gone. Those of a tenant that
      // goes as a whole leave with its stream.
      else await sayRevoked(tx, scope.tenantId, erased, parts.now());
      return erased.length;
    }),
  );
}

function narrowedBy({ tenantId, memoryId, spaceId }: ErasureScope): Narrowed {
  if (tenantId === '') throw validationFailed([{ path: 'tenant_id', message: 'is required' }]);
  if (memoryId === null) {
    if (spaceId !== null) throw validationFailed([{ path: 'memory_id', message: 'is required with space_id' }]);
    return { what: 'tenant', tenantId };
  }
  return spaceId === null ? { what: 'memory', tenantId, memoryId } : { what: 'space', tenantId, memoryId, spaceId };
}

async function eraseKeys(tx: Tx, { tenantId, memoryId, spaceId }: ErasureScope): Promise<ErasedKey[]> {
  const erased = await tx.query<ErasedKey>(
    `DELETE FROM api_keys
      WHERE tenant_id = $1 AND ($2::text IS NULL OR memory_id = $2) AND ($3::text IS NULL OR space_id = $3)
      RETURNING key_id, owner_tenant_id, livemode, revoked_at`,
    [tenantId, memoryId, spaceId],
  );
  // Answers kept for an Idempotency-Key lie with the tenant of whoever minted, which may be the live one of a twin.
  const tenants = [...new Set([tenantId, ...erased.map((key) => key.owner_tenant_id)])];
  await tx.execute(
    `DELETE FROM idempotency_keys
      WHERE tenant_id = ANY($1) AND (answer->>'key_id' = ANY($2) OR answer->'rotated_from'->>'key_id' = ANY($2))`,
    [tenants, erased.map((key) => key.key_id)],
  );
  return erased;
}

async function forgetTenant(tx: Tx, tenantId: string): Promise<void> {
  // The tenant first: a draw of its quota that has begun comes to its end, and the next one finds no tenant.
  for (const table of ['tenants', 'oauth_tokens', 'oauth_clients', 'idempotency_keys', 'outbox', ...QUOTA_TABLES])
    await tx.execute(`DELETE FROM ${table} WHERE tenant_id = $1`, [tenantId]);
  // The bucket of all its keys together bears its name.
  await tx.execute('DELETE FROM rate_buckets WHERE key_id = $1', [tenantId]);
}

async function sayRevoked(tx: Tx, tenantId: string, erased: readonly ErasedKey[], now: Date): Promise<void> {
  for (const key of erased.filter(({ revoked_at }) => revoked_at === null)) {
    const event = { keyId: key.key_id, revokedAt: timestampFromDate(now) };
    await appendToOutbox(tx, encodeEvent('keyRevoked', { tenantId, livemode: key.livemode }, event));
  }
}
