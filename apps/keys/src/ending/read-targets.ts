import { ROLE_SCOPES } from '@cairn/contracts';
import type { Capability } from '@cairn/identity';
import type { Tx } from '@cairn/postgres';
import type { AppRow } from '../credentials/app-store.ts';
import { capabilityOfClient, capabilityOfKey } from '../credentials/coverage.ts';
import type { InvitationRow } from '../credentials/invitation-store.ts';
import { type KeyRow, listKeyRows } from '../credentials/key-store.ts';
import { type ClientRow, findClients } from '../credentials/oauth-store.ts';
import type { SessionRow } from '../credentials/session-store.ts';
import { statusOf } from '../credentials/invitation-status.ts';
import { type Ancestry, peopleByKey, readAncestry } from './ancestry.ts';
import type { Person, Target } from './judge-ending.ts';
import { peopleAmong } from './read-ending-caller.ts';

/**
 * What is to end. Sessions, apps and open invitations of a key or member act on its authority, and so do the tokens of a
 * client: they end with it and are not judged apart from it.
 */
export interface EndingSet {
  /** Keys and members. */
  keyIds?: readonly string[];
  clientIds?: readonly string[];
  session?: SessionRow;
  app?: AppRow;
  invitations?: readonly InvitationRow[];
}

/** Those of the set that have not ended and whose end is not decided yet, with what the decision depends on. */
export async function readTargets(tx: Tx, set: EndingSet, now: Date): Promise<Target[]> {
  const { keyIds = [], session, app } = set;
  const clients = await findClients(tx, set.clientIds ?? []);
  const others = [session?.key_id, app?.key_id, ...clients.map((client) => client.parent_key_id)];
  const keys = await listKeyRows(tx, [...keyIds, ...others.filter((id) => id !== undefined)]);
  // An expired one cannot be accepted, so withdrawing it takes nothing from anybody.
  const invitations = (set.invitations ?? []).filter((row) => statusOf(row, now) === 'open');
  return targetsOf({ ...set, clients, invitations, keys }, await readAncestry(tx, [...keys.keys()]));
}

/** The set with its rows, of invitations the open ones, and the rows of the keys that it is about. */
type LoadedSet = Omit<EndingSet, 'clientIds'> & {
  clients: readonly ClientRow[];
  keys: ReadonlyMap<string, KeyRow>;
};

export function targetsOf(
  { keyIds = [], clients, session, app, invitations = [], keys }: LoadedSet,
  descent: Ancestry,
): Target[] {
  const people = peopleByKey(descent);
  const behind = (keyId: string): Person[] => peopleAmong(descent, people.get(keyId) ?? []);
  const live = (keyId: string) => {
    const key = keys.get(keyId);
    return key === undefined || key.revoked_at !== null || key.closing_since !== null ? [] : [key];
  };
  const targetOf = (key: KeyRow) => targetOfKey(key, behind(key.key_id));
  return [
    ...keyIds.flatMap(live).map(targetOf),
    ...clients
      .filter(isOpen)
      .map((client) => targetOfClient(client, keys.get(client.parent_key_id), behind(client.parent_key_id))),
    ...[session]
      .filter((row) => row !== undefined)
      .filter(isOpen)
      .flatMap((row) => live(row.key_id).map((key) => ({ ...targetOf(key), id: row.session_id }))),
    ...[app]
      .filter((row) => row !== undefined)
      .filter(isOpen)
      .flatMap((row) => live(row.key_id).map((key) => targetOfApp(row, key, behind(key.key_id)))),
    ...invitations.map(targetOfInvitation),
  ];
}

function isOpen({ revoked_at }: { revoked_at: Date | null }): boolean {
  return revoked_at === null;
}

/** A key or a member; a session holds what it stands for. */
function targetOfKey(key: KeyRow, people: readonly Person[]): Target {
  return {
    id: key.key_id,
    of: key.kind === 'member' ? 'person' : 'program',
    holderId: key.key_id,
    capability: capabilityOfKey(key),
    people,
  };
}

function targetOfClient(client: ClientRow, parent: KeyRow | undefined, people: readonly Person[]): Target {
  return {
    id: client.client_id,
    of: 'program',
    holderId: client.client_id,
    capability: capabilityOfClient(client, parent?.owner_tenant_id ?? client.tenant_id),
    people,
  };
}

function targetOfApp(app: AppRow, key: KeyRow, people: readonly Person[]): Target {
  const { scopes, memory_id, space_id } = app;
  return {
    id: app.app_id,
    of: 'program',
    holderId: key.key_id,
    capability: capabilityOfKey({ ...key, kind: 'memory', scopes, memory_id, space_id }),
    people,
  };
}

/** Whoever may make somebody a member with the role may also withdraw that. */
function targetOfInvitation({ invitation_id, invited_by, tenant_id, role }: InvitationRow): Target {
  return {
    id: invitation_id,
    of: 'person',
    holderId: invited_by,
    capability: capabilityOfRole(tenant_id, ROLE_SCOPES[role]),
    people: [],
  };
}

function capabilityOfRole(tenantId: string, scopes: Capability['scopes']): Capability {
  return {
    tenantId,
    ownerTenantId: tenantId,
    livemode: true,
    kind: 'member',
    scopes,
    appPermissions: {},
    memoryId: null,
    spaceId: null,
    ipAllowlist: [],
    requestsPerSecond: null,
    burst: null,
    expiresAt: null,
    expiresBy: null,
  };
}
