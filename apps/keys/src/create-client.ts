import { type createOAuthClient, newId, OAUTH_CLIENT_SECRET_PREFIX, type Scope } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { generateSecret } from '@cairn/identity';
import { type Database, idempotent, type Tx } from '@cairn/postgres';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { assertMayDelegate, lockCreator } from './calling-key.ts';
import { assertCovered, capabilityOfClient, type ClientCapability } from './coverage.ts';
import type { KeyRow } from './key-store.ts';
import { insertClient } from './oauth-store.ts';
import { assertRoomForClient } from './plan-limits.ts';
import { presentClient } from './present-client.ts';

/**
 * Makes an OAuth client below the calling key: it acts where the key acts, within the key's app permissions,
 * addresses, rate and lifetime. The secret is in the answer and nowhere else.
 */
export async function createClient(
  parts: { database: Database; now: () => Date },
  call: Call<typeof createOAuthClient>,
): Promise<JsonAnswer<typeof createOAuthClient>> {
  const { identity, body } = call;
  assertMayDelegate(identity);
  const answer = await parts.database.withTenant(identity.tenantId, (tx) =>
    idempotent(
      tx,
      {
        caller: identity,
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
  const { caller } = await lockCreator(tx, identity.keyId, now);
  const planned = planClient(caller, body.scopes);
  await assertRoomForClient(tx, caller.tenant_id, now);
  const secret = generateSecret(OAUTH_CLIENT_SECRET_PREFIX);
  const row = await insertClient(tx, {
    ...planned,
    client_id: newId('oauthClient'),
    name: body.name,
    secret_sha256: secret.sha256,
    parent_key_id: caller.key_id,
  });
  return { ...presentClient(row), client_secret: secret.plaintext };
}

/** What a client below the key is good for. Throws `permission_denied` for scopes that the key does not hold. */
export function planClient(parent: KeyRow, scopes: readonly Scope[]): ClientCapability {
  // A client would have to end with it, and with whatever it was minted below.
  if (parent.expires_by !== null)
    throw new CairnError(
      'permission_denied',
      'An ephemeral key, and what was minted below one, makes no OAuth clients.',
    );
  const planned: ClientCapability = {
    tenant_id: parent.tenant_id,
    livemode: parent.livemode,
    scopes: [...new Set(scopes)],
    app_permissions: parent.app_permissions,
    ip_allowlist: parent.ip_allowlist,
    requests_per_second: parent.requests_per_second,
    burst: parent.burst,
    expires_at: parent.expires_at,
  };
  assertCovered(parent, capabilityOfClient(planned, parent.owner_tenant_id));
  return planned;
}
