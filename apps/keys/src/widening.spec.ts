import { describe, expect, it } from '@jest/globals';
import { type App, APP_ACTIONS, type AppAction, APPS, SCOPES } from '@cairn/contracts';
import fc from 'fast-check';
import { isWithin } from './narrowing.ts';
import { assertMayGive, type Powers } from './widening.ts';

const scopes = fc.subarray([...SCOPES], { minLength: 1 });
const apps = fc
  .dictionary(fc.constantFrom(...APPS), fc.subarray([...APP_ACTIONS], { minLength: 1 }), { maxKeys: 3 })
  .map((made) => ({ ...made }) as Partial<Record<App, AppAction[]>>);
const ranges = fc.uniqueArray(
  fc.constantFrom('10.0.0.0/8', '10.1.0.0/16', '10.1.2.3', '11.0.0.0/8', '0.0.0.0/0', '::/0', '::ffff:10.1.0.0/112'),
  { maxLength: 2 },
);
const end = fc.option(fc.integer({ min: 1, max: 5 }).map((day) => new Date(Date.UTC(2027, 0, day))));
const rate = fc.option(fc.integer({ min: 1, max: 5 }));
const powers: fc.Arbitrary<Powers> = fc.record({
  scopes,
  app_permissions: apps,
  ip_allowlist: ranges,
  expires_at: end,
  requests_per_second: rate,
  burst: rate,
});

/** Everything one could try to do with a key; it is allowed when none of its restrictions forbids it. */
const uses = fc.record({
  scope: fc.constantFrom(...SCOPES),
  app: fc.constantFrom(...APPS),
  action: fc.constantFrom(...APP_ACTIONS),
  address: fc.constantFrom('10.1.2.3', '10.1.9.9', '10.9.9.9', '11.1.1.1', '1.2.3.4', '2001:db8::1'),
  at: fc.integer({ min: 1, max: 6 }).map((day) => new Date(Date.UTC(2027, 0, day, -1))),
  rate: fc.integer({ min: 1, max: 6 }),
});
type Use = typeof uses extends fc.Arbitrary<infer T> ? T : never;

/** Which of the five restrictions let the use pass. */
function passes(held: Powers, use: Use): Record<string, boolean> {
  const { app_permissions: permitted, ip_allowlist: allowed } = held;
  return {
    scope: held.scopes.includes(use.scope),
    app: Object.keys(permitted).length === 0 || permitted[use.app]?.includes(use.action) === true,
    address: allowed.length === 0 || allowed.some((range) => isWithin(range, use.address)),
    at: held.expires_at === null || use.at < held.expires_at,
    rps: held.requests_per_second === null || use.rate <= held.requests_per_second,
    burst: held.burst === null || use.rate <= held.burst,
  };
}

const given = (caller: Powers, wanted: Powers, current: Powers | null) => {
  try {
    assertMayGive(caller, wanted, current);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'permission_denied' });
    return false;
  }
};

describe('what a caller gives a key', () => {
  it('is in each respect what it holds itself or the key had, whatever is asked', () => {
    fc.assert(
      fc.property(powers, powers, fc.option(powers), uses, (caller, wanted, current, use) => {
        if (!given(caller, wanted, current)) return;
        const [wants, holds, had] = [
          passes(wanted, use),
          passes(caller, use),
          current === null ? {} : passes(current, use),
        ];
        for (const [what, allowed] of Object.entries(wants))
          if (allowed) expect({ what, from: holds[what] || had[what] === true }).toEqual({ what, from: true });
      }),
      { numRuns: 20_000 },
    );
  });

  it('may always be what the key had, and what the caller has', () => {
    fc.assert(fc.property(powers, powers, (caller, current) => given(caller, current, current)));
    fc.assert(fc.property(powers, powers, (caller, current) => given(caller, caller, current)));
    fc.assert(fc.property(powers, (caller) => given(caller, caller, null)));
  });

  it('and lacks is named, all of it', () => {
    const held: Powers = {
      scopes: ['keys:write'],
      app_permissions: { keys: ['write'] },
      ip_allowlist: ['10.0.0.0/8'],
      expires_at: new Date('2027-01-01T00:00:00Z'),
      requests_per_second: 1,
      burst: 2,
    };
    const wanted: Powers = {
      scopes: ['keys:write', 'graph:read', 'usage:read'],
      app_permissions: { keys: ['read', 'write'], usage: ['read'] },
      ip_allowlist: ['10.1.0.0/16', '11.0.0.0/8'],
      expires_at: null,
      requests_per_second: 2,
      burst: 2,
    };
    expect(() => assertMayGive(held, wanted, null)).toThrow(
      'The calling key lacks scope graph:read, scope usage:read, app permission keys:read, app permission usage:read, ' +
        'use from 11.0.0.0/8, a lifetime beyond 2027-01-01T00:00:00.000Z, rate_limit.requests_per_second above 1.',
    );
  });
});
