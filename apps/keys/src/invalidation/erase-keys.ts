import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { encodeEvent } from '@cairn/contracts';
import { validationFailed } from '@cairn/errors';
import { appendToOutbox, type Database, eraseStoredEvents, type Tx } from '@cairn/postgres';
import { QUOTA_TABLES } from '../allowances/quota-store.ts';
import type { Invalidate, InvalidationTarget } from './invalidate.ts';
import { journalRevocation } from './journal-revocation.ts';

/** Whose keys are erased; without a memory all keys of the tenant, and the tenant's own rows. */
interface ErasureScope {
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
 * Erases the keys bound to the deleted scope and whatever names them. Returns how many there were, so 0 when it was
 * done before. A test tenant is a tenant of its own and is erased by its own id.
 */
export async function eraseKeys(
  deps: { invalidate: Invalidate; workerDatabase: Database; now: () => Date },
  scope: ErasureScope,
): Promise<number> {
  const invalidated = invalidatedBy(scope);
  return deps.invalidate({ invalidated, effect: 'deny', closes: true }, () =>
    deps.workerDatabase.transaction(async (tx) => {
      const erased = await deleteKeys(tx, scope);
      if (invalidated.what === 'tenant') await deleteTenant(tx, scope.tenantId);
      // Those of a whole tenant are not announced one by one: after a restore its own entry in the journal is enough.
      else await publishRevocations(tx, scope.tenantId, erased, deps.now());
      return erased.length;
    }),
  );
}

function invalidatedBy({ tenantId, memoryId, spaceId }: ErasureScope): InvalidationTarget {
  if (tenantId === '') throw validationFailed([{ path: 'tenant_id', message: 'is required' }]);
  if (memoryId === null) {
    if (spaceId !== null) throw validationFailed([{ path: 'memory_id', message: 'is required with space_id' }]);
    return { what: 'tenant', tenantId };
  }
  return spaceId === null ? { what: 'memory', tenantId, memoryId } : { what: 'space', tenantId, memoryId, spaceId };
}

async function deleteKeys(tx: Tx, { tenantId, memoryId, spaceId }: ErasureScope): Promise<ErasedKey[]> {
  const erased = await tx.query<ErasedKey>(
    `DELETE FROM api_keys
      WHERE tenant_id = $1 AND ($2::text IS NULL OR memory_id = $2) AND ($3::text IS NULL OR space_id = $3)
      RETURNING key_id, owner_tenant_id, livemode, revoked_at`,
    [tenantId, memoryId, spaceId],
  );
  // Responses stored for an Idempotency-Key belong to the tenant of whoever created the key, which may be the live
  // tenant of a test tenant.
  const tenants = [...new Set([tenantId, ...erased.map((key) => key.owner_tenant_id)])];
  await tx.execute(
    `DELETE FROM idempotency_keys
      WHERE tenant_id = ANY($1) AND (answer->>'key_id' = ANY($2) OR answer->'rotated_from'->>'key_id' = ANY($2))`,
    [tenants, erased.map((key) => key.key_id)],
  );
  return erased;
}

async function deleteTenant(tx: Tx, tenantId: string): Promise<void> {
  // The tenant first: a draw of its quota that has begun is waited for, and the next one finds no tenant.
  for (const table of [
    'tenants',
    'oauth_tokens',
    'oauth_clients',
    'idempotency_keys',
    'request_counts',
    'members',
    'member_invitations',
    ...QUOTA_TABLES,
  ])
    await tx.execute(`DELETE FROM ${table} WHERE tenant_id = $1`, [tenantId]);
  await eraseStoredEvents(tx, tenantId);
  // The bucket that all its keys share is named after the tenant.
  await tx.execute('DELETE FROM rate_buckets WHERE key_id = $1', [tenantId]);
}

async function publishRevocations(tx: Tx, tenantId: string, erased: readonly ErasedKey[], now: Date): Promise<void> {
  const revoked = erased.filter(({ revoked_at }) => revoked_at === null);
  await journalRevocation(
    tx,
    tenantId,
    revoked.map((key) => key.key_id),
  );
  for (const key of revoked) {
    const event = { keyId: key.key_id, revokedAt: timestampFromDate(now) };
    await appendToOutbox(tx, encodeEvent('keyRevoked', { tenantId, livemode: key.livemode }, event));
  }
}
