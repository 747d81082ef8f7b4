import type * as operations from '@cairn/contracts';
import { encodeEvent, newId, OAUTH_CLIENT_SECRET_PREFIX, type Scope } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { generateSecret } from '@cairn/identity';
import { appendToOutbox, type Database, idempotent, type Tx } from '@cairn/postgres';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import { assertMayDelegate, lockCreator } from '../credentials/calling-key.ts';
import { assertCovered, capabilityOfClient, type ClientCapability } from '../credentials/coverage.ts';
import type { KeyRow } from '../credentials/key-store.ts';
import { insertClient } from '../credentials/oauth-store.ts';
import { assertClientLimit } from '../credentials/plan-limits.ts';
import { presentClient } from './present-client.ts';

/**
 * Creates an OAuth client below the calling key: it acts where the key acts, within the key's app permissions,
 * addresses, rate and lifetime. The secret is in the response and nowhere else.
 */
export async function createOAuthClient(
  deps: { database: Database; now: () => Date },
  context: RequestContext<typeof operations.createOAuthClient>,
): Promise<JsonResponse<typeof operations.createOAuthClient>> {
  const { identity, body } = context;
  assertMayDelegate(identity);
  const response = await deps.database.withTenant(identity.tenantId, (tx) =>
    idempotent(
      tx,
      {
        caller: identity,
        operation: 'createOAuthClient',
        key: context.idempotencyKey,
        request: body,
        secretFields: ['client_secret'],
      },
      async () => ({ status: 201, body: await insertBelow(tx, context, deps.now()) }),
    ),
  );
  return response as JsonResponse<typeof operations.createOAuthClient>;
}

async function insertBelow(tx: Tx, { identity, body }: RequestContext<typeof operations.createOAuthClient>, now: Date) {
  const { caller } = await lockCreator(tx, identity.keyId, now);
  const planned = planClient(caller, body.scopes);
  await assertClientLimit(tx, caller.tenant_id, now);
  const secret = generateSecret(OAUTH_CLIENT_SECRET_PREFIX);
  const row = await insertClient(tx, {
    ...planned,
    client_id: newId('oauthClient'),
    name: body.name,
    secret_sha256: secret.sha256,
    parent_key_id: caller.key_id,
  });
  const scope = { tenantId: row.tenant_id, livemode: row.livemode };
  await appendToOutbox(tx, encodeEvent('keyCreated', scope, { keyId: row.client_id, kind: 'oauth' }));
  return { ...presentClient(row), client_secret: secret.plaintext };
}

/** The rights of a client below the key. Throws `permission_denied` for scopes that the key does not hold. */
export function planClient(parent: KeyRow, scopes: readonly Scope[]): ClientCapability {
  // A client would have to end with it, and with whatever it was minted below.
  if (parent.expires_by !== null)
    throw new CairnError(
      'permission_denied',
      'An ephemeral key, and what was minted below one, cannot create OAuth clients.',
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
