import type { revokeApiKey } from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { findKey } from './key-store.ts';
import type { Narrow } from './narrow/narrow.ts';
import { revokeLineage } from './narrow/revoke-lineage.ts';
import { revokeKey } from './narrow/revoke.ts';

interface RevokeKeyParts {
  narrow: Narrow;
  database: Database;
  workerDatabase: Database;
  now: () => Date;
}

/**
 * Revokes a key of the tenant, the caller's own too, and with `descendants` everything that came of it. A repeat passes
 * the same barriers and has the same answer.
 */
export async function revokeTenantKey(
  parts: RevokeKeyParts,
  { identity, params, query }: Call<typeof revokeApiKey>,
): Promise<JsonAnswer<typeof revokeApiKey>> {
  const { key_id } = params;
  if (query.descendants === true) {
    const key = await parts.database.withTenant(identity.tenantId, (tx) => findKey(tx, key_id));
    if (key === null) throw notFound('The key');
    const { revokedAt, lineage } = await revokeLineage(parts, key);
    const descendants = {
      api_keys: lineage.keyIds.filter((id) => id !== key_id),
      oauth_clients: lineage.clientIds,
    };
    return { body: { key_id, revoked: true, revoked_at: revokedAt.toISOString(), descendants } };
  }
  const revokedAt = await revokeKey(
    parts,
    {
      transact: (work) => parts.database.withTenant(identity.tenantId, work),
      about: { tenantId: identity.tenantId, livemode: identity.livemode },
    },
    key_id,
  );
  return { body: { key_id, revoked: true, revoked_at: revokedAt.toISOString() } };
}
