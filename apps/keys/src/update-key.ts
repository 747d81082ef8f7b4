import type { updateApiKey } from '@cairn/contracts';
import { CairnError, type FieldError, notFound, validationFailed } from '@cairn/errors';
import type { Database, Tx } from '@cairn/postgres';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { assertGood, assertMayGiveAtAll } from './calling-key.ts';
import { stateOf } from './key-state.ts';
import { findKey, type KeyRow } from './key-store.ts';
import { type Change, restrictKey } from './narrow/restrict.ts';
import type { Narrow } from './narrow/narrow.ts';
import { rangeErrors, scopeErrors } from './narrowing.ts';
import { presentKey } from './present-key.ts';
import { assertMayGive, type Powers } from './widening.ts';

/** Changes the name and the restrictions of a key; what it gains, the calling key must hold itself. */
export async function updateKey(
  parts: { narrow: Narrow; database: Database; now: () => Date },
  call: Call<typeof updateApiKey>,
): Promise<JsonAnswer<typeof updateApiKey>> {
  const { identity } = call;
  assertMayGiveAtAll(identity);
  const changed = await restrictKey(parts.narrow, (work) => parts.database.withTenant(identity.tenantId, work), {
    holding: [identity.keyId],
    decide: (tx) => decide(tx, call, parts.now()),
  });
  return { body: presentKey(changed) };
}

async function decide(tx: Tx, { identity, params, body }: Call<typeof updateApiKey>, now: Date): Promise<Change> {
  const caller = assertGood(await findKey(tx, identity.keyId), now);
  const key = await findKey(tx, params.key_id);
  if (key === null) throw notFound('The key');
  if (stateOf(key, now) === 'revoked') throw new CairnError('conflict', 'The key was revoked and stays as it is.');
  const powers: Powers = {
    scopes: body.scopes === undefined ? key.scopes : [...new Set(body.scopes)],
    app_permissions: body.app_permissions ?? key.app_permissions,
    ip_allowlist: body.ip_allowlist ?? key.ip_allowlist,
    expires_at: body.expires_at === undefined ? key.expires_at : dateOf(body.expires_at),
    requests_per_second:
      body.rate_limit === undefined ? key.requests_per_second : (body.rate_limit?.requests_per_second ?? null),
    burst: body.rate_limit === undefined ? key.burst : (body.rate_limit?.burst ?? null),
  };
  assertPossible(key, body, powers, now);
  assertMayGive(caller, powers, key);
  return { key, name: body.name ?? key.name, powers };
}

/** Says every way in which no caller could have it so. */
function assertPossible(key: KeyRow, body: Call<typeof updateApiKey>['body'], powers: Powers, now: Date): void {
  const errors: FieldError[] = [...rangeErrors(body.ip_allowlist ?? []), ...scopeErrors(key.kind, body.scopes ?? [])];
  if (body.expires_at !== undefined) {
    const { expires_at: end } = powers;
    if (end !== null && end <= now) errors.push({ path: 'expires_at', message: 'lies in the past' });
    if (key.expires_by !== null && (end === null || end > key.expires_by))
      errors.push({ path: 'expires_at', message: `may be at most ${key.expires_by.toISOString()}` });
  }
  if (errors.length > 0) throw validationFailed(errors);
}

function dateOf(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}
