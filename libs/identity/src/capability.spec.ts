import { describe, expect, it } from '@jest/globals';
import { type App, APP_ACTIONS, type AppAction, APPS, CREDENTIAL_KINDS, SCOPES } from '@cairn/contracts';
import fc from 'fast-check';
import { BlockList } from 'node:net';
import { type Capability, covers, excessOver, refusalOf } from './capability.ts';
import { confine } from './place.ts';

const DAY = (day: number) => new Date(Date.UTC(2027, 0, day));
const memories = fc.constantFrom(
  { memoryId: null, spaceId: null },
  { memoryId: 'mem_1', spaceId: null },
  { memoryId: 'mem_1', spaceId: 'spc_1' },
  { memoryId: 'mem_1', spaceId: 'spc_2' },
  { memoryId: 'mem_2', spaceId: null },
);
const tenants = fc.constantFrom(
  { tenantId: 'tnt_live', ownerTenantId: 'tnt_live', livemode: true },
  { tenantId: 'tnt_test', ownerTenantId: 'tnt_live', livemode: false },
  { tenantId: 'tnt_other', ownerTenantId: 'tnt_other', livemode: true },
);
const ranges = fc.uniqueArray(
  fc.constantFrom('10.0.0.0/8', '10.1.0.0/16', '10.1.2.3', '11.0.0.0/8', '0.0.0.0/0', '::/0', '::ffff:10.1.0.0/112'),
  { maxLength: 2 },
);
const end = fc.option(fc.integer({ min: 1, max: 5 }).map(DAY));
const rate = fc.option(fc.integer({ min: 1, max: 5 }));
const capabilities: fc.Arbitrary<Capability> = fc
  .record({
    tenant: tenants,
    place: memories,
    kind: fc.constantFrom(...CREDENTIAL_KINDS),
    scopes: fc.subarray(SCOPES.slice(0, 4)),
    appPermissions: fc
      .dictionary(fc.constantFrom(...APPS.slice(0, 2)), fc.subarray([...APP_ACTIONS], { minLength: 1 }), { maxKeys: 2 })
      .map((made) => ({ ...made }) as Partial<Record<App, AppAction[]>>),
    ipAllowlist: ranges,
    requestsPerSecond: rate,
    burst: rate,
    expiresAt: end,
    expiresBy: end,
  })
  .map(({ tenant, place, ...rest }) => ({ ...tenant, ...place, ...rest }));

/** One request, and whether it is allowed, read from the fields alone. */
const uses = fc.record({
  tenantId: fc.constantFrom('tnt_live', 'tnt_test', 'tnt_other'),
  scope: fc.constantFrom(...SCOPES.slice(0, 4)),
  app: fc.constantFrom(...APPS.slice(0, 3)),
  action: fc.constantFrom(...APP_ACTIONS),
  memoryId: fc.constantFrom('mem_1', 'mem_2'),
  spaceId: fc.constantFrom(null, 'spc_1', 'spc_2'),
  address: fc.constantFrom('10.1.2.3', '10.1.9.9', '10.9.9.9', '11.1.1.1', '1.2.3.4', '2001:db8::1'),
  at: fc.integer({ min: 1, max: 6 }).map((day) => new Date(DAY(day).getTime() - 1)),
  rate: fc.integer({ min: 1, max: 6 }),
});
type Use = typeof uses extends fc.Arbitrary<infer T> ? T : never;

/** Node's own reading of ranges, to judge ours by. */
function admits(allowlist: readonly string[], address: string): boolean {
  if (allowlist.length === 0) return true;
  const family = (text: string) => (text.includes(':') ? 'ipv6' : 'ipv4');
  const list = new BlockList();
  for (const range of allowlist) {
    const plain = range === '::ffff:10.1.0.0/112' ? '10.1.0.0/16' : range;
    const [base, bits] = plain.split('/') as [string, string | undefined];
    if (bits === undefined) list.addAddress(base, family(base));
    else list.addSubnet(base, Number(bits), family(base));
  }
  return list.check(address, family(address));
}

function allows(held: Capability, use: Use): boolean {
  return (
    // A live credential also administers the test environment of its tenant.
    (held.tenantId === use.tenantId || (held.tenantId === 'tnt_live' && use.tenantId === 'tnt_test')) &&
    held.scopes.includes(use.scope) &&
    (Object.keys(held.appPermissions).length === 0 || held.appPermissions[use.app]?.includes(use.action) === true) &&
    (held.memoryId === null || held.memoryId === use.memoryId) &&
    (held.spaceId === null || held.spaceId === use.spaceId) &&
    admits(held.ipAllowlist, use.address) &&
    (held.expiresAt === null || use.at < held.expiresAt) &&
    use.rate <= (held.requestsPerSecond ?? Infinity) &&
    use.rate <= (held.burst ?? Infinity)
  );
}

/** Pairs that are often comparable: the second is the first with a few fields exchanged. */
const pairs = fc
  .tuple(capabilities, capabilities, fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }))
  .map(([first, second, taken]): [Capability, Capability] => {
    const fields = ['kind', 'scopes', 'appPermissions', 'ipAllowlist', 'requestsPerSecond', 'burst', 'expiresAt'];
    const kept = fields.filter((_field, index) => taken[index] === true);
    const mixed = { ...first, ...Object.fromEntries(kept.map((name) => [name, second[name as keyof Capability]])) };
    return [first, taken[7] === true ? { ...mixed, memoryId: second.memoryId, spaceId: second.spaceId } : mixed];
  });

describe('a capability that covers another', () => {
  it('allows every request that the other allows, at any time and from any address', () => {
    let covered = 0;
    fc.assert(
      fc.property(pairs, fc.array(uses, { minLength: 5, maxLength: 10 }), ([holder, other], tried) => {
        if (!covers(holder, other)) return;
        covered += 1;
        for (const use of tried)
          if (allows(other, use)) expect({ use, isAllowed: allows(holder, use) }).toEqual({ use, isAllowed: true });
      }),
      { numRuns: 20_000 },
    );
    expect(covered).toBeGreaterThan(1_000);
  });

  it('covers itself, and whatever the other covers', () => {
    fc.assert(fc.property(capabilities, (one) => covers(one, one)));
    fc.assert(
      fc.property(pairs, capabilities, ([a, b], c) => !covers(a, b) || !covers(b, c) || covers(a, c)),
      { numRuns: 5_000 },
    );
  });

  it('may create credentials if the other may, and ends no earlier than the other can be extended', () => {
    fc.assert(
      fc.property(pairs, ([holder, other]) => {
        if (!covers(holder, other)) return;
        const creates = (kind: string) => ['live', 'test', 'ephemeral', 'member'].includes(kind);
        expect(creates(holder.kind) || !creates(other.kind)).toBe(true);
        expect(other.expiresBy?.getTime() ?? Infinity).toBeLessThanOrEqual(holder.expiresBy?.getTime() ?? Infinity);
      }),
      { numRuns: 5_000 },
    );
  });
});

const HELD: Capability = {
  tenantId: 'tnt_live',
  ownerTenantId: 'tnt_live',
  livemode: true,
  kind: 'live',
  scopes: ['keys:write'],
  appPermissions: { keys: ['write'] },
  memoryId: null,
  spaceId: null,
  ipAllowlist: ['10.0.0.0/8'],
  requestsPerSecond: 1,
  burst: 2,
  expiresAt: DAY(1),
  expiresBy: null,
};

describe('what a holder lacks', () => {
  it('is named, all of it', () => {
    const wanted: Capability = {
      ...HELD,
      scopes: ['keys:write', 'graph:read', 'usage:read'],
      appPermissions: { keys: ['read', 'write'], usage: ['read'] },
      ipAllowlist: ['10.1.0.0/16', '11.0.0.0/8'],
      expiresAt: null,
      requestsPerSecond: 2,
    };
    expect(excessOver(HELD, wanted)).toEqual([
      'scope graph:read',
      'scope usage:read',
      'app permission keys:read',
      'app permission usage:read',
      'use from 11.0.0.0/8',
      'a lifetime beyond 2027-01-01T00:00:00.000Z',
      'rate_limit.requests_per_second above 1',
    ]);
  });

  it.each<[string, Partial<Capability>, Partial<Capability>, string]>([
    ['the live environment', { tenantId: 'tnt_test', livemode: false }, {}, 'access to that environment'],
    ['another tenant', {}, { tenantId: 'tnt_2', ownerTenantId: 'tnt_2' }, 'access to that environment'],
    ['creating credentials', { kind: 'oauth' }, {}, 'the right to create credentials'],
    ['another memory', { memoryId: 'mem_1' }, { memoryId: 'mem_2' }, 'access to another memory'],
    [
      'the whole memory',
      { memoryId: 'mem_1', spaceId: 'spc_1' },
      { memoryId: 'mem_1', spaceId: null },
      'access outside its space',
    ],
    ['every app, also those to come', {}, { appPermissions: {} }, 'unrestricted app permissions'],
    ['every address', {}, { ipAllowlist: [] }, 'use from any address'],
    [
      'an end that may be moved',
      { expiresBy: DAY(2) },
      { expiresBy: null },
      'a lifetime that may be extended beyond 2027-01-02T00:00:00.000Z',
    ],
  ])('may be %s', (_what, holder, other, named) => {
    expect(excessOver({ ...HELD, ...holder }, { ...HELD, ...other })).toContain(named);
  });
});

describe('a request', () => {
  const unbound = { memoryId: null, spaceId: null, hostMemoryId: null };
  const ofSpace = { ...unbound, memoryId: 'mem_1', spaceId: 'spc_1' };

  it.each<[string, typeof ofSpace | typeof unbound, Parameters<typeof confine>[1], ReturnType<typeof confine>]>([
    ['an unbound key and nothing named', unbound, {}, { ok: true, memoryId: null, spaceId: null }],
    ['an unbound key and the root', unbound, { spaceId: null }, { ok: true, memoryId: null, spaceId: null }],
    ['a space key and nothing named', ofSpace, {}, { ok: true, memoryId: 'mem_1', spaceId: 'spc_1' }],
    ['a space key and its space', ofSpace, { spaceId: 'spc_1' }, { ok: true, memoryId: 'mem_1', spaceId: 'spc_1' }],
    ['a space key and another space', ofSpace, { spaceId: 'spc_2' }, { ok: false, outside: 'space' }],
    ['a space key and the root of its memory', ofSpace, { spaceId: null }, { ok: false, outside: 'space' }],
    ['a space key and another memory', ofSpace, { memoryId: 'mem_2' }, { ok: false, outside: 'memory' }],
  ])('of %s is confined to one place or refused', (_what, binding, named, expected) => {
    expect(confine(binding, named)).toEqual(expected);
  });

  it('of several operations needs what each of them needs, and its place', () => {
    const caller = { ...ofSpace, scopes: ['threads:read'] as const, appPermissions: {} };
    const read = { app: 'memory', action: 'read', scope: 'threads:read' } as const;
    const search = { app: 'memory', action: 'read', scope: 'memory:search' } as const;
    const write = { app: 'memory', action: 'write', scope: 'threads:write' } as const;
    const place = { memoryId: 'mem_1', spaceId: 'spc_1' };
    expect(refusalOf(caller, { operations: [read], place })).toBeNull();
    expect(refusalOf(caller, { operations: [read, search, write], place })).toEqual({
      lacks: ['scope memory:search', 'scope threads:write'],
    });
    expect(refusalOf(caller, { operations: [read], place: { ...place, spaceId: null } })).toEqual({ outside: 'space' });
  });
});
