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
    .setAudience(options.audience ?? 'cairn');
  if (options.expiresAt !== null) jwt.setExpirationTime(Math.ceil((options.expiresAt ?? IDENTITY.admitUntilMs) / 1000));
  return jwt.sign(await importJWK(options.with ?? parts.get(kid)!.privateJwk, 'EdDSA'));
}

describe('a verified token', () => {
  it('gives the identity it was made of, to the millisecond', async () => {
    const token = await signer('gateway').signIdentity(IDENTITY);
    expect(await verifier.verify(token)).toEqual({ kind: 'tenant', identity: IDENTITY });
  });

  it('may be signed by any of the gateways', async () => {
    const token = await signer('gateway.2').signIdentity(IDENTITY);
    expect(await verifier.verify(token)).toMatchObject({ kind: 'tenant' });
  });

  it('gives the service it was made for', async () => {
    const token = await signer('keys').signService({ service: 'keys', admitUntilMs: NOW + 5_000 });
    expect(await verifier.verify(token)).toEqual({
      kind: 'service',
      service: { service: 'keys', admitUntilMs: NOW + 5_000 },
    });
  });

  it('holds until its time and not a millisecond longer, though it was verified before', async () => {
    const token = await signer('gateway').signIdentity(IDENTITY);
    try {
      for (const [at, valid] of [
        [NOW, true],
        [IDENTITY.admitUntilMs - 1, true],
        [IDENTITY.admitUntilMs, false],
        [IDENTITY.admitUntilMs + 60_000, false],
      ] as const) {
        now = at;
        expect((await verifier.verify(token)) !== null).toBe(valid);
      }
    } finally {
      now = NOW;
    }
  });

  it('that is past its time when first seen is refused', async () => {
    const token = await signer('gateway').signIdentity({ ...IDENTITY, admitUntilMs: NOW - 1 });
    expect(await verifier.verify(token)).toBeNull();
  });
});

describe('a token is refused', () => {
  it.each([
    ['that is missing', undefined],
    ['that is empty', ''],
    ['that is no token', 'Bearer x'],
    ['of three empty parts', '..'],
  ])('%s', async (_what, token) => {
    expect(await verifier.verify(token)).toBeNull();
  });

  it('whose signature, header or claims were changed in any place', async () => {
    const token = await signer('gateway').signIdentity(IDENTITY);
    const other = await signer('gateway').signIdentity({ ...IDENTITY, tenantId: 'tnt_2' });
    const [header, claims, signature] = token.split('.') as [string, string, string];
    const [, otherClaims, otherSignature] = other.split('.') as [string, string, string];
    expect(await verifier.verify(`${header}.${otherClaims}.${signature}`)).toBeNull();
    expect(await verifier.verify(`${header}.${claims}.${otherSignature}`)).toBeNull();
    for (let at = 0; at < signature.length - 1; at += 7) {
      const changed = signature.slice(0, at) + (signature[at] === 'A' ? 'B' : 'A') + signature.slice(at + 1);
      expect(await verifier.verify(`${header}.${claims}.${changed}`)).toBeNull();
    }
  });

  it('that claims to need no signature', async () => {
    const claims = (await signer('gateway').signIdentity(IDENTITY)).split('.')[1]!;
    for (const alg of ['none', 'None', 'HS256']) {
      const header = Buffer.from(JSON.stringify({ alg, kid: 'gateway' })).toString('base64url');
      expect(await verifier.verify(`${header}.${claims}.`)).toBeNull();
    }
  });

  it('that is signed with a public key taken for a secret', async () => {
    const secret = Buffer.from(publicJwks[0]!.x!, 'base64url');
    const token = await new SignJWT({ typ: 'tenant', identity: IDENTITY, untilMs: NOW + 1_000 })
      .setProtectedHeader({ alg: 'HS256', kid: 'gateway' })
      .setAudience('cairn')
      .sign(secret);
    expect(await verifier.verify(token)).toBeNull();
  });

  it('for another audience', async () => {
    expect(await verifier.verify(await forge({ audience: 'other' }))).toBeNull();
  });

  it('of an unknown holder, or of a known one with another’s key', async () => {
    const stranger = await generateSigningKey('gateway.9');
    expect(await verifier.verify(await forge({ kid: 'gateway.9', with: stranger.privateJwk }))).toBeNull();
    expect(await verifier.verify(await forge({ kid: 'gateway', with: stranger.privateJwk }))).toBeNull();
  });

  it('with which a service speaks for a tenant', async () => {
    expect(await verifier.verify(await signer('keys').signIdentity(IDENTITY))).toBeNull();
  });

  it('with which a service speaks for another service', async () => {
    const service = { service: 'operator', admitUntilMs: NOW + 5_000 };
    expect(await verifier.verify(await signer('keys').signService(service))).toBeNull();
    expect(await verifier.verify(await signer('gateway').signService(service))).toBeNull();
  });

  it.each([
    ['without a kind', { typ: undefined }],
    ['of an unknown kind', { typ: 'root' }],
    ['without an identity', { identity: undefined }],
    ['without a time', { untilMs: undefined }],
    ['whose time is not a number', { untilMs: 'never' }],
  ])('%s', async (_what, claims) => {
    expect(await verifier.verify(await forge({ claims }))).toBeNull();
  });

  it('whose expiry is past, whatever its own time says', async () => {
    expect(
      await verifier.verify(await forge({ expiresAt: NOW - 1_000, claims: { untilMs: NOW + 60_000 } })),
    ).toBeNull();
  });
});

describe('the service’s own tokens', () => {
  it('are made once and renewed well before they end', async () => {
    let made = 0;
    const counting: TokenSigner = {
      ...signer('keys'),
      signService(service) {
        made += 1;
        return signer('keys').signService(service);
      },
    };
    const source = createServiceTokenSource(counting, 'keys');
    const tokens = await Promise.all([source(), source(), source()]);
    expect(new Set(tokens).size).toBe(1);
    expect(made).toBe(1);
    const real = await createTokenVerifier(publicJwks);
    const caller = await real.verify(tokens[0]);
    expect(caller).toMatchObject({ kind: 'service', service: { service: 'keys' } });
  });
});
