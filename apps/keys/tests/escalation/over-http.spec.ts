import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { App, AppAction, Credential, Scope } from '@cairn/contracts';
import { digestOf, type Identity } from '@cairn/identity';
import { specCases } from '@cairn/testing';
import fc from 'fast-check';
import { standardClient } from '../oauth-client.ts';
import {
  KNOWN_MEMORY,
  KNOWN_SPACE,
  makeTenant,
  OTHER_MEMORY,
  OTHER_SPACE,
  type RunningKeys,
  runKeys,
  type Tenant,
} from '../keys-harness.ts';
import { extremeUses, type Judged, reaches, type Surroundings } from './allows.ts';
import { type NewKey, type Restrictions, type Sequence, sequences, type Step } from './steps.ts';

const RUNS = 100;
const STEPS_MAX = 8;
const TIMEOUT_MS = 300_000;
const HOUR_MS = 3_600_000;
const KINDS = { 1: 'live', 2: 'test', 3: 'ephemeral', 4: 'memory', 5: 'oauth' } as const;

const CAPABLE_KEY: NewKey = { type: 'live', memory: 0, inSpace: false };
/** Every kind of step once, each permitted: whatever the random sequences come to, none is only ever refused. */
const ALL_PERMITTED: Sequence = {
  held: [CAPABLE_KEY],
  others: [],
  steps: [
    { do: 'mint', actor: 0, key: CAPABLE_KEY },
    { do: 'change', actor: 0, target: 1, change: { scopes: ['memory:search'] } },
    { do: 'rotate', actor: 0, target: 0 },
    { do: 'client', actor: 0, scopes: ['memory:search'] },
    { do: 'token', client: 0, scopes: ['memory:search'] },
  ],
};

let keys: RunningKeys;
beforeAll(async () => {
  keys = await runKeys();
});
afterAll(() => keys.close());

/** One sequence against the service: whoever plays it has plaintexts, and a gateway says what they are good for. */
interface Play {
  tenant: Tenant;
  nowMs: number;
  /** Plaintexts of keys and tokens. */
  held: string[];
  /** Keys by their ids, held or not. */
  known: string[];
  clients: { clientId: string; secret: string }[];
}

/** How often a step did what it was to do, so that the run is known to have tried something. */
const succeeded = new Map<Step['do'], number>();

async function credentialOf(plaintext: string): Promise<Credential | null> {
  const { result } = await keys.gateway.resolve({ sha256: digestOf(plaintext) });
  return result.case === 'credential' ? result.value : null;
}

function judgedBy(credential: Credential): Judged {
  const end = credential.expiresAt;
  return {
    tenant_id: credential.tenantId,
    livemode: credential.livemode,
    kind: KINDS[credential.kind as keyof typeof KINDS],
    scopes: credential.scopes as Scope[],
    app_permissions: Object.fromEntries(credential.appPermissions.map(({ app, actions }) => [app, actions])) as Partial<
      Record<App, AppAction[]>
    >,
    ip_allowlist: credential.ipAllowlist,
    memory_id: credential.memoryId === '' ? null : credential.memoryId,
    space_id: credential.spaceId === '' ? null : credential.spaceId,
    requests_per_second: credential.rateLimit!.requestsPerSecond,
    burst: credential.rateLimit!.burst,
    expires_at: end === undefined ? null : new Date(Number(end.seconds) * 1_000 + end.nanos / 1e6),
  };
}

/** The identity that a gateway would send along. */
function identityOf(play: Play, credential: Credential): Identity {
  const judged = judgedBy(credential);
  return {
    ...play.tenant.live,
    tenantId: credential.tenantId,
    livemode: credential.livemode,
    keyId: credential.keyId,
    credentialId: credential.credentialId,
    kind: judged.kind,
    scopes: judged.scopes,
    appPermissions: judged.app_permissions,
    memoryId: judged.memory_id,
    spaceId: judged.space_id,
  };
}

function bodyOf(play: Play, restrictions: Restrictions): object {
  const { endsInHours, ...rest } = restrictions;
  const end = (hours: number) => new Date(play.nowMs + hours * HOUR_MS).toISOString();
  return endsInHours === undefined ? rest : { ...rest, expires_at: endsInHours === null ? null : end(endsInHours) };
}

function mintBodyOf(play: Play, { type, memory, inSpace, ...restrictions }: NewKey): object {
  const place = memory === 0 ? [KNOWN_MEMORY, KNOWN_SPACE] : [OTHER_MEMORY, OTHER_SPACE];
  const bound = type === 'memory' ? { memory_id: place[0], ...(inSpace ? { space_id: place[1] } : {}) } : {};
  return { name: 'x', type, ...bound, ...bodyOf(play, restrictions) };
}

async function send(play: Play, actor: number, method: string, path: string, body: object) {
  const credential = await credentialOf(play.held[actor % play.held.length]!);
  if (credential === null) return null;
  const response = await keys.call(identityOf(play, credential), method, path, body);
  expect([200, 201, 401, 402, 403, 404, 409, 422]).toContain(response.status);
  return response.status < 300 ? response.body : null;
}

function take(play: Play, body: Record<string, unknown> | null): boolean {
  if (body === null) return false;
  play.held.push(body['api_key'] as string);
  play.known.push(body['key_id'] as string);
  return true;
}

/** True when the step was let through. */
async function perform(play: Play, step: Step): Promise<boolean> {
  const target = (number: number) => `/api/v1/api-keys/${play.known[number % play.known.length]}`;
  switch (step.do) {
    case 'mint':
      return take(play, await send(play, step.actor, 'POST', '/api/v1/api-keys', mintBodyOf(play, step.key)));
    case 'rotate':
      return take(play, await send(play, step.actor, 'POST', `${target(step.target)}/rotate`, {}));
    case 'change':
      return (await send(play, step.actor, 'PATCH', target(step.target), bodyOf(play, step.change))) !== null;
    case 'client': {
      const made = await send(play, step.actor, 'POST', '/api/v1/oauth-clients', { name: 'x', scopes: step.scopes });
      if (made === null) return false;
      play.clients.push({ clientId: made['client_id'] as string, secret: made['client_secret'] as string });
      return true;
    }
    case 'token': {
      const client = play.clients[step.client % Math.max(1, play.clients.length)];
      if (client === undefined) return false;
      // All that the client has, or what is asked for, which is refused when it is more.
      const scope = step.scopes.length > 2 ? undefined : step.scopes.join(' ');
      const issued = await standardClient(keys)
        .token(client, scope)
        .catch(() => null);
      if (issued !== null) play.held.push(issued.access_token);
      return issued !== null;
    }
    case 'wait':
      play.nowMs += step.hours * HOUR_MS;
      keys.setTime(new Date(play.nowMs));
      return true;
    case 'reach':
      // Where a request ends up is the memory service's to decide; the simulation tries it.
      return false;
  }
}

async function begin(sequence: Sequence): Promise<{ play: Play; had: Judged[] }> {
  keys.setTime(null);
  const tenant = await makeTenant(keys);
  const play: Play = { tenant, nowMs: Date.now(), held: [], known: [], clients: [] };
  for (const [position, wanted] of [...sequence.held, ...sequence.others].entries()) {
    const { status, body } = await keys.call(tenant.live, 'POST', '/api/v1/api-keys', mintBodyOf(play, wanted));
    // What contradicts itself, as an ephemeral key for two days does, is no key to begin with.
    if (status !== 201) continue;
    play.known.push(body['key_id'] as string);
    if (position < sequence.held.length) play.held.push(body['api_key'] as string);
  }
  play.known.push(tenant.live.keyId, tenant.test.keyId);
  const had = await Promise.all(play.held.map(async (plaintext) => judgedBy((await credentialOf(plaintext))!)));
  return { play, had };
}

/** What is held allows now, beyond all that was held at first. */
async function excess(play: Play, had: readonly Judged[]): Promise<string[]> {
  const around: Surroundings = {
    liveTenantId: play.tenant.tenantId,
    testTenantId: play.tenant.testTenantId,
    memories: [KNOWN_MEMORY, OTHER_MEMORY],
    spaces: [KNOWN_SPACE, OTHER_SPACE],
    nowMs: play.nowMs,
  };
  const found = await Promise.all(play.held.map(credentialOf));
  return found.flatMap((credential) =>
    credential === null
      ? []
      : extremeUses(judgedBy(credential), around)
          .filter((use) => !had.some((first) => reaches(first, use, around)))
          .map((use) => `${credential.credentialId} allows ${JSON.stringify(use)}`),
  );
}

describe('whoever holds some credentials of a running service', () => {
  it(
    'reaches nothing that none of them allowed, by any sequence of requests',
    async () => {
      await fc.assert(
        fc.asyncProperty(sequences(STEPS_MAX), async (sequence) => {
          const { play, had } = await begin(sequence);
          fc.pre(had.length > 0);
          for (const step of sequence.steps)
            if (await perform(play, step)) succeeded.set(step.do, (succeeded.get(step.do) ?? 0) + 1);
          expect(await excess(play, had)).toEqual([]);
        }),
        { numRuns: specCases(RUNS), examples: [[ALL_PERMITTED]] },
      );
      keys.setTime(null);
      const tried = ['mint', 'change', 'rotate', 'client', 'token'] as const;
      expect(tried.filter((step) => !succeeded.has(step))).toEqual([]);
    },
    TIMEOUT_MS,
  );
});
