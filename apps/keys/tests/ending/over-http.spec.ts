import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Role, Scope } from '@cairn/contracts';
import type { Identity } from '@cairn/identity';
import { specCases } from '@cairn/testing';
import fc from 'fast-check';
import { makeTenant, type RunningKeys, runKeys, type Tenant } from '../keys-harness.ts';
import { openWith, peopleOf } from '../people.ts';
import { newWorld, perform } from './simulation.ts';
import { sequences, type Step } from './steps.ts';
import type { Row, World } from './world.ts';

const RUNS = 15;
const STEPS_MAX = 14;
const TIMEOUT_MS = 300_000;
/** Connecting an app needs a client and a browser's consent, which other specs go through. */
const LEFT_OUT: ReadonlySet<Step['do']> = new Set(['connect app', 'disconnect app']);

let keys: RunningKeys;
beforeAll(async () => {
  keys = await runKeys();
});
afterAll(() => keys.close());

/** The names that the service has given to what the simulation knows, and the identities that act. */
interface Play {
  tenant: Tenant;
  ids: Map<string, string>;
  callers: Map<string, Identity>;
  people: ReturnType<typeof peopleOf>;
  plaintexts: Map<string, string>;
}

async function begin(world: World): Promise<Play> {
  const tenant = await makeTenant(keys);
  const people = peopleOf(
    () => keys,
    () => tenant,
  );
  const play: Play = { tenant, ids: new Map(), callers: new Map(), people, plaintexts: new Map() };
  keep(play, world.rows[0]!, tenant.live.keyId, tenant.live);
  play.plaintexts.set(world.rows[0]!.thing.id, tenant.liveKey);
  for (const row of world.rows.slice(1)) {
    const inviter = play.callers.get(row.sort === 'member' ? row.row.parent_key_id! : '')!;
    const joined = await people.join(play.ids.size === 1 ? 'owner' : row.thing.role!, inviter);
    keep(play, row, joined.memberId, joined.caller);
  }
  const [, former] = world.rows;
  await people.change(play.ids.get(former!.thing.id)!, { role: former!.thing.role }, tenant.live);
  return play;
}

function keep(play: Play, { thing }: Row, id: string, caller: Identity): void {
  play.ids.set(thing.id, id);
  play.callers.set(thing.id, caller);
}

interface Choice {
  actor: Row;
  /** Of the actor, before the step may change them. */
  scopes: readonly Scope[];
  target: Row | undefined;
}

/** What the numbers of a step choose, read before the simulation has played it. */
function chosen(world: World, step: Step): Choice {
  const sorts = {
    'end client': 'client',
    'end session': 'session',
    remove: 'member',
    'change role': 'member',
  } as const;
  const sort = step.do in sorts ? sorts[step.do as keyof typeof sorts] : 'key';
  const actors = world.rows.filter((row) => ['key', 'member', 'client'].includes(row.sort));
  const targets = world.rows.filter((row) => row.sort === sort);
  const number = 'target' in step ? step.target : 0;
  const actor = actors[step.actor % actors.length]!;
  return { actor, scopes: actor.thing.scopes, target: targets[number % Math.max(1, targets.length)] };
}

/** Makes the request of the step; returns whether it was let through. */
async function send(play: Play, world: World, step: Step, { actor, scopes: held, target }: Choice) {
  const caller = { ...play.callers.get(actor.thing.id)!, scopes: held };
  const added = world.rows.at(-1)!;
  const named = play.ids.get(target?.thing.id ?? '') ?? '';
  const call = async (method: string, path: string, body?: object) => {
    const { status, body: answer } = await keys.call(caller, method, `/api/v1/${path}`, body);
    expect([200, 201, 401, 403, 404, 409, 422]).toContain(status);
    return status < 300 ? answer : null;
  };
  const query = 'descendants' in step && step.descendants ? '?descendants=true' : '';
  switch (step.do) {
    case 'mint': {
      const scopes = step.scopes === null ? {} : { scopes: step.scopes };
      const made = await call('POST', 'api-keys', {
        name: 'x',
        type: step.ephemeral ? 'ephemeral' : 'live',
        ...scopes,
      });
      return rememberKey(play, added, made);
    }
    case 'rotate':
      return rememberKey(play, added, await call('POST', `api-keys/${named}/rotate`, { overlap_seconds: 0 }));
    case 'invite':
      return invite(play, added, caller, step.role);
    case 'create client': {
      const made = await call('POST', 'oauth-clients', { name: 'x', scopes: held });
      if (made === null) return false;
      const keyId = made['client_id'] as string;
      keep(play, added, keyId, { ...caller, kind: 'oauth', keyId, credentialId: keyId });
      return true;
    }
    case 'open session': {
      const apiKey = play.plaintexts.get(actor.thing.id);
      // A member has the one that it joined with.
      const sessionId =
        apiKey === undefined ? caller.credentialId : (await openWith(keys, { api_key: apiKey })).body.session_id;
      keep(play, added, sessionId, caller);
      return true;
    }
    case 'change role':
      return (await call('PATCH', `members/${named}`, { role: step.role })) !== null;
    case 'restrict':
      return (await call('PATCH', `api-keys/${named}`, { scopes: step.scopes })) !== null;
    case 'revoke':
      return (await call('DELETE', `api-keys/${named}${query}`)) !== null;
    case 'remove':
      return (await call('DELETE', `members/${named}${query}`)) !== null;
    case 'end client':
      return (await call('DELETE', `oauth-clients/${named}`)) !== null;
    case 'end session':
      return (await call('DELETE', `console/sessions/${named}`)) !== null;
    case 'connect app':
    case 'disconnect app':
      return false;
  }
}

function rememberKey(play: Play, added: Row, made: Record<string, unknown> | null): boolean {
  if (made === null) return false;
  const keyId = made['key_id'] as string;
  const kind = made['type'] as Identity['kind'];
  keep(play, added, keyId, { ...play.tenant.live, kind, keyId, credentialId: keyId });
  play.plaintexts.set(added.thing.id, made['api_key'] as string);
  return true;
}

async function invite(play: Play, added: Row, caller: Identity, role: Role): Promise<boolean> {
  const joined = await play.people.join(role, caller).catch(() => null);
  if (joined === null) return false;
  keep(play, added, joined.memberId, joined.caller);
  return true;
}

/** What the database says has ended, by the names of the simulation. */
async function endedOf(play: Play): Promise<string[]> {
  const ids = [...play.ids.values()];
  const rows = await keys.database.worker.transaction((tx) =>
    tx.query<{ id: string }>(
      `SELECT key_id AS id FROM api_keys WHERE key_id = ANY($1) AND revoked_at IS NOT NULL
       UNION ALL SELECT client_id FROM oauth_clients WHERE client_id = ANY($1) AND revoked_at IS NOT NULL`,
      [ids],
    ),
  );
  const ended = new Set(rows.map(({ id }) => id));
  return [...play.ids].flatMap(([name, id]) => (ended.has(id) ? [name] : [])).toSorted();
}

describe('the running service', () => {
  it(
    'lets through what the simulation of endings lets through, and ends the same credentials',
    async () => {
      const letThrough = new Map<string, number>();
      await fc.assert(
        fc.asyncProperty(sequences(STEPS_MAX), async (steps) => {
          const world = newWorld();
          const play = await begin(world);
          for (const step of steps.filter((each) => !LEFT_OUT.has(each.do))) {
            const choice = chosen(world, step);
            // What an ended credential would do is refused by the gateway.
            const isRefused = choice.actor.thing.ended || choice.target?.thing.ended === true;
            const expected = perform(world, step);
            if (isRefused && !expected) continue;
            if (!expected && choice.target === undefined) continue;
            if (step.do === 'open session' && !expected) continue;
            if (step.do === 'change role' && choice.target?.thing.role === step.role && !expected) continue;
            expect([step, await send(play, world, step, choice)]).toEqual([step, expected]);
            if (expected) letThrough.set(step.do, (letThrough.get(step.do) ?? 0) + 1);
            const ended = world.rows.filter(
              ({ sort, thing }) => thing.ended && (sort === 'key' || sort === 'member' || sort === 'client'),
            );
            // Clients of a key that is revoked alone stay, as its children do.
            expect(await endedOf(play)).toEqual(ended.map(({ thing }) => thing.id).toSorted());
          }
        }),
        { numRuns: specCases(RUNS) },
      );
      expect([...letThrough.keys()]).toEqual(expect.arrayContaining(['mint', 'invite', 'revoke', 'remove']));
    },
    TIMEOUT_MS,
  );
});
