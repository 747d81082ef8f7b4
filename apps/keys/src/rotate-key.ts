import { encodeEvent, newId, type rotateApiKey } from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import { generateKey } from '@cairn/identity';
import { appendToOutbox, type Database, idempotent, type Tx } from '@cairn/postgres';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { assertMayDelegate, lockCreator } from './calling-key.ts';
import { assertCovered, capabilityOfKey } from './coverage.ts';
import { stateOf } from './key-state.ts';
import { insertKey, type KeyRow, lineageOf } from './key-store.ts';
import type { Narrow } from './narrow/narrow.ts';
import { revokeKey } from './narrow/revoke.ts';
import { assertRoomForKey } from './plan-limits.ts';
import { presentKey } from './present-key.ts';

/**
 * Replaces a key by one that may do the same until the same time. The replacement and the end of the original are
 * committed together; what ends the original then is the revocation, here when it is due at once, else by those that
 * are due.
 */
export async function rotateKey(
  parts: { narrow: Narrow; database: Database; now: () => Date },
  call: Call<typeof rotateApiKey>,
): Promise<JsonAnswer<typeof rotateApiKey>> {
  const { identity, params, body } = call;
  assertMayDelegate(identity);
  const answer = (await parts.database.withTenant(identity.tenantId, (tx) =>
    idempotent(
      tx,
      {
        caller: identity,
        operation: 'rotateApiKey',
        key: call.idempotencyKey,
        request: { ...params, ...body },
        secretFields: ['api_key'],
      },
      async () => ({ status: 201, body: await replace(tx, call, parts.now()) }),
    ),
  )) as JsonAnswer<typeof rotateApiKey>;
  const { key_id: originalId, revokes_at: due } = answer.body.rotated_from;
  if (new Date(due) <= parts.now()) {
    const transact = <T>(work: (tx: Tx) => Promise<T>) => parts.database.withTenant(identity.tenantId, work);
    await revokeKey(
      parts,
      { transact, about: { tenantId: identity.tenantId, livemode: identity.livemode } },
      originalId,
    );
  }
  return answer;
}

async function replace(tx: Tx, { identity, params, body }: Call<typeof rotateApiKey>, now: Date) {
  const { caller, locked } = await lockCreator(tx, identity.keyId, now, [params.key_id]);
  const original = locked.get(params.key_id);
  if (original === undefined) throw notFound('The key');
  assertRotatable(caller, original, now);
  await assertEndsWithCaller(tx, caller, original);

  await assertRoomForKey(tx, original.tenant_id, now, {
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

const WHY_NOT = { revoked: 'was revoked', expired: 'has expired' } as const;

/** Whoever rotates a key is given one that is as good, so it must hold all of that itself. */
export function assertRotatable(caller: KeyRow, original: KeyRow, now: Date): void {
  const state = original.closing_since === null ? stateOf(original, now) : 'revoked';
  if (state !== 'good') throw new CairnError('conflict', `The key ${WHY_NOT[state]}; make a new one.`);
  assertCovered(caller, capabilityOfKey(original));
}

/** What an ephemeral key gets hold of must end with it, so it replaces nothing but itself and what was minted below it. */
async function assertEndsWithCaller(tx: Tx, caller: KeyRow, original: KeyRow): Promise<void> {
  if (caller.expires_by === null) return;
  if (!(await lineageOf(tx, caller.key_id)).includes(original.key_id))
    throw new CairnError('permission_denied', 'An ephemeral key rotates itself and the keys it minted only.');
}

/** A key that was rotated before ends at the earlier of both times: a rotation never gives more time. */
async function endOriginal(tx: Tx, keyId: string, at: Date): Promise<Date> {
  const rows = await tx.query<{ revokes_at: Date }>(
    'UPDATE api_keys SET revokes_at = least(revokes_at, $2) WHERE key_id = $1 RETURNING revokes_at',
    [keyId, at],
  );
  return rows[0]!.revokes_at;
}
