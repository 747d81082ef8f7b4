import {
  createOAuthClient,
  disconnectApp,
  endSession,
  type GuardedOperation,
  createApiKey,
  createInvitation,
  removeMember,
  revokeApiKey,
  revokeOAuthClient,
  ROLE_SCOPES,
  type Role,
  rotateApiKey,
  type Scope,
  SCOPES,
  updateApiKey,
  updateMember,
} from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { covers, missingPermission } from '@cairn/identity';
import { planChange } from '../../src/api-keys/plan-change.ts';
import { planKey } from '../../src/api-keys/plan-key.ts';
import { assertRotatable } from '../../src/api-keys/rotate-api-key.ts';
import type { AppRow } from '../../src/credentials/app-store.ts';
import { capabilityOfKey } from '../../src/credentials/coverage.ts';
import type { ApiKeyRow, KeyRow } from '../../src/credentials/key-store.ts';
import type { SessionRow } from '../../src/credentials/session-store.ts';
import { assertMayGrant, memberKey } from '../../src/members/member-key.ts';
import { planClient } from '../../src/oauth/create-oauth-client.ts';
import { endedAlone, endedTogether, finish, judge, note } from './judgement.ts';
import { dragged, type Thing } from './oracle.ts';
import type { Step } from './steps.ts';
import {
  type Actor,
  addKey,
  BLANK,
  type Guard,
  nameOf,
  newThing,
  NOW,
  ownersOf,
  refused,
  type Row,
  TENANT,
  thingsOf,
  type World,
} from './world.ts';

/** With what every connected app must hold. */
const APP_SCOPES: Scope[] = ['memory:search', 'spaces:read'];

/** Plays a sequence on the shipped decisions, without a database; returns how the promise was broken. */
export function simulate(steps: readonly Step[], without: ReadonlySet<Guard> = new Set()): string[] {
  const world = newWorld(without);
  for (const step of steps) {
    perform(world, step);
    if (world.broken.length > 0) break;
  }
  return world.broken;
}

/** The first key and those whom it invited, one of whom holds less today than somebody who came of that person. */
export function newWorld(without: ReadonlySet<Guard> = new Set()): World {
  const world: World = { rows: [], without, broken: [] };
  const first = addKey(world, 'key', { ...BLANK, scopes: [...SCOPES], kind: 'live', key_id: 'key_0' }, []);
  for (const role of ['owner', 'developer', 'admin'] as const) join(world, first, role);
  const [, formerOwner] = world.rows as [Row, Extract<Row, { sort: 'member' }>];
  join(world, formerOwner, 'owner');
  setRole(formerOwner, 'admin');
  return world;
}

/** True when the step was let through. */
export function perform(world: World, step: Step): boolean {
  const owned = ownersOf(world) > 0;
  try {
    play(world, step);
  } catch (error) {
    if (error instanceof CairnError && error.code !== 'internal') return false;
    throw error;
  }
  if (owned && ownersOf(world) === 0) world.broken.push('no owner is left');
  return true;
}

function play(world: World, step: Step): void {
  switch (step.do) {
    case 'mint':
      return mint(world, actorOf(world, step.actor, createApiKey), step);
    case 'invite':
      return void join(world, actorOf(world, step.actor, createInvitation), step.role);
    case 'change role':
      return changeRole(world, step);
    case 'restrict':
      return restrict(world, step);
    case 'rotate':
      return rotate(world, step);
    case 'create client':
      return createClient(world, actorOf(world, step.actor, createOAuthClient));
    case 'open session':
      return addAccess(world, 'session', actorOf(world, step.actor, null));
    case 'connect app':
      return addAccess(world, 'app', actorOf(world, step.actor, null));
    case 'revoke':
      return end(world, actorOf(world, step.actor, revokeApiKey, true), targetOf(world, step.target, 'key'), step);
    case 'remove':
      return end(world, actorOf(world, step.actor, removeMember), targetOf(world, step.target, 'member'), step);
    case 'end client':
      return end(world, actorOf(world, step.actor, revokeOAuthClient, true), targetOf(world, step.target, 'client'));
    case 'end session':
      return end(world, actorOf(world, step.actor, endSession, true), targetOf(world, step.target, 'session'));
    case 'disconnect app': {
      const app = targetOf(world, step.target, 'app');
      const actor = actorOf(world, step.actor, disconnectApp, true);
      if (app.thing.holder !== actor.thing && !actor.row.scopes.includes('oauth:write')) throw refused();
      return end(world, actor, app);
    }
  }
}

/** Whoever acts: a credential that has not ended and that the operation lets through. */
function actorOf(world: World, number: number, operation: GuardedOperation | null, alsoClients: true): Actor;
function actorOf(
  world: World,
  number: number,
  operation: GuardedOperation | null,
): Extract<Actor, { sort: 'key' | 'member' }>;
function actorOf(world: World, number: number, operation: GuardedOperation | null, alsoClients = false): Actor {
  const all = world.rows.filter((each) => each.sort === 'key' || each.sort === 'member' || each.sort === 'client');
  const actor = all[number % all.length]!;
  if (actor.thing.ended || (actor.sort === 'client' && !alsoClients)) throw refused();
  const held = { scopes: actor.row.scopes, appPermissions: actor.row.app_permissions };
  if (operation !== null && missingPermission(held, operation) !== null) throw refused();
  return actor;
}

function targetOf<Sort extends Row['sort']>(world: World, number: number, sort: Sort): Extract<Row, { sort: Sort }> {
  const all = world.rows.filter((each): each is Extract<Row, { sort: Sort }> => each.sort === sort);
  const target = all[number % Math.max(1, all.length)];
  if (target === undefined || target.thing.ended) throw refused();
  return target;
}

function mint(world: World, { row: parent, thing }: Actor, step: Extract<Step, { do: 'mint' }>): void {
  const planned = planKey(
    parent as KeyRow,
    {
      type: step.ephemeral ? 'ephemeral' : 'live',
      scopes: step.scopes ?? undefined,
      app_permissions: {},
      ip_allowlist: [],
      expires_at: null,
      memory_id: undefined,
      space_id: undefined,
      rate_limit: undefined,
    },
    { tenantId: TENANT, livemode: true },
    NOW,
  );
  const row = { ...BLANK, ...planned, key_id: nameOf(world, 'key'), parent_key_id: thing.id };
  addKey(world, 'key', row, [thing]).thing.mintedBelow = thing;
}

function join(world: World, { row: inviter, thing }: { row: KeyRow; thing: Thing }, role: Role) {
  assertMayGrant(inviter, role);
  const row = { ...BLANK, ...memberKey(inviter, { name: '', role }), key_id: nameOf(world, 'member') };
  return addKey(world, 'member', row, [thing], role);
}

function createClient(world: World, { row: parent, thing }: { row: KeyRow; thing: Thing }): void {
  const planned = planClient(parent, parent.scopes);
  const client = newThing(nameOf(world, 'client'), 'client', [thing]);
  client.scopes = planned.scopes;
  world.rows.push({
    sort: 'client',
    thing: client,
    row: {
      ...planned,
      client_id: client.id,
      name: '',
      secret_sha256: Buffer.alloc(0),
      parent_key_id: thing.id,
      created_at: NOW,
      last_used_at: null,
      usage_count: 0,
      revoked_at: null,
    },
  });
}

function addAccess(world: World, sort: 'session' | 'app', { row: key, thing: holder }: { row: KeyRow; thing: Thing }) {
  if (sort === 'app' && APP_SCOPES.some((scope) => !key.scopes.includes(scope))) throw refused();
  const thing = newThing(nameOf(world, sort), sort, [holder]);
  Object.assign(thing, { holder, scopes: APP_SCOPES, people: holder.people, isBrief: holder.isBrief });
  const row = { tenant_id: TENANT, key_id: holder.id, revoked_at: null };
  if (sort === 'session')
    world.rows.push({ sort, thing, row: { ...row, session_id: thing.id } as unknown as SessionRow });
  else {
    const bound = { scopes: APP_SCOPES, memory_id: 'mem_0', space_id: 'spc_0' };
    world.rows.push({ sort, thing, row: { ...row, ...bound, app_id: thing.id } as unknown as AppRow });
  }
}

function changeRole(world: World, step: Extract<Step, { do: 'change role' }>): void {
  const actor = actorOf(world, step.actor, updateMember);
  const target = targetOf(world, step.target, 'member');
  if (target.thing.role === step.role) throw refused();
  assertMayGrant(actor.row, step.role);
  judge(world, actor, [target], { alone: true, owners: true });
  note(world, actor.thing, target.thing, false);
  setRole(target, step.role);
}

function setRole({ thing, row }: { thing: Thing; row: KeyRow }, role: Role): void {
  thing.role = role;
  thing.scopes = row.scopes = [...ROLE_SCOPES[role]];
}

function restrict(world: World, step: Extract<Step, { do: 'restrict' }>): void {
  const actor = actorOf(world, step.actor, updateApiKey);
  const target = targetOf(world, step.target, 'key');
  const after = planChange(actor.row, target.row as ApiKeyRow, { scopes: step.scopes }, NOW);
  const reduces = !covers(capabilityOfKey(after), capabilityOfKey(target.row));
  if (reduces && !world.without.has('judgement of a restriction'))
    judge(world, actor, target.row.kind === 'ephemeral' ? endedAlone(world, target) : [target], { alone: true });
  if (reduces) note(world, actor.thing, target.thing, false);
  target.thing.scopes = target.row.scopes = after.scopes;
}

/** Without overlap, so that the original ends at once. */
function rotate(world: World, step: Extract<Step, { do: 'rotate' }>): void {
  const actor = actorOf(world, step.actor, rotateApiKey);
  const original = targetOf(world, step.target, 'key');
  assertRotatable(actor.row, original.row, NOW);
  if (actor.row.expires_by !== null && !dragged(actor.thing, thingsOf(world), false).has(original.thing))
    throw refused();
  const ending = endedAlone(world, original);
  if (!world.without.has('judgement of a rotation')) judge(world, actor, ending, { alone: true });
  const row: KeyRow = {
    ...original.row,
    key_id: nameOf(world, 'key'),
    rotated_from: original.thing.id,
    rotated_by: actor.thing.id,
  };
  const replacement = addKey(world, 'key', row, [original.thing, actor.thing]);
  replacement.thing.mintedBelow = original.thing.mintedBelow;
  finish(world, actor.thing, original, ending, false);
}

function end(world: World, actor: Actor, target: Row, { descendants = false }: { descendants?: boolean } = {}): void {
  const ending = descendants ? endedTogether(world, target) : endedAlone(world, target);
  judge(world, actor, ending, { alone: !descendants, owners: target.sort === 'member' || descendants });
  finish(world, actor.thing, target, ending, descendants);
}
