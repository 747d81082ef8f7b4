import { type createApiKey, encodeEvent, newId, TenancyService } from '@cairn/contracts';
import { CairnError, validationFailed } from '@cairn/errors';
import { appendToOutbox, type Database, idempotent, type Tx } from '@cairn/postgres';
import type { Call, JsonAnswer, RpcClient } from '@cairn/service-kit';
import { generateKey } from '@cairn/identity';
import { assertMayDelegate, lockCreator } from './calling-key.ts';
import { insertKey, type KeyRow } from './key-store.ts';
import { type KeyHome, planKey } from './plan-key.ts';
import { assertRoomForKey } from './plan-limits.ts';
import { presentKey } from './present-key.ts';
import { findTenant, findTwin } from './tenant-store.ts';

export interface CreateKeyParts {
  database: Database;
  tenancy: RpcClient<typeof TenancyService>;
  now: () => Date;
}

/** Mints a key below the caller's own. The plaintext is in the answer and nowhere else. */
export async function createKey(
  parts: CreateKeyParts,
  call: Call<typeof createApiKey>,
): Promise<JsonAnswer<typeof createApiKey>> {
  const { identity, body } = call;
  assertMayDelegate(identity);
  await assertReachable(parts, call);
  const answer = await parts.database.withTenant(identity.tenantId, (tx) =>
    idempotent(
      tx,
      {
        caller: identity,
        operation: 'createApiKey',
        key: call.idempotencyKey,
        request: body,
        secretFields: ['api_key'],
      },
      async () => ({ status: 201, body: await mintBelow(tx, parts, call) }),
    ),
  );
  return answer as JsonAnswer<typeof createApiKey>;
}

/** Throws `not_found` for a memory or space that the caller's tenant does not have, `validation_failed` for a space of another memory. */
async function assertReachable(parts: CreateKeyParts, call: Call<typeof createApiKey>): Promise<void> {
  const { memory_id: memoryId, space_id: spaceId } = call.body;
  // Whatever else is wrong with them is said when the wish is judged as a whole.
  if (memoryId === undefined) return;
  const asCaller = { onBehalfOf: call.identityToken, signal: call.signal };
  if (spaceId === undefined) {
    await parts.tenancy.getMemory({ memoryId }, asCaller);
    return;
  }
  const { memory } = await parts.tenancy.getSpace({ spaceId }, asCaller);
  if (memory?.memoryId !== memoryId)
    throw validationFailed([{ path: 'space_id', message: 'is not a space of this memory' }]);
}

async function mintBelow(tx: Tx, parts: CreateKeyParts, call: Call<typeof createApiKey>) {
  const { identity, body } = call;
  const { caller: parent } = await lockCreator(tx, identity.keyId, parts.now());
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
    parts.now(),
  );
  await assertRoomForKey(tx, home.tenantId, parts.now());
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

/** The tenant a key of this type acts in: the twin for test keys, else the parent's own. */
async function homeOf(tx: Tx, parent: KeyRow, type: KeyRow['kind']): Promise<KeyHome> {
  if (type !== 'test' || !parent.livemode) return { tenantId: parent.tenant_id, livemode: parent.livemode };
  const own = await findTenant(tx, parent.tenant_id);
  const twin = own === null ? null : await findTwin(tx, own.tenant_id);
  if (twin === null) throw new CairnError('unavailable', 'The test environment of this tenant is not ready yet.');
  return { tenantId: twin.tenant_id, livemode: false };
}
