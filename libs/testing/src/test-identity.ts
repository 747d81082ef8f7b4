import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { newId, SCOPES } from '@cairn/contracts';
import { createTokenSigner, generateSigningKey, type Identity, type TokenSigner } from '@cairn/identity';

const SIGNERS = ['gateway', 'keys', 'tenancy', 'memory', 'webhooks', 'research', 'usage', 'operator'] as const;
const TOKEN_LIFETIME_MS = 60_000;

export interface TestIdentities {
  jwksFile: string;
  /** A key to seal stored secrets with. */
  keyEncryptionKeysFile: string;
  signingKeyFile(signer: (typeof SIGNERS)[number]): string;
  /** The header value a gateway would send for this caller. */
  token(identity: Identity): Promise<string>;
  serviceToken(service: (typeof SIGNERS)[number]): Promise<string>;
  remove(): Promise<void>;
}

/** Signing keys for every part, in files as in production. */
export async function createTestIdentities(): Promise<TestIdentities> {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-keys-'));
  const signers = new Map<string, TokenSigner>();
  const publicKeys = [];
  for (const name of SIGNERS) {
    const { privateJwk, publicJwk } = await generateSigningKey(name);
    await writeFile(join(folder, `${name}.json`), JSON.stringify(privateJwk));
    signers.set(name, await createTokenSigner(privateJwk));
    publicKeys.push(publicJwk);
  }
  const jwksFile = join(folder, 'jwks.json');
  await writeFile(jwksFile, JSON.stringify({ keys: publicKeys }));
  const keyEncryptionKeysFile = join(folder, 'key-encryption.jwks.json');
  const key = { kty: 'oct', kid: 'first', k: randomBytes(32).toString('base64url') };
  await writeFile(keyEncryptionKeysFile, JSON.stringify({ keys: [key] }));
  return {
    jwksFile,
    keyEncryptionKeysFile,
    signingKeyFile: (signer) => join(folder, `${signer}.json`),
    token: (identity) => signers.get('gateway')!.signIdentity(identity),
    serviceToken: (service) =>
      signers.get(service)!.signService({ service, admitUntilMs: Date.now() + TOKEN_LIFETIME_MS }),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A caller with every scope on a tenant of its own, unless told otherwise. */
export function testIdentity(overrides: Partial<Identity> = {}): Identity {
  return {
    tenantId: newId('tenant'),
    livemode: true,
    keyId: newId('key'),
    kind: 'live',
    scopes: SCOPES,
    appPermissions: {},
    memoryId: null,
    spaceId: null,
    hostMemoryId: null,
    admitUntilMs: Date.now() + TOKEN_LIFETIME_MS,
    ...overrides,
  };
}
