import type { revokeApiKey } from '@cairn/contracts';
import type { Database } from '@cairn/postgres';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import type { Narrow } from './narrow/narrow.ts';
import { revokeKey } from './narrow/revoke.ts';

/** Revokes a key of the tenant, the caller's own too; a repeat passes the same way and gives the same answer. */
export async function revokeTenantKey(
  parts: { narrow: Narrow; database: Database; now: () => Date },
  { identity, params }: Call<typeof revokeApiKey>,
): Promise<JsonAnswer<typeof revokeApiKey>> {
  const revokedAt = await revokeKey(
    parts,
    {
      transact: (work) => parts.database.withTenant(identity.tenantId, work),
      about: { tenantId: identity.tenantId, livemode: identity.livemode },
    },
    params.key_id,
  );
  return { body: { key_id: params.key_id, revoked: true, revoked_at: revokedAt.toISOString() } };
}
