import { CairnError } from '@cairn/errors';
import { type Identity, mayDelegate } from '@cairn/identity';
import type { Tx } from '@cairn/postgres';
import { stateOf } from './credential-state.ts';
import { findKey, type KeyRow, lockKeys } from './key-store.ts';
import { lockLineages } from './lineage.ts';

/** Throws for credentials that may never delegate their rights. */
export function assertMayDelegate({ kind }: Pick<Identity, 'kind'>): void {
  if (mayDelegate(kind)) return;
  if (kind === 'memory') throw new CairnError('memory_not_permitted', 'Not permitted with a memory key.');
  throw new CairnError('permission_denied', 'Not permitted with an OAuth token; use a ck_ key.');
}

/**
 * The stored key of the caller, whose rights count; throws when it is no longer valid, though its identity token still
 * is.
 */
export function assertValid(key: KeyRow | null | undefined, now: Date): KeyRow {
  const state = key == null ? 'revoked' : stateOf(key, now);
  if (state === 'revoked') throw new CairnError('credential_revoked', 'The calling key was revoked.');
  if (state === 'expired') throw new CairnError('credential_expired', 'The calling key has expired.');
  return key!;
}

/**
 * Locks the calling key, and `others` with it, for a transaction that creates a credential on its authority, so that a
 * key that is being revoked gets no descendants unnoticed.
 */
export async function lockCreator(
  tx: Tx,
  callerId: string,
  now: Date,
  others: readonly string[] = [],
): Promise<{ caller: KeyRow; locked: Map<string, KeyRow> }> {
  const known = assertValid(await findKey(tx, callerId), now);
  await lockLineages(tx, known.owner_tenant_id, 'shared');
  const locked = await lockKeys(tx, [callerId, ...others]);
  const caller = assertValid(locked.get(callerId), now);
  if (caller.closing_since !== null) throw new CairnError('credential_revoked', 'The calling key is being revoked.');
  return { caller, locked };
}
