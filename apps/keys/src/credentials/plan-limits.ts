import { CairnError } from '@cairn/errors';
import type { Tx } from '@cairn/postgres';
import { findTenant, type TenantRow } from '../tenants/tenant-store.ts';

/** For a tenant whose plan limits tenancy has not sent yet. */
const DEFAULT_MAX = { api_keys: 500, oauth_clients: 100 } as const;
/** Keys that were replaced by a rotation stay valid until their overlap ends: room for as many again. */
const WITH_REPLACED = 2;
const NOTE = 'Credits do not raise this limit; a larger plan does, and so does revoking what is not used.';

interface Rotation {
  /** The original was replaced before: it does not count, so this replacement is one more. */
  again: boolean;
  /** Without overlap: the original ends as the replacement begins. */
  immediate: boolean;
}

/**
 * Throws `plan_limit_reached` when the tenant that the new key acts in has no room for it. Concurrent transactions that
 * mint for one tenant are serialised here, so that the plan is never exceeded.
 */
export async function assertKeyLimit(
  tx: Tx,
  tenantId: string,
  now: Date,
  rotation: Rotation | null = null,
): Promise<void> {
  await lockCount(tx, 'api_keys', tenantId);
  const { lasting, valid } = await countKeys(tx, tenantId, now);
  const tenant = await findTenant(tx, tenantId);
  const limit = tenant?.api_keys_max ?? DEFAULT_MAX.api_keys;
  // A rotation replaces a key, so it is possible even when a lowered plan has no room for either.
  if ((rotation === null || rotation.again) && lasting >= limit) throw limitReached(tenant, 'api_keys', limit, lasting);
  if (rotation?.immediate !== true && valid >= limit * WITH_REPLACED)
    throw limitReached(tenant, 'api_keys', limit * WITH_REPLACED, valid);
}

/** The same for an OAuth client. */
export async function assertClientLimit(tx: Tx, tenantId: string, now: Date): Promise<void> {
  await lockCount(tx, 'oauth_clients', tenantId);
  const valid = await countClients(tx, tenantId, now);
  const tenant = await findTenant(tx, tenantId);
  const limit = tenant?.oauth_clients_max ?? DEFAULT_MAX.oauth_clients;
  if (valid >= limit) throw limitReached(tenant, 'oauth_clients', limit, valid);
}

interface LimitUse {
  used: number;
  limit: number;
}

/** What the tenant uses of both limits now, counted as above. */
export async function credentialUse(
  tx: Tx,
  tenant: TenantRow,
  now: Date,
): Promise<{ apiKeys: LimitUse; oauthClients: LimitUse }> {
  const { lasting } = await countKeys(tx, tenant.tenant_id, now);
  const clients = await countClients(tx, tenant.tenant_id, now);
  return {
    apiKeys: { used: lasting, limit: tenant.api_keys_max ?? DEFAULT_MAX.api_keys },
    oauthClients: { used: clients, limit: tenant.oauth_clients_max ?? DEFAULT_MAX.oauth_clients },
  };
}

/** `lasting`: without those that were replaced by a rotation. */
async function countKeys(tx: Tx, tenantId: string, now: Date): Promise<{ lasting: number; valid: number }> {
  const rows = await tx.query<{ lasting: number; valid: number }>(
    `SELECT count(*) FILTER (WHERE revokes_at IS NULL) AS lasting, count(*) AS valid FROM api_keys
      WHERE tenant_id = $1 AND kind <> 'member' AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)
        AND (revokes_at IS NULL OR revokes_at > $2)`,
    [tenantId, now],
  );
  return rows[0]!;
}

async function countClients(tx: Tx, tenantId: string, now: Date): Promise<number> {
  const rows = await tx.query<{ valid: number }>(
    `SELECT count(*) AS valid FROM oauth_clients
      WHERE tenant_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)`,
    [tenantId, now],
  );
  return rows[0]!.valid;
}

/** A count that is read after this lock includes everything that was committed under it. */
export async function lockCount(tx: Tx, counted: string, owner: string): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`${counted}\u0001${owner}`]);
}

function limitReached(
  tenant: TenantRow | null,
  resource: 'api_keys' | 'oauth_clients',
  limit: number,
  current: number,
): CairnError {
  const plan = tenant?.plan ?? '';
  const what = resource === 'api_keys' ? 'API keys' : 'OAuth clients';
  return new CairnError('plan_limit_reached', `The plan ${plan} allows ${limit} ${what}.`, {
    upgrade: {
      resource,
      limit,
      current,
      plan,
      suggested_plan: tenant?.suggested_plan ?? null,
      upgrade_url: tenant?.upgrade_url ?? null,
      note: NOTE,
    },
  });
}
