import { describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import { CredentialSchema, Denial, KeyKind } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { addressAllowed, denialError, authContextOf } from './auth-context.ts';

const CREDENTIAL = {
  keyId: 'key_1',
  credentialId: 'key_1',
  tenantId: 'tnt_1',
  livemode: true,
  kind: KeyKind.LIVE,
  scopes: ['keys:read'],
  rateLimit: { requestsPerSecond: 5, burst: 10 },
};
const auth = (overrides: object = {}) => authContextOf(create(CredentialSchema, { ...CREDENTIAL, ...overrides }));
const allowed = (range: string, address: string) => addressAllowed(auth({ ipAllowlist: [range] }), address);

describe('the address of a caller', () => {
  it('may be any when the key names none', () => {
    for (const address of ['1.2.3.4', '::1', '']) expect(addressAllowed(auth(), address)).toBe(true);
  });

  it.each([
    ['10.1.0.0/16', '10.1.2.3', '10.2.0.1'],
    ['10.1.2.3', '10.1.2.3', '10.1.2.4'],
    ['10.1.2.3/32', '::ffff:10.1.2.3', '::ffff:10.1.2.4'],
    ['0.0.0.0/0', '255.255.255.255', '2001:db8::1'],
    ['2001:db8::/32', '2001:db8:1::1', '2001:db9::1'],
    ['2001:db8::1', '2001:0DB8:0:0::1', '2001:db8::2'],
    ['::/0', '2001:db8::1', '1.2.3.4'],
    ['::ffff:10.1.2.3', '10.1.2.3', '10.1.2.4'],
    ['::ffff:10.1.0.0/112', '10.1.2.3', '10.2.2.3'],
    ['fe80::/10', 'fe80::1%eth0', 'fec0::1%eth0'],
  ])('%s holds %s and not %s', (range, inside, outside) => {
    expect(allowed(range, inside)).toBe(true);
    expect(allowed(range, outside)).toBe(false);
  });

  it('is in none of several ranges, or in one', () => {
    const two = auth({ ipAllowlist: ['10.0.0.0/8', '2001:db8::/32'] });
    expect(['10.9.9.9', '2001:db8::9', '11.0.0.1'].map((address) => addressAllowed(two, address))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it.each(['', 'unknown', '1', '127.1', '0x7f.0.0.1', '010.1.2.3', '1.2.3.4, 10.1.2.3', '10.1.2.3:80', 'localhost'])(
    'is refused when it is no address: %j',
    (address) => {
      expect(addressAllowed(auth({ ipAllowlist: ['0.0.0.0/0', '::/0'] }), address)).toBe(false);
    },
  );

  it.each(['nonsense', '1.2.3.4/33', '::1/129', ''])(
    'a list with %j admits nobody: the key does not resolve',
    (range) => {
      expect(() => auth({ ipAllowlist: [range] })).toThrow();
    },
  );
});

describe('what keys says of a credential', () => {
  it('is kept whole', () => {
    const made = auth({
      kind: KeyKind.MEMORY,
      memoryId: 'mem_1',
      spaceId: 'spc_1',
      appPermissions: [{ app: 'memory', actions: ['read'] }],
      expiresAt: { seconds: 10n, nanos: 5_000_000 },
    });
    expect(made).toEqual({
      identity: {
        tenantId: 'tnt_1',
        livemode: true,
        keyId: 'key_1',
        kind: 'memory',
        scopes: ['keys:read'],
        appPermissions: { memory: ['read'] },
        memoryId: 'mem_1',
        spaceId: 'spc_1',
      },
      payerId: 'tnt_1',
      credentialId: 'key_1',
      addressRanges: [],
      expiresAtMs: 10_005,
      revokesAtMs: Infinity,
      rates: [{ subjectId: 'key_1', policy: 'default', requestsPerSecond: 5, burst: 10 }],
    });
    expect(auth().expiresAtMs).toBe(Infinity);
  });

  it('counts every request for the tenant, and for the key only where the key may do less', () => {
    const tenant = { subjectId: 'tnt_1', policy: 'tenant', requestsPerSecond: 50, burst: 100 };
    const tenantRateLimit = { requestsPerSecond: 50, burst: 100 };
    const own = { requestsPerSecond: 50, burst: 10 };
    expect(auth({ tenantRateLimit, rateLimit: tenantRateLimit }).rates).toEqual([tenant]);
    expect(auth({ tenantRateLimit, rateLimit: own }).rates).toEqual([
      { subjectId: 'key_1', policy: 'default', ...own },
      tenant,
    ]);
  });

  it.each([
    [
      { requestsPerSecond: 5e-324, burst: 1 },
      { requestsPerSecond: 0.01, burst: 1 },
    ],
    [
      { requestsPerSecond: Infinity, burst: 4_294_967_295 },
      { requestsPerSecond: 1_000_000, burst: 1_000_000 },
    ],
  ])('brings a rate that no limiter can hold within bounds: %j', (rateLimit, bounded) => {
    expect(auth({ rateLimit, tenantRateLimit: rateLimit }).rates).toMatchObject([bounded]);
  });

  it.each([
    ['a tenant without a rate', { tenantRateLimit: { requestsPerSecond: 0, burst: 1 } }],
    ['an unknown kind', { kind: KeyKind.UNSPECIFIED }],
    ['a memory key without its memory', { kind: KeyKind.MEMORY }],
    ['no id of its own', { credentialId: '' }],
    ['no rate limit', { rateLimit: undefined }],
    ['a rate of nothing', { rateLimit: { requestsPerSecond: 0, burst: 10 } }],
    ['a rate that is no number', { rateLimit: { requestsPerSecond: NaN, burst: 10 } }],
    ['no burst', { rateLimit: { requestsPerSecond: 5, burst: 0 } }],
  ])('never becomes a credential without restrictions: %s', (_name, broken) => {
    expect(() => auth(broken)).toThrow(expect.objectContaining({ code: 'internal' }));
  });

  it.each([
    [Denial.UNKNOWN, 'credential_invalid'],
    [Denial.EXPIRED, 'credential_expired'],
    [Denial.REVOKED, 'credential_revoked'],
    [Denial.TENANT_SUSPENDED, 'permission_denied'],
    [Denial.UNSPECIFIED, 'credential_invalid'],
    [99 as Denial, 'credential_invalid'],
  ])('a denial of %s is %s', (denial, code) => {
    const error = denialError(denial);
    expect(error).toBeInstanceOf(CairnError);
    expect(error.code).toBe(code);
  });
});
