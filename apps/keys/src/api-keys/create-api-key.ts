import type * as operations from '@cairn/contracts';
import { encodeEvent, newId, type TenancyService } from '@cairn/contracts';
import { CairnError, validationFailed } from '@cairn/errors';
import { appendToOutbox, type Database, idempotent, type Tx } from '@cairn/postgres';
import type { RequestContext, JsonResponse, RpcClient } from '@cairn/service-kit';
import { generateKey } from '@cairn/identity';
import { assertMayDelegate, lockCreator } from '../credentials/calling-key.ts';
import { insertKey, type KeyRow } from '../credentials/key-store.ts';
import { type KeyTenant, planKey } from './plan-key.ts';
import { assertKeyLimit } from '../credentials/plan-limits.ts';
import { presentKey } from './present-key.ts';
import { findTenant, findTestTenant } from '../tenants/tenant-store.ts';

export interface CreateApiKeyDeps {
  database: Database;
  tenancy: RpcClient<typeof TenancyService>;
  now: () => Date;
}

/** Creates a key below the caller's own. The plaintext is in the response and nowhere else. */
export async function createApiKey(
  deps: CreateApiKeyDeps,
  context: RequestContext<typeof operations.createApiKey>,
): Promise<JsonResponse<typeof operations.createApiKey>> {
  const { identity, body } = context;
  assertMayDelegate(identity);
  await assertTargetExists(deps, context);
  const response = await deps.database.withTenant(identity.tenantId, (tx) =>
    idempotent(
      tx,
      {
        caller: identity,
        operation: 'createApiKey',
        key: context.idempotencyKey,
        request: body,
        secretFields: ['api_key'],
      },
      async () => ({ status: 201, body: await mintBelow(tx, deps, context) }),
    ),
  );
  return response as JsonResponse<typeof operations.createApiKey>;
}

/**
 * Throws `not_found` for a memory or space that the caller's tenant does not have, `validation_failed` for a space of
 * another memory.
 */
async function assertTargetExists(
  deps: CreateApiKeyDeps,
  context: RequestContext<typeof operations.createApiKey>,
): Promise<void> {
  const { memory_id: memoryId, space_id: spaceId } = context.body;
  // Whatever else is wrong with them is reported when the request is checked as a whole.
  if (memoryId === undefined) return;
  const asCaller = { onBehalfOf: context.identityToken, signal: context.signal };
  if (spaceId === undefined) {
    await deps.tenancy.getMemory({ memoryId }, asCaller);
    return;
  }
  const { memory } = await deps.tenancy.getSpace({ spaceId }, asCaller);
  if (memory?.memoryId !== memoryId)
    throw validationFailed([{ path: 'space_id', message: 'is not a space of this memory' }]);
}

async function mintBelow(tx: Tx, deps: CreateApiKeyDeps, context: RequestContext<typeof operations.createApiKey>) {
  const { identity, body } = context;
  const { caller: parent } = await lockCreator(tx, identity.keyId, deps.now());
  const home = await homeOf(tx, parent, body.type);
  const planned = planKey(
    parent,
    {
      type: body.type,
      scopes: body.scopes,
      app_permissions: body.app_permissions,
      ip_allowlist: body.ip_allowlist,
      expires_at: body.expires_at === undefined ? null : new Date(body.expires_at),
      memory_id: body.memory_id,
      space_id: body.space_id,
      rate_limit: body.rate_limit,
    },
    home,
    deps.now(),
  );
  await assertKeyLimit(tx, home.tenantId, deps.now());
  const key = generateKey(body.type);
  const row = await insertKey(tx, {
    ...planned,
    key_id: newId('key'),
    name: body.name,
    prefix: key.prefix,
    sha256: key.sha256,
    parent_key_id: parent.key_id,
    rotated_from: null,
    rotated_by: null,
  });
  await appendToOutbox(
    tx,
    encodeEvent(
      'keyCreated',
      { tenantId: identity.tenantId, livemode: identity.livemode },
      { keyId: row.key_id, kind: row.kind },
    ),
  );
  return { ...presentKey(row), api_key: key.plaintext };
}

/** The tenant a key of this type acts in: the test tenant for test keys, else the parent's own. */
async function homeOf(tx: Tx, parent: KeyRow, type: KeyRow['kind']): Promise<KeyTenant> {
  if (type !== 'test' || !parent.livemode) return { tenantId: parent.tenant_id, livemode: parent.livemode };
  const own = await findTenant(tx, parent.tenant_id);
  const testTenant = own === null ? null : await findTestTenant(tx, own.tenant_id);
  if (testTenant === null) throw new CairnError('unavailable', 'The test environment of this tenant is not ready yet.');
  return { tenantId: testTenant.tenant_id, livemode: false };
}
