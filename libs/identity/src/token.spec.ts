import { beforeAll, describe, expect, it } from '@jest/globals';
import { SCOPES } from '@cairn/contracts';
import { importJWK, type JWK, SignJWT } from 'jose';
import type { Identity } from './identity.ts';
import { createServiceTokenSource } from './service-token.ts';
import { generateSigningKey } from './signing-keys.ts';
import { createTokenSigner, createTokenVerifier, type TokenSigner, type TokenVerifier } from './token.ts';

const NOW = Date.UTC(2026, 10, 5, 12);
const IDENTITY: Identity = {
  tenantId: 'tnt_1',
  livemode: true,
  keyId: 'key_1',
  credentialId: 'key_1',
  kind: 'live',
  scopes: SCOPES,
  appPermissions: { memory: ['read'] },
  memoryId: null,
  spaceId: null,
  hostMemoryId: 'mem_1',
  admitUntilMs: NOW + 30_250,
};

interface Part {
  privateJwk: JWK;
  signer: TokenSigner;
}
const parts = new Map<string, Part>();
const publicJwks: JWK[] = [];
let now = NOW;
let verifier: TokenVerifier;
/** What the verifier says of a token at the memory service: the caller, or why it is refused. */
const verify = async (token: string | undefined, audience = 'memory', graceMs = 0) => {
  const check = await verifier.verify(token, audience, graceMs);
  return check.ok ? check.caller : check.denial;
};

beforeAll(async () => {
  for (const kid of ['gateway', 'gateway.2', 'keys']) {
    const { privateJwk, publicJwk } = await generateSigningKey(kid);
    parts.set(kid, { privateJwk, signer: await createTokenSigner(privateJwk) });
    publicJwks.push(publicJwk);
  }
  verifier = await createTokenVerifier(publicJwks, () => now);
});

const signer = (kid: string) => parts.get(kid)!.signer;

/** A token made by hand, to be wrong in one way. */
async function forge(options: {
  kid?: string;
  with?: JWK;
  audience?: string;
  claims?: object;
  expiresAt?: number | null;
}): Promise<string> {
  const kid = options.kid ?? 'gateway';
  const jwt = new SignJWT({
    typ: 'tenant',
    identity: { ...IDENTITY, admitUntilMs: undefined },
    untilMs: IDENTITY.admitUntilMs,
    ...options.claims,
  })
    .setProtectedHeader({ alg: 'EdDSA', kid })
    .setAudience(options.audience ?? 'memory');
  if (options.expiresAt !== null) jwt.setExpirationTime(Math.ceil((options.expiresAt ?? IDENTITY.admitUntilMs) / 1000));
  return jwt.sign(await importJWK(options.with ?? parts.get(kid)!.privateJwk, 'EdDSA'));
}

describe('a verified token', () => {
  it('returns the identity it was made of, to the millisecond', async () => {
    const token = await signer('gateway').signIdentity(IDENTITY, 'memory');
    expect(await verify(token)).toEqual({ kind: 'tenant', identity: IDENTITY });
  });

  it('may be signed by any of the gateways', async () => {
    const token = await signer('gateway.2').signIdentity(IDENTITY, 'memory');
    expect(await verify(token)).toMatchObject({ kind: 'tenant' });
  });

  it('returns the service it was made for', async () => {
    const token = await signer('keys').signService({ service: 'keys', admitUntilMs: NOW + 5_000 }, 'memory');
    expect(await verify(token)).toEqual({
      kind: 'service',
      service: { service: 'keys', admitUntilMs: NOW + 5_000 },
    });
  });

  it('holds until its time and not a millisecond longer, though it was verified before', async () => {
    const token = await signer('gateway').signIdentity(IDENTITY, 'memory');
    try {
      for (const [at, valid] of [
        [NOW, true],
        [IDENTITY.admitUntilMs - 1, true],
        [IDENTITY.admitUntilMs, false],
        [IDENTITY.admitUntilMs + 60_000, false],
      ] as const) {
        now = at;
        expect((await verify(token)) !== 'expired').toBe(valid);
      }
    } finally {
      now = NOW;
    }
  });

  it('that is past its time when first seen is expired, which a forged one is not', async () => {
    const late = { ...IDENTITY, admitUntilMs: NOW - 1 };
    const token = await signer('gateway').signIdentity(late, 'memory');
    expect(await verify(token)).toBe('expired');
    const otherParty = await generateSigningKey('gateway');
    expect(await verify(await (await createTokenSigner(otherParty.privateJwk)).signIdentity(late, 'memory'))).toBe(
      'invalid',
    );
  });

  it('may be passed on for as long as its request may take, where that is said', async () => {
    const token = await signer('gateway').signIdentity({ ...IDENTITY, admitUntilMs: NOW - 60_000 }, 'memory');
    expect(await verify(token, 'memory', 60_001)).toMatchObject({ kind: 'tenant' });
    expect(await verify(token, 'memory', 60_000)).toBe('expired');
  });

  it('is for one audience, whether or not it was verified there before', async () => {
    const token = await signer('gateway').signIdentity(IDENTITY, 'usage');
    expect(await verify(token, 'keys')).toBe('invalid');
    expect(await verify(token, 'usage')).toMatchObject({ kind: 'tenant' });
    expect(await verify(token, 'keys')).toBe('invalid');
  });
});

describe('a token is refused', () => {
  it.each([
    ['that is missing', undefined],
    ['that is empty', ''],
    ['that is no token', 'Bearer x'],
    ['of three empty parts', '..'],
  ])('%s', async (_what, token) => {
    expect(await verify(token)).toBe('invalid');
  });

  it('whose signature, header or claims were changed in any place', async () => {
    const token = await signer('gateway').signIdentity(IDENTITY, 'memory');
    const other = await signer('gateway').signIdentity({ ...IDENTITY, tenantId: 'tnt_2' }, 'memory');
    const [header, claims, signature] = token.split('.') as [string, string, string];
    const [, otherClaims, otherSignature] = other.split('.') as [string, string, string];
    expect(await verify(`${header}.${otherClaims}.${signature}`)).toBe('invalid');
    expect(await verify(`${header}.${claims}.${otherSignature}`)).toBe('invalid');
    for (let at = 0; at < signature.length - 1; at += 7) {
      const changed = signature.slice(0, at) + (signature[at] === 'A' ? 'B' : 'A') + signature.slice(at + 1);
      expect(await verify(`${header}.${claims}.${changed}`)).toBe('invalid');
    }
  });

  it('that claims to need no signature', async () => {
    const claims = (await signer('gateway').signIdentity(IDENTITY, 'memory')).split('.')[1]!;
    for (const alg of ['none', 'None', 'HS256']) {
      const header = Buffer.from(JSON.stringify({ alg, kid: 'gateway' })).toString('base64url');
      expect(await verify(`${header}.${claims}.`)).toBe('invalid');
    }
  });

  it('that is signed with a public key taken for a secret', async () => {
    const secret = Buffer.from(publicJwks[0]!.x!, 'base64url');
    const token = await new SignJWT({ typ: 'tenant', identity: IDENTITY, untilMs: NOW + 1_000 })
      .setProtectedHeader({ alg: 'HS256', kid: 'gateway' })
      .setAudience('memory')
      .sign(secret);
    expect(await verify(token)).toBe('invalid');
  });

  it('for another audience', async () => {
    expect(await verify(await forge({ audience: 'other' }))).toBe('invalid');
  });

  it('of an unknown holder, or of a known one with another’s key', async () => {
    const otherParty = await generateSigningKey('gateway.9');
    expect(await verify(await forge({ kid: 'gateway.9', with: otherParty.privateJwk }))).toBe('invalid');
    expect(await verify(await forge({ kid: 'gateway', with: otherParty.privateJwk }))).toBe('invalid');
  });

  it('with which a service speaks for a tenant', async () => {
    expect(await verify(await signer('keys').signIdentity(IDENTITY, 'memory'))).toBe('invalid');
  });

  it('with which a service speaks for another service', async () => {
    const service = { service: 'operator', admitUntilMs: NOW + 5_000 };
    expect(await verify(await signer('keys').signService(service, 'memory'))).toBe('invalid');
    expect(await verify(await signer('gateway').signService(service, 'memory'))).toBe('invalid');
  });

  it.each([
    ['without a kind', { typ: undefined }],
    ['of an unknown kind', { typ: 'root' }],
    ['without an identity', { identity: undefined }],
    ['without a time', { untilMs: undefined }],
    ['whose time is not a number', { untilMs: 'never' }],
  ])('%s', async (_what, claims) => {
    expect(await verify(await forge({ claims }))).toBe('invalid');
  });

  it('whose expiry is past, whatever its own time says', async () => {
    const token = await forge({ expiresAt: NOW - 1_000, claims: { untilMs: NOW + 60_000 } });
    expect(await verify(token)).toBe('expired');
  });

  it('that has no expiry', async () => {
    expect(await verify(await forge({ expiresAt: null }))).toBe('invalid');
  });
});

describe('the service’s own tokens', () => {
  it('are made once for each audience, are valid there only, and for seconds', async () => {
    let made = 0;
    const counting: TokenSigner = {
      ...signer('keys'),
      signService(service, audience) {
        made += 1;
        return signer('keys').signService(service, audience);
      },
    };
    const source = createServiceTokenSource(counting, 'keys');
    const tokens = await Promise.all([source('tenancy'), source('tenancy'), source('memory')]);
    expect(new Set(tokens).size).toBe(2);
    expect(made).toBe(2);
    const real = await createTokenVerifier(publicJwks);
    const check = await real.verify(tokens[0], 'tenancy');
    expect(check).toMatchObject({ ok: true, caller: { kind: 'service', service: { service: 'keys' } } });
    const { admitUntilMs } = (check as { caller: { service: { admitUntilMs: number } } }).caller.service;
    expect(admitUntilMs - Date.now()).toBeLessThanOrEqual(5_000);
    expect(await real.verify(tokens[0], 'memory')).toEqual({ ok: false, denial: 'invalid' });
  });
});
