import { type createOAuthClient, newId, OAUTH_CLIENT_SECRET_PREFIX } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { generateSecret } from '@cairn/identity';
import { type Database, idempotent, type Tx } from '@cairn/postgres';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { assertGood, assertMayGiveAtAll } from './calling-key.ts';
import { lockKeys } from './key-store.ts';
import { insertClient } from './oauth-store.ts';
import { assertRoomForClient } from './plan-limits.ts';
import { presentClient } from './present-client.ts';
import { assertMayGive } from './widening.ts';

/**
 * Makes an OAuth client below the calling key: it acts where the key acts, within the key's app permissions,
 * addresses, rate and lifetime. The secret is in the answer and nowhere else.
 */
export async function createClient(
  parts: { database: Database; now: () => Date },
  call: Call<typeof createOAuthClient>,
): Promise<JsonAnswer<typeof createOAuthClient>> {
  const { identity, body } = call;
  assertMayGiveAtAll(identity);
  const answer = await parts.database.withTenant(identity.tenantId, (tx) =>
    idempotent(
      tx,
      {
        tenantId: identity.tenantId,
        operation: 'createOAuthClient',
        key: call.idempotencyKey,
        request: body,
        secretFields: ['client_secret'],
      },
      async () => ({ status: 201, body: await makeBelow(tx, call, parts.now()) }),
    ),
  );
  return answer as JsonAnswer<typeof createOAuthClient>;
}

async function makeBelow(tx: Tx, { identity, body }: Call<typeof createOAuthClient>, now: Date) {
  const parent = assertGood((await lockKeys(tx, [identity.keyId])).get(identity.keyId), now);
  // A client would have to end with it, and with whatever it was minted below.
  if (parent.expires_by !== null)
    throw new CairnError(
      'permission_denied',
      'An ephemeral key, and what was minted below one, makes no OAuth clients.',
    );
  const scopes = [...new Set(body.scopes)];
  assertMayGive(parent, { ...parent, scopes }, null);
  await assertRoomForClient(tx, parent.tenant_id, now);
  const secret = generateSecret(OAUTH_CLIENT_SECRET_PREFIX);
  const row = await insertClient(tx, {
    tenant_id: parent.tenant_id,
    client_id: newId('oauthClient'),
    name: body.name,
    secret_sha256: secret.sha256,
    livemode: parent.livemode,
    scopes,
    app_permissions: parent.app_permissions,
    ip_allowlist: parent.ip_allowlist,
    requests_per_second: parent.requests_per_second,
    burst: parent.burst,
    parent_key_id: parent.key_id,
    expires_at: parent.expires_at,
  });
  return { ...presentClient(row), client_secret: secret.plaintext };
}
