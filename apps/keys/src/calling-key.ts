import { CairnError } from '@cairn/errors';
import type { Identity } from '@cairn/identity';
import { stateOf } from './key-state.ts';
import type { KeyRow } from './key-store.ts';

/** Refuses credentials that can never pass on what they hold: what they hold is not their own to give. */
export function assertMayGiveAtAll(identity: Pick<Identity, 'kind'>): void {
  if (identity.kind === 'memory') throw new CairnError('memory_not_permitted', 'A memory key cannot do this.');
  if (identity.kind === 'oauth')
    throw new CairnError('permission_denied', 'An OAuth token cannot do this; use a ck_ key.');
}

/** The stored key of whoever calls, which is what it holds; throws when it is good no longer, though its token still is. */
export function assertGood(key: KeyRow | null | undefined, now: Date): KeyRow {
  const state = key == null ? 'revoked' : stateOf(key, now);
  if (state === 'revoked') throw new CairnError('credential_revoked', 'The calling key was revoked.');
  if (state === 'expired') throw new CairnError('credential_expired', 'The calling key has expired.');
  return key!;
}
