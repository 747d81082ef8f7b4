import type * as operations from '@cairn/contracts';
import { encodeEvent, newId } from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import { generateKey } from '@cairn/identity';
import { appendToOutbox, type Database, idempotent, type Tx } from '@cairn/postgres';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import { assertMayDelegate, lockCreator } from '../credentials/calling-key.ts';
import { assertCovered, capabilityOfKey } from '../credentials/coverage.ts';
import { stateOf } from '../credentials/credential-state.ts';
import { insertKey, isApiKey, type KeyRow, lineageOf } from '../credentials/key-store.ts';
import { assertMayEndKey } from '../ending/assert-may-end-key.ts';
import type { Invalidate } from '../invalidation/invalidate.ts';
import { revokeKey } from '../invalidation/revoke-key.ts';
import { assertKeyLimit } from '../credentials/plan-limits.ts';
import { presentKey } from './present-key.ts';

interface RotateDeps {
  invalidate: Invalidate;
  database: Database;
  workerDatabase: Database;
  now: () => Date;
}

/**
 * Replaces a key by one with the same rights and the same expiry. The replacement and the time at which the original
 * ends are committed together; the original then ends by revocation: here when it is due at once, else by
 * `revokeDueKeys`.
 */
export async function rotateApiKey(
  deps: RotateDeps,
  context: RequestContext<typeof operations.rotateApiKey>,
): Promise<JsonResponse<typeof operations.rotateApiKey>> {
  const { identity, params, body } = context;
  assertMayDelegate(identity);
  // The original ends when the overlap does.
  await assertMayEndKey(deps, identity, params.key_id);
  const response = (await deps.database.withTenant(identity.tenantId, (tx) =>
    idempotent(
      tx,
      {
        caller: identity,
        operation: 'rotateApiKey',
        key: context.idempotencyKey,
        request: { ...params, ...body },
        secretFields: ['api_key'],
      },
      async () => ({ status: 201, body: await replaceKey(tx, deps, context) }),
    ),
  )) as JsonResponse<typeof operations.rotateApiKey>;
  const { key_id: originalId, revokes_at: due } = response.body.rotated_from;
  if (new Date(due) <= deps.now()) {
    const transact = <T>(work: (tx: Tx) => Promise<T>) => deps.database.withTenant(identity.tenantId, work);
    await revokeKey(
      deps,
      { transact, eventScope: { tenantId: identity.tenantId, livemode: identity.livemode } },
      originalId,
    );
  }
  return response;
}

async function replaceKey(
  tx: Tx,
  deps: RotateDeps,
  { identity, params, body }: RequestContext<typeof operations.rotateApiKey>,
) {
  const now = deps.now();
  const { caller, locked } = await lockCreator(tx, identity.keyId, now, [params.key_id]);
  const original = locked.get(params.key_id);
  if (original === undefined || !isApiKey(original)) throw notFound('The key');
  assertRotatable(caller, original, now);
  await assertEndsWithCaller(tx, caller, original);
  await assertKeyLimit(tx, original.tenant_id, now, {
    again: original.revokes_at !== null,
    immediate: body.overlap_seconds === 0,
  });
  const key = generateKey(original.kind);
  const row = await insertKey(tx, {
    ...original,
    key_id: newId('key'),
    prefix: key.prefix,
    sha256: key.sha256,
    rotated_from: original.key_id,
    rotated_by: caller.key_id,
  });
  const revokesAt = await endOriginal(tx, original.key_id, new Date(now.getTime() + body.overlap_seconds * 1_000));
  await appendToOutbox(
    tx,
    encodeEvent(
      'keyCreated',
      { tenantId: identity.tenantId, livemode: identity.livemode },
      { keyId: row.key_id, kind: row.kind },
    ),
  );
  return {
    ...presentKey(row),
    api_key: key.plaintext,
    rotated_from: {
      key_id: original.key_id,
      rotated_by: caller.key_id,
      revokes_at: revokesAt.toISOString(),
    },
  };
}

const NOT_ROTATABLE = { revoked: 'was revoked', expired: 'has expired' } as const;

/** Whoever rotates a key receives one with the same rights, so the caller must hold all of them itself. */
export function assertRotatable(caller: KeyRow, original: KeyRow, now: Date): void {
  const state = original.closing_since === null ? stateOf(original, now) : 'revoked';
  if (state !== 'valid') throw new CairnError('conflict', `The key ${NOT_ROTATABLE[state]}; make a new one.`);
  assertCovered(caller, capabilityOfKey(original));
}

/**
 * Whatever an ephemeral key obtains must end with it, so it rotates nothing but itself and what was minted below it.
 */
async function assertEndsWithCaller(tx: Tx, caller: KeyRow, original: KeyRow): Promise<void> {
  if (caller.expires_by === null) return;
  if (!(await lineageOf(tx, caller.key_id)).includes(original.key_id))
    throw new CairnError('permission_denied', 'An ephemeral key rotates itself and the keys it minted only.');
}

/** A key that was rotated before ends at the earlier of both times: a rotation never extends a key. */
async function endOriginal(tx: Tx, keyId: string, at: Date): Promise<Date> {
  const rows = await tx.query<{ revokes_at: Date }>(
    'UPDATE api_keys SET revokes_at = least(revokes_at, $2) WHERE key_id = $1 RETURNING revokes_at',
    [keyId, at],
  );
  return rows[0]!.revokes_at;
}
