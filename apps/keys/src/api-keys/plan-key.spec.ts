import { describe, expect, it } from '@jest/globals';
import { BlockList } from 'node:net';
import {
  type App,
  APP_ACTIONS,
  type AppAction,
  APPS,
  KEY_TYPES,
  MEMORY_KEY_DEFAULT_SCOPES,
  MEMORY_KEY_EXTRA_SCOPES,
  type Scope,
  SCOPES,
} from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import fc from 'fast-check';
import type { KeyRow } from '../credentials/key-store.ts';
import type { KeyCapability } from '../credentials/coverage.ts';
import { EPHEMERAL_LIFETIME_MS, type KeyRequest, planKey } from './plan-key.ts';

const NOW = new Date('2026-11-05T12:00:00Z');
const inHours = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);

/** A live key with everything, unless told otherwise. */
function parent(overrides: Partial<KeyRow> = {}): KeyRow {
  return {
    tenant_id: 'tnt_1',
    owner_tenant_id: 'tnt_1',
    key_id: 'key_1',
    name: 'parent',
    prefix: 'ck_live_xxxx',
    sha256: Buffer.alloc(32),
    kind: 'live',
    livemode: true,
    scopes: [...SCOPES],
    app_permissions: {},
    ip_allowlist: [],
    memory_id: null,
    space_id: null,
    requests_per_second: null,
    burst: null,
    parent_key_id: null,
    rotated_from: null,
    rotated_by: null,
    created_at: NOW,
    last_used_at: null,
    usage_count: 0,
    expires_at: null,
    expires_by: null,
    revokes_at: null,
    revoked_at: null,
    closing_since: null,
    ...overrides,
  };
}

function requestFor(overrides: Partial<KeyRequest> = {}): KeyRequest {
  const plain = {
    scopes: undefined,
    app_permissions: {},
    ip_allowlist: [],
    expires_at: null,
    memory_id: undefined,
    space_id: undefined,
    rate_limit: undefined,
  };
  return { type: 'live', ...plain, ...overrides };
}

/** Where a key of the type acts, as the service finds it. */
function homeOf(from: KeyRow, type: KeyRequest['type']) {
  return type === 'test' && from.livemode
    ? { tenantId: 'tnt_twin', livemode: false }
    : { tenantId: from.tenant_id, livemode: from.livemode };
}

function plan(from: Partial<KeyRow>, asked: Partial<KeyRequest>): KeyCapability {
  const [above, request] = [parent(from), requestFor(asked)];
  return planKey(above, request, homeOf(above, request.type), NOW);
}

/** The code and the paths of what was refused, or `planned`. */
function outcome(from: Partial<KeyRow>, asked: Partial<KeyRequest>): string {
  try {
    plan(from, asked);
    return 'planned';
  } catch (error) {
    if (!(error instanceof CairnError)) throw error;
    return [error.code, ...(error.errors ?? []).map(({ path }) => path)].join(' ');
  }
}

describe('a child key', () => {
  it.each<[string, Partial<KeyRow>, Partial<KeyRequest>, string]>([
    ['a scope the parent holds', { scopes: ['keys:write', 'memory:search'] }, { scopes: ['memory:search'] }, 'planned'],
    ['a scope the parent lacks', { scopes: ['keys:write'] }, { scopes: ['memory:search'] }, 'permission_denied'],
    [
      'a held and a lacking scope',
      { scopes: ['keys:write'] },
      { scopes: ['keys:write', 'keys:read'] },
      'permission_denied',
    ],
    [
      'an app the parent may use',
      { app_permissions: { memory: ['read', 'write'] } },
      { app_permissions: { memory: ['read'] } },
      'planned',
    ],
    [
      'an app the parent may not use',
      { app_permissions: { memory: ['read'] } },
      { app_permissions: { keys: ['read'] } },
      'permission_denied',
    ],
    [
      'an action the parent lacks',
      { app_permissions: { memory: ['read'] } },
      { app_permissions: { memory: ['read', 'write'] } },
      'permission_denied',
    ],
    ['any app below an unrestricted parent', {}, { app_permissions: { usage: ['write'] } }, 'planned'],
    [
      'addresses inside the parent’s',
      { ip_allowlist: ['10.0.0.0/8'] },
      { ip_allowlist: ['10.1.0.0/16', '10.2.3.4'] },
      'planned',
    ],
    ['the parent’s own range', { ip_allowlist: ['10.0.0.0/8'] }, { ip_allowlist: ['10.0.0.0/8'] }, 'planned'],
    [
      'a wider range than the parent’s',
      { ip_allowlist: ['10.0.0.0/8'] },
      { ip_allowlist: ['10.0.0.0/7'] },
      'permission_denied',
    ],
    [
      'one address outside the parent’s',
      { ip_allowlist: ['10.0.0.0/8'] },
      { ip_allowlist: ['10.0.0.1', '11.0.0.1'] },
      'permission_denied',
    ],
    [
      'every address below a bound parent',
      { ip_allowlist: ['10.0.0.0/8'] },
      { ip_allowlist: ['0.0.0.0/0'] },
      'permission_denied',
    ],
    ['the other family', { ip_allowlist: ['0.0.0.0/0'] }, { ip_allowlist: ['2001:db8::/32'] }, 'permission_denied'],
    ['IPv6 inside the parent’s', { ip_allowlist: ['2001:db8::/32'] }, { ip_allowlist: ['2001:db8:1::/48'] }, 'planned'],
    ['a life that ends with the parent’s', { expires_at: inHours(2) }, { expires_at: inHours(2) }, 'planned'],
    [
      'a life longer than the parent’s',
      { expires_at: inHours(2) },
      { expires_at: inHours(3) },
      'validation_failed expires_at',
    ],
    ['a life in the past', {}, { expires_at: inHours(-1) }, 'validation_failed expires_at'],
    ['a life that ends now', {}, { expires_at: NOW }, 'validation_failed expires_at'],
    ['a test key from a live one', {}, { type: 'test' }, 'planned'],
    ['a live key from a test one', { livemode: false, kind: 'test' }, { type: 'live' }, 'permission_denied'],
    ['a test key from a test one', { livemode: false, kind: 'test' }, { type: 'test' }, 'planned'],
    ['an ephemeral key from a test one', { livemode: false, kind: 'test' }, { type: 'ephemeral' }, 'planned'],
    ['an ephemeral key for 24 hours', {}, { type: 'ephemeral', expires_at: inHours(24) }, 'planned'],
    [
      'an ephemeral key for longer',
      {},
      { type: 'ephemeral', expires_at: inHours(24.01) },
      'validation_failed expires_at',
    ],
    ['a memory key', {}, { type: 'memory', memory_id: 'mem_1' }, 'planned'],
    ['a memory key for one space', {}, { type: 'memory', memory_id: 'mem_1', space_id: 'spc_1' }, 'planned'],
    ['a memory key without its memory', {}, { type: 'memory' }, 'validation_failed memory_id'],
    ['a memory on another key', {}, { memory_id: 'mem_1' }, 'validation_failed memory_id'],
    ['a space on another key', {}, { space_id: 'spc_1' }, 'validation_failed space_id'],
    ['writing on a memory key', {}, { type: 'memory', memory_id: 'mem_1', scopes: ['documents:write'] }, 'planned'],
    [
      'minting on a memory key',
      {},
      { type: 'memory', memory_id: 'mem_1', scopes: ['documents:read', 'keys:write'] },
      'validation_failed scopes.1',
    ],
  ])('may be asked for %s: %#', (_what, from, asked, expected) => {
    expect(outcome(from, asked)).toBe(expected);
  });

  it.each([
    '',
    '10',
    '10/8',
    '0x0a000001',
    '10.0.0.1/33',
    '10.0.0.256',
    '010.0.0.1/8',
    '2001:db8::/129',
    'fe80::1%eth0',
    'localhost',
    '10.0.0.0/8 ',
    '10.0.0.0/',
    '*',
  ])('is refused with %j as an address', (range) => {
    expect(outcome({}, { ip_allowlist: ['10.0.0.0/8', range] })).toBe('validation_failed ip_allowlist.1');
  });

  it('is told every contradiction at once', () => {
    const refused = outcome(
      {},
      { memory_id: 'mem_1', space_id: 'spc_1', expires_at: inHours(-1), ip_allowlist: ['x'] },
    );
    expect(refused).toBe('validation_failed memory_id space_id expires_at ip_allowlist.0');
  });
});

describe('what is not asked for', () => {
  it('is what the parent holds', () => {
    const from = {
      scopes: ['keys:write', 'keys:read'] as Scope[],
      app_permissions: { keys: ['write'] as AppAction[] },
      ip_allowlist: ['10.0.0.0/8'],
    };
    expect(plan({ ...from, expires_at: inHours(5) }, {})).toMatchObject({
      scopes: ['keys:read', 'keys:write'],
      app_permissions: from.app_permissions,
      ip_allowlist: from.ip_allowlist,
      expires_at: inHours(5),
      expires_by: null,
    });
  });

  it('is, for an ephemeral key, 24 hours or what is left of the parent', () => {
    expect(plan({}, { type: 'ephemeral' }).expires_at).toEqual(inHours(24));
    expect(plan({ expires_at: inHours(3) }, { type: 'ephemeral' }).expires_at).toEqual(inHours(3));
    expect(plan({ expires_at: inHours(30) }, { type: 'ephemeral' }).expires_at).toEqual(inHours(24));
    expect(EPHEMERAL_LIFETIME_MS).toBe(24 * 3_600_000);
  });

  it('is, for a memory key, its six scopes as far as the parent holds them', () => {
    expect(plan({}, { type: 'memory', memory_id: 'mem_1' }).scopes).toEqual(MEMORY_KEY_DEFAULT_SCOPES);
    const below = plan({ scopes: ['keys:write', 'graph:read'] }, { type: 'memory', memory_id: 'mem_1' });
    expect(below.scopes).toEqual(['graph:read']);
  });
});

const scopesOf = fc.uniqueArray(fc.constantFrom(...SCOPES));
const appsOf = fc.dictionary(
  fc.constantFrom(...APPS),
  fc.uniqueArray(fc.constantFrom(...APP_ACTIONS), { minLength: 1 }),
  { maxKeys: 4 },
);
const v4 = fc
  .tuple(fc.constantFrom('10.0', '10.1', '11.0'), fc.nat(255), fc.nat(255))
  .map(([head, c, d]) => `${head}.${c}.${d}`);
const v6 = fc
  .tuple(fc.constantFrom('2001:db8', '2001:db9'), fc.nat(0xffff))
  .map(([head, tail]) => `${head}::${tail.toString(16)}`);
const ranges = fc.array(
  fc.oneof(
    v4,
    v6,
    fc.tuple(v4, fc.integer({ min: 0, max: 32 })).map(([address, bits]) => `${address}/${bits}`),
    fc.tuple(v6, fc.integer({ min: 0, max: 128 })).map(([address, bits]) => `${address}/${bits}`),
  ),
  { maxLength: 3 },
);
const lives = fc.option(fc.integer({ min: -2, max: 40 }).map(inHours));

const parents = fc
  .record({
    scopes: scopesOf,
    app_permissions: appsOf,
    ip_allowlist: ranges,
    expires_at: fc.option(fc.integer({ min: 1, max: 40 }).map(inHours)),
    livemode: fc.boolean(),
  })
  .map((fields) => parent(fields as Partial<KeyRow>));
/** Mostly what the parent covers, or requests would hardly ever get past the first refusal. */
function requestsOf(from: KeyRow): fc.Arbitrary<KeyRequest> {
  const held = fc.subarray(from.scopes);
  return fc
    .record({
      type: fc.constantFrom(...KEY_TYPES),
      scopes: fc.oneof(fc.constant(undefined), { arbitrary: held, weight: 3 }, scopesOf),
      app_permissions: fc.oneof(fc.constant({}), fc.constant(from.app_permissions), appsOf),
      ip_allowlist: fc.oneof(fc.constant([]), fc.constant(from.ip_allowlist), ranges),
      expires_at: fc.oneof(fc.constant(null), lives),
      consistent: fc.integer({ min: 0, max: 9 }).map((n) => n > 0),
    })
    .map(({ consistent, ...fields }) => {
      const bound = (fields.type === 'memory') === consistent;
      return requestFor({ ...fields, memory_id: bound ? 'mem_1' : undefined });
    });
}
const cases = parents.chain((from) => fc.tuple(fc.constant(from), requestsOf(from)));

/** Node's own reading of ranges, to judge ours by. */
function admits(allowlist: readonly string[], address: string): boolean {
  if (allowlist.length === 0) return true;
  const family = (text: string) => (text.includes(':') ? 'ipv6' : 'ipv4');
  const list = new BlockList();
  for (const range of allowlist) {
    const [base, bits] = range.split('/') as [string, string | undefined];
    if (bits === undefined) list.addAddress(base, family(base));
    else list.addSubnet(base, Number(bits), family(base));
  }
  return list.check(address, family(address));
}

function allows(apps: Partial<Record<App, readonly AppAction[]>>, app: App, action: AppAction): boolean {
  return Object.keys(apps).length === 0 || apps[app]?.includes(action) === true;
}

/** Each way in which the child would hold more than its parent. */
function excess(from: KeyRow, asked: KeyRequest, planned: KeyCapability, addresses: readonly string[]): string[] {
  const more: string[] = planned.scopes.filter((scope) => !from.scopes.includes(scope));
  for (const app of APPS) {
    for (const action of APP_ACTIONS) {
      if (allows(planned.app_permissions, app, action) && !allows(from.app_permissions, app, action))
        more.push(`${app}:${action}`);
    }
  }
  more.push(
    ...addresses.filter((address) => admits(planned.ip_allowlist, address) && !admits(from.ip_allowlist, address)),
  );
  const end = planned.expires_at?.getTime() ?? Infinity;
  if (end > (from.expires_at?.getTime() ?? Infinity)) more.push('outlives its parent');
  if (asked.type === 'ephemeral' && end > inHours(24).getTime()) more.push('outlives a day');
  if (end <= NOW.getTime()) more.push('is dead');
  if (asked.type === 'live' && !from.livemode) more.push('leaves the test environment');
  if (asked.type === 'memory') {
    const allowed: readonly Scope[] = [...MEMORY_KEY_DEFAULT_SCOPES, ...MEMORY_KEY_EXTRA_SCOPES];
    more.push(...planned.scopes.filter((scope) => !allowed.includes(scope)));
  }
  return more;
}

describe('planKey', () => {
  it('plans nothing that the parent does not hold, whatever is asked', () => {
    let plans = 0;
    fc.assert(
      fc.property(cases, fc.array(fc.oneof(v4, v6), { minLength: 5, maxLength: 12 }), ([from, asked], sampled) => {
        const bases = [...asked.ip_allowlist, ...from.ip_allowlist].map((range) => range.split('/')[0]!);
        let planned: KeyCapability;
        try {
          planned = planKey(from, asked, homeOf(from, asked.type), NOW);
        } catch (error) {
          expect(error).toMatchObject({ code: expect.stringMatching(/^(?:permission_denied|validation_failed)$/) });
          return;
        }
        plans += 1;
        expect(excess(from, asked, planned, [...sampled, ...bases])).toEqual([]);
      }),
      { numRuns: 3_000 },
    );
    expect(plans).toBeGreaterThan(300);
  });
});
