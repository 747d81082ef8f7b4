import {
  createApiKey,
  createOAuthClient,
  type GuardedOperation,
  rotateApiKey,
  type Scope,
  SCOPES,
  updateApiKey,
} from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { confine, type Identity, mayDelegate, missingPermission } from '@cairn/identity';
import { planClient } from '../../src/oauth/create-oauth-client.ts';
import { stateOf } from '../../src/credentials/credential-state.ts';
import type { ApiKeyRow } from '../../src/credentials/key-store.ts';
import type { ClientRow } from '../../src/credentials/oauth-store.ts';
import { planChange } from '../../src/api-keys/plan-change.ts';
import { planKey } from '../../src/api-keys/plan-key.ts';
import { credentialOfKey, credentialOfToken, type ResolvedCredential } from '../../src/resolving/resolve-credential.ts';
import { assertRotatable } from '../../src/api-keys/rotate-api-key.ts';
import { extremeUses, reaches, type Surroundings } from './allows.ts';
import type { NewKey, Restrictions, Sequence, Step } from './steps.ts';

/** Rules that can be left out, to show that a sequence which breaks the promise is found. */
export const GUARDS = [
  'coverage of a minted key',
  'coverage of the changed key as a whole',
  'coverage of a rotated key',
  'coverage of an OAuth client',
  'bound of a token to its client',
  'confinement of a key to its space',
] as const;
type Guard = (typeof GUARDS)[number];

const [LIVE, TEST] = ['tnt_live', 'tnt_test'] as const;
const PLACES = { memories: ['mem_0', 'mem_1'], spaces: ['spc_0', 'spc_1'] } as const;
const START_MS = Date.UTC(2027, 0, 1);
const HOUR_MS = 3_600_000;
/** As of the operator's first key. */
const UNBOUNDED = {
  scopes: [...SCOPES],
  app_permissions: {},
  ip_allowlist: [],
  requests_per_second: null,
  burst: null,
  expires_at: null,
  expires_by: null,
} satisfies Partial<ApiKeyRow>;

interface World {
  nowMs: number;
  keys: ApiKeyRow[];
  clients: ClientRow[];
  /** What the holder has the plaintext of. */
  heldKeys: Set<string>;
  tokens: { tokenId: string; clientId: string; scopes: Scope[]; endsMs: number }[];
  /** Credentials that the last step made or changed. */
  touched: Set<string>;
  without: ReadonlySet<Guard>;
  broken: string[];
}

/**
 * Plays a sequence on the shipped decisions, without a database. Returns what the holder came to be able to do that
 * none of the credentials it had at first allowed; empty when the promise holds.
 */
export function simulate(sequence: Sequence, without: ReadonlySet<Guard> = new Set()): string[] {
  const world: World = {
    nowMs: START_MS,
    keys: [],
    clients: [],
    heldKeys: new Set(),
    tokens: [],
    touched: new Set(),
    without,
    broken: [],
  };
  const operatorKey = firstKey(LIVE);
  const had: ResolvedCredential[] = [];
  for (const [position, wanted] of [...sequence.held, ...sequence.others].entries()) {
    const key = attempt(() => mint(world, operatorKey, wanted));
    if (key === null || position >= sequence.held.length) continue;
    world.heldKeys.add(key.key_id);
    had.push(credentialOfKey({ ...key }));
  }
  world.keys.push(operatorKey, firstKey(TEST));
  for (const [position, step] of sequence.steps.entries()) {
    attempt(() => play(world, step));
    world.broken.push(...excess(world, had).map((what) => `after step ${position}: ${what}`));
    if (world.broken.length > 0) break;
  }
  return world.broken;
}

/** Refusals are what is expected; anything else is a fault of what is shipped. */
function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof CairnError && error.code !== 'internal') return null;
    throw error;
  }
}

function firstKey(tenantId: string): ApiKeyRow {
  const livemode = tenantId === LIVE;
  return rowOf({
    tenant_id: tenantId,
    owner_tenant_id: LIVE,
    key_id: `key_of_${tenantId}`,
    kind: livemode ? 'live' : 'test',
    livemode,
    memory_id: null,
    space_id: null,
    ...UNBOUNDED,
  });
}

function rowOf(fields: Omit<ApiKeyRow, keyof typeof BLANK> & Partial<ApiKeyRow>): ApiKeyRow {
  return { ...BLANK, ...fields };
}

const BLANK = {
  name: '',
  prefix: '',
  sha256: Buffer.alloc(0),
  parent_key_id: null,
  rotated_from: null,
  rotated_by: null,
  created_at: new Date(START_MS),
  last_used_at: null,
  usage_count: 0,
  revokes_at: null,
  revoked_at: null,
  closing_since: null,
};

function play(world: World, step: Step): void {
  switch (step.do) {
    case 'wait':
      world.nowMs += step.hours * HOUR_MS;
      return;
    case 'mint':
      world.heldKeys.add(mint(world, actorOf(world, step.actor, createApiKey), step.key).key_id);
      return;
    case 'change':
      return change(world, actorOf(world, step.actor, updateApiKey), step);
    case 'rotate':
      return rotate(world, actorOf(world, step.actor, rotateApiKey), step);
    case 'client':
      return makeClient(world, actorOf(world, step.actor, createOAuthClient), step.scopes);
    case 'token':
      return issueToken(world, step);
    case 'reach':
      return reach(world, step);
  }
}

/** The key that acts: one that is held, that a gateway would admit, and that the operation would let through. */
function actorOf(world: World, number: number, operation: GuardedOperation): ApiKeyRow {
  const held = world.keys.filter(({ key_id }) => world.heldKeys.has(key_id));
  const key = held[number % held.length];
  if (key === undefined || stateOf(key, new Date(world.nowMs)) !== 'valid' || !mayDelegate(key.kind))
    throw new CairnError('credential_invalid', 'none');
  const missing = missingPermission({ scopes: key.scopes, appPermissions: key.app_permissions }, operation);
  if (missing !== null) throw new CairnError('permission_denied', missing);
  return key;
}

/** A key that the tenant of the actor can name, as row-level security would show it. */
function targetOf(world: World, actor: ApiKeyRow, number: number): ApiKeyRow {
  const visible = world.keys.filter((key) => [key.tenant_id, key.owner_tenant_id].includes(actor.tenant_id));
  return visible[number % visible.length]!;
}

function mint(world: World, parent: ApiKeyRow, wanted: NewKey): ApiKeyRow {
  const home =
    wanted.type === 'test' && parent.livemode
      ? { tenantId: TEST, livemode: false }
      : { tenantId: parent.tenant_id, livemode: parent.livemode };
  const judgedBy = world.without.has('coverage of a minted key') ? { ...parent, ...UNBOUNDED } : parent;
  const isMemory = wanted.type === 'memory';
  const planned = planKey(
    judgedBy,
    {
      type: wanted.type,
      scopes: wanted.scopes,
      app_permissions: wanted.app_permissions ?? {},
      ip_allowlist: wanted.ip_allowlist ?? [],
      expires_at: wanted.endsInHours == null ? null : new Date(world.nowMs + wanted.endsInHours * HOUR_MS),
      memory_id: isMemory ? PLACES.memories[wanted.memory] : undefined,
      space_id: isMemory && wanted.inSpace ? PLACES.spaces[wanted.memory] : undefined,
      rate_limit: wanted.rate_limit ?? undefined,
    },
    home,
    new Date(world.nowMs),
  );
  const row = rowOf({ ...planned, key_id: `key_${world.keys.length}`, parent_key_id: parent.key_id });
  world.keys.push(row);
  world.touched.add(row.key_id);
  return row;
}

function change(world: World, actor: ApiKeyRow, step: Extract<Step, { do: 'change' }>): void {
  const target = targetOf(world, actor, step.target);
  const request = requestOf(step.change, world.nowMs);
  const now = new Date(world.nowMs);
  const after = world.without.has('coverage of the changed key as a whole')
    ? changeFieldByField(actor, target, request, now)
    : planChange(actor, target, request, now);
  world.keys[world.keys.indexOf(target)] = after;
  world.touched.add(after.key_id);
}

type ChangeRequest = Parameters<typeof planChange>[2];

function requestOf({ endsInHours, ...rest }: Restrictions, nowMs: number): ChangeRequest {
  if (endsInHours === undefined) return rest;
  return { ...rest, expires_at: endsInHours === null ? null : new Date(nowMs + endsInHours * HOUR_MS).toISOString() };
}

/** Each field by itself, within the caller or within the key: what two keys combine by into more than either. */
function changeFieldByField(actor: ApiKeyRow, target: ApiKeyRow, request: ChangeRequest, now: Date): ApiKeyRow {
  for (const [name, value] of Object.entries(request)) {
    // Compared with a key that is like the caller in this one field and unbounded in the others.
    const column =
      name === 'rate_limit' ? (['requests_per_second', 'burst'] as const) : ([name] as (keyof ApiKeyRow)[]);
    const inThis = Object.fromEntries(column.map((field) => [field, actor[field]]));
    planChange({ ...actor, ...UNBOUNDED, ...inThis }, target, { [name]: value }, now);
  }
  return planChange({ ...actor, ...UNBOUNDED }, target, request, now);
}

function rotate(world: World, actor: ApiKeyRow, step: Extract<Step, { do: 'rotate' }>): void {
  const original = targetOf(world, actor, step.target);
  const judgedBy = world.without.has('coverage of a rotated key') ? { ...actor, ...UNBOUNDED } : actor;
  assertRotatable(judgedBy, original, new Date(world.nowMs));
  const row = { ...original, key_id: `key_${world.keys.length}`, rotated_from: original.key_id };
  world.keys.push(row);
  world.touched.add(row.key_id);
  world.heldKeys.add(row.key_id);
}

function makeClient(world: World, actor: ApiKeyRow, scopes: Scope[]): void {
  const judgedBy = world.without.has('coverage of an OAuth client') ? { ...actor, ...UNBOUNDED } : actor;
  world.clients.push({
    ...planClient(judgedBy, scopes),
    client_id: `oac_${world.clients.length}`,
    name: '',
    secret_sha256: Buffer.alloc(0),
    parent_key_id: actor.key_id,
    created_at: new Date(world.nowMs),
    last_used_at: null,
    usage_count: 0,
    revoked_at: null,
  });
}

/** Stored with whatever scopes were asked for, as if the token endpoint had not looked at them. */
function issueToken(world: World, { client: number, scopes }: Extract<Step, { do: 'token' }>): void {
  const client = world.clients[number % Math.max(1, world.clients.length)];
  if (client === undefined) return;
  const tokenId = `ot_${world.tokens.length}`;
  world.tokens.push({ tokenId, clientId: client.client_id, scopes, endsMs: world.nowMs + HOUR_MS });
  world.touched.add(tokenId);
}

function tokenCredential(world: World, token: World['tokens'][number]): ResolvedCredential {
  const client = world.clients.find(({ client_id }) => client_id === token.clientId)!;
  const stored = {
    tenant_id: client.tenant_id,
    token_id: token.tokenId,
    client_id: client.client_id,
    sha256: Buffer.alloc(0),
    scopes: token.scopes,
    expires_at: new Date(token.endsMs),
    revoked_at: null,
  };
  const credential = credentialOfToken(stored, client);
  return world.without.has('bound of a token to its client') ? { ...credential, scopes: token.scopes } : credential;
}

/** Names a place with some credential; where the request ends up must be where that credential may be. */
function reach(world: World, step: Extract<Step, { do: 'reach' }>): void {
  const credentials = heldCredentials(world);
  const credential = credentials[step.actor % credentials.length];
  if (credential === undefined) return;
  const binding: Pick<Identity, 'memoryId' | 'spaceId' | 'hostMemoryId'> = {
    memoryId: credential.memory_id,
    spaceId: credential.space_id,
    hostMemoryId: step.onHost ? PLACES.memories[0] : null,
  };
  const named = {
    memoryId: step.memory === null ? undefined : PLACES.memories[step.memory],
    spaceId: { named: PLACES.spaces[step.memory ?? 0], root: null, unsaid: undefined }[step.space],
  };
  const isLoose = world.without.has('confinement of a key to its space') && named.spaceId === null;
  const place = confine(isLoose ? { ...binding, spaceId: null } : binding, named);
  if (!place.ok) return;
  const memoryId = place.memoryId ?? PLACES.memories[0];
  const isInside =
    (credential.memory_id === null || memoryId === credential.memory_id) &&
    (credential.space_id === null || place.spaceId === credential.space_id);
  if (!isInside) world.broken.push(`${credential.key_id} reaches ${memoryId} ${place.spaceId ?? 'root'}`);
}

function heldCredentials(world: World): ResolvedCredential[] {
  const keys = world.keys.filter(({ key_id }) => world.heldKeys.has(key_id)).map((key) => credentialOfKey(key));
  return [...keys, ...world.tokens.map((token) => tokenCredential(world, token))];
}

/** What the credential that came last, or was changed last, allows beyond all that was held at first. */
function excess(world: World, had: readonly ResolvedCredential[]): string[] {
  const around: Surroundings = { liveTenantId: LIVE, testTenantId: TEST, ...PLACES, nowMs: world.nowMs };
  const changed = heldCredentials(world).filter(({ credential_id }) => world.touched.has(credential_id));
  world.touched.clear();
  return changed.flatMap((credential) =>
    extremeUses(credential, around)
      .filter((use) => !had.some((first) => reaches(first, use, around)))
      .map((use) => `${credential.credential_id} allows ${JSON.stringify(use)}`),
  );
}
