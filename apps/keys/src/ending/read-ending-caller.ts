import { CairnError } from '@cairn/errors';
import type { Capability, Identity } from '@cairn/identity';
import type { Tx } from '@cairn/postgres';
import { assertValid } from '../credentials/calling-key.ts';
import { capabilityOfClient, capabilityOfKey } from '../credentials/coverage.ts';
import { stateOf } from '../credentials/credential-state.ts';
import { findKey, type KeyRow } from '../credentials/key-store.ts';
import { findClient } from '../credentials/oauth-store.ts';
import { type Ancestry, originsOf, readAncestry } from './ancestry.ts';
import type { EndingCaller, Person } from './judge-ending.ts';

/**
 * The caller with what is stored of it, whose rights count; throws when it is no longer valid, though its identity token
 * still is.
 */
export async function readEndingCaller(tx: Tx, identity: Identity, now: Date): Promise<EndingCaller> {
  const caller = await readCaller(tx, identity, now);
  return endingCallerOf(identity, caller, await readAncestry(tx, [caller.originId]));
}

interface StoredCaller {
  capability: Capability;
  ownId: string;
  /** Where its descent begins: itself, or the key that created the OAuth client. */
  originId: string;
}

export function endingCallerOf(
  { kind, memoryId, spaceId, scopes }: Pick<Identity, 'kind' | 'memoryId' | 'spaceId' | 'scopes'>,
  { capability, ownId, originId }: StoredCaller,
  descent: Ancestry,
): EndingCaller {
  const origins = originsOf(descent, originId);
  const people = peopleAmong(descent, origins);
  return {
    id: ownId,
    // A token or a connected app may hold less than its client or its member.
    capability: {
      ...capability,
      kind,
      memoryId,
      spaceId,
      scopes: capability.scopes.filter((scope) => scopes.includes(scope)),
    },
    ancestorIds: new Set([...origins].filter((id) => id !== ownId)),
    people,
  };
}

async function readCaller(tx: Tx, { kind, keyId }: Identity, now: Date): Promise<StoredCaller> {
  if (kind !== 'oauth') {
    const key = assertValid(await findKey(tx, keyId), now);
    if (key.closing_since !== null) throw new CairnError('credential_revoked', 'The calling key is being revoked.');
    return { capability: capabilityOfKey(key), originId: keyId, ownId: keyId };
  }
  const client = await findClient(tx, keyId);
  const parent = client === null ? null : await findKey(tx, client.parent_key_id);
  if (client === null || stateOf(client, now) !== 'valid')
    throw new CairnError('credential_revoked', 'The OAuth client was revoked.');
  const ownerTenantId = parent?.owner_tenant_id ?? client.tenant_id;
  return { capability: capabilityOfClient(client, ownerTenantId), originId: client.parent_key_id, ownId: keyId };
}

/** The members among the ids. */
export function peopleAmong({ members }: Pick<Ancestry, 'members'>, ids: Iterable<string>): Person[] {
  return [...ids].flatMap((id) => {
    const key: KeyRow | undefined = members.get(id);
    return key === undefined ? [] : [{ memberId: id, capability: capabilityOfKey(key) }];
  });
}
