import { CairnError } from '@cairn/errors';
import { type Identity, mayDelegate } from '@cairn/identity';
import type { Tx } from '@cairn/postgres';
import { stateOf } from './key-state.ts';
import { findKey, type KeyRow, lockKeys } from './key-store.ts';
import { holdLineages } from './lineage.ts';

/** Refuses credentials that may never pass on what they hold. */
export function assertMayDelegate({ kind }: Pick<Identity, 'kind'>): void {
  if (mayDelegate(kind)) return;
  if (kind === 'memory') throw new CairnError('memory_not_permitted', 'Not permitted with a memory key.');
  throw new CairnError('permission_denied', 'Not permitted with an OAuth token; use a ck_ key.');
}

/** The stored key of the caller, which is what it holds; throws when it is no longer good, though its token still is. */
export function assertGood(key: KeyRow | null | undefined, now: Date): KeyRow {
  const state = key == null ? 'revoked' : stateOf(key, now);
  if (state === 'revoked') throw new CairnError('credential_revoked', 'The calling key was revoked.');
  if (state === 'expired') throw new CairnError('credential_expired', 'The calling key has expired.');
  return key!;
}

/**
 * Locks the calling key, and `others` with it, for a transaction that creates a credential on its authority: a key that
 * is being revoked gets no descendants unseen.
 */
export async function lockCreator(
  tx: Tx,
  callerId: string,
  now: Date,
  others: readonly string[] = [],
): Promise<{ caller: KeyRow; locked: Map<string, KeyRow> }> {
  const known = assertGood(await findKey(tx, callerId), now);
  await holdLineages(tx, known.owner_tenant_id, 'open');
  const locked = await lockKeys(tx, [callerId, ...others]);
  const caller = assertGood(locked.get(callerId), now);
  if (caller.closing_since !== null) throw new CairnError('credential_revoked', 'The calling key is being revoked.');
  return { caller, locked };
}
