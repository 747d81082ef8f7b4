import { CairnError } from '@cairn/errors';
import type { Identity } from '@cairn/identity';
import { type Database, sqlState, type Tx } from '@cairn/postgres';
import { findKey, type KeyRow, lockKeys } from '../credentials/key-store.ts';
import { clientsOf, findLineage, lockLineages, type Lineage } from '../credentials/lineage.ts';
import { INTERRUPTED_AFTER } from './resume-interrupted-revocations.ts';
import type { Invalidate } from './invalidate.ts';
import { invalidateAffected, type Transact } from './invalidate-affected.ts';
import { markRevoked } from './revoke-key.ts';
import { markOAuthRevoked } from './revoke-oauth.ts';

interface LineageDeps {
  invalidate: Invalidate;
  workerDatabase: Database;
  now: () => Date;
}

/** On whose behalf a lineage ends. */
type Caller = Pick<Identity, 'tenantId'>;

const RESUMED_AT_ONCE_MAX = 1_000;
/** For one lock, while a connection is held. */
const LOCK_WAIT_MAX_MS = 5_000;
const LOCK_NOT_AVAILABLE = '55P03';
const RETRY_AFTER_SECONDS = 1;

/** Throws when the caller may not end all of it; called under locks, before anything is recorded. */
type Permit = (tx: Tx, lineage: Lineage) => Promise<void>;

/**
 * Revokes a key with all its descendants; the caller has checked that the key belongs to its tenant. Descendants may
 * act in the test environment of the tenant, so this needs the worker role. First the lineage is closed, if `permit`
 * allows it, so that nothing is added to it any more; then it is denied as a whole, which is one revocation with its
 * barriers. What is interrupted in between is resumed by {@link resumeLineageRevocations}.
 */
export async function revokeLineage(
  deps: LineageDeps,
  caller: Caller,
  key: KeyRow,
  permit: Permit,
): Promise<{ revokedAt: Date; lineage: Lineage }> {
  const transact = transactOf(deps, caller);
  await closeLineage(transact, key, permit);
  let lineage: Lineage = { keyIds: [], clientIds: [] };
  const revokedAt = await invalidateAffected(deps.invalidate, transact, {
    effect: 'deny',
    async affected(tx) {
      lineage = await findLineage(tx, key.key_id);
      return [...lineage.keyIds, ...lineage.clientIds];
    },
    async commit(tx) {
      await markRevoked(tx, lineage.keyIds, deps.now(), null);
      await markOAuthRevoked(tx, lineage.clientIds, deps.now());
      return (await findKey(tx, key.key_id))?.revoked_at ?? deps.now();
    },
  });
  return { revokedAt, lineage };
}

/**
 * Bars the key and its descendants from creating credentials, for good. They keep all other rights until the gateways
 * were told.
 */
async function closeLineage(transact: Transact, key: KeyRow, permit: Permit): Promise<void> {
  await withLineagesLocked(transact, key, async (tx) => {
    const lineage = await findLineage(tx, key.key_id);
    const { keyIds } = lineage;
    await lockKeys(tx, keyIds);
    await permit(tx, lineage);
    await tx.execute(
      `UPDATE api_keys SET closing_since = coalesce(closing_since, clock_timestamp()), closing_alone = false
        WHERE key_id = ANY($1) AND revoked_at IS NULL`,
      [keyIds],
    );
  });
}

/** The same for one key or member without its descendants. */
export async function closeKey(
  deps: Pick<LineageDeps, 'workerDatabase'>,
  caller: Caller,
  key: Pick<KeyRow, 'key_id' | 'owner_tenant_id'>,
  permit: (tx: Tx) => Promise<void>,
): Promise<void> {
  await withLineagesLocked(transactOf(deps, caller), key, async (tx) => {
    await lockKeys(tx, [key.key_id]);
    await permit(tx);
    await tx.execute(
      `UPDATE api_keys SET closing_since = clock_timestamp(), closing_alone = true
        WHERE key_id = $1 AND closing_since IS NULL AND revoked_at IS NULL`,
      [key.key_id],
    );
  });
}

/**
 * Runs as the worker role, which sees all tenants, and still counts as the caller's tenant: while endings of one tenant
 * wait for each other, they hold a share of the pool, and other tenants have the rest.
 */
function transactOf({ workerDatabase }: Pick<LineageDeps, 'workerDatabase'>, { tenantId }: Caller): Transact {
  return (work) => workerDatabase.withTenant(tenantId, work);
}

/** Nothing comes of any key of the tenant until the work is committed. */
async function withLineagesLocked(
  transact: Transact,
  { owner_tenant_id }: Pick<KeyRow, 'owner_tenant_id'>,
  work: (tx: Tx) => Promise<void>,
): Promise<void> {
  try {
    await transact(async (tx) => {
      await tx.execute(`SET LOCAL lock_timeout = ${LOCK_WAIT_MAX_MS}`);
      await lockLineages(tx, owner_tenant_id, 'exclusive');
      await work(tx);
    });
  } catch (error) {
    if (sqlState(error) !== LOCK_NOT_AVAILABLE) throw error;
    throw new CairnError('unavailable', 'Other changes to credentials of the tenant take too long right now.', {
      cause: error,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
}

/**
 * Finishes the revocation of lineages, and of keys and members alone, that were closed and not revoked, because the
 * replica that began it died. What was closed alone ends without its OAuth clients, whose end nobody judged. Several
 * replicas may do the same. Returns how many keys were revoked.
 */
export async function resumeLineageRevocations(deps: LineageDeps): Promise<number> {
  const { workerDatabase, invalidate, now } = deps;
  const { keyIds, clientIds } = await workerDatabase.transaction(async (tx) => {
    const rows = await tx.query<{ key_id: string; closing_alone: boolean }>(
      `SELECT key_id, closing_alone FROM api_keys
        WHERE closing_since < now() - interval '${INTERRUPTED_AFTER}' AND revoked_at IS NULL
        ORDER BY closing_since LIMIT ${RESUMED_AT_ONCE_MAX}`,
    );
    const lineages = rows.filter((row) => !row.closing_alone).map((row) => row.key_id);
    return { keyIds: rows.map((row) => row.key_id), clientIds: await clientsOf(tx, lineages) };
  });
  if (keyIds.length === 0) return 0;
  const invalidated = { what: 'credentials', ids: [...keyIds, ...clientIds] } as const;
  await invalidate({ invalidated, effect: 'deny', closes: true }, () =>
    workerDatabase.transaction(async (tx) => {
      await markRevoked(tx, keyIds, now(), null);
      await markOAuthRevoked(tx, clientIds, now());
    }),
  );
  return keyIds.length;
}
