import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { newId, SCOPES, SERVICE_NAMES, type ServiceName } from '@cairn/contracts';
import {
  BINDING_HEADER,
  createRequestBinder,
  createServiceTokenSource,
  createTokenSigner,
  createTokenVerifier,
  generateRequestKey,
  generateSigningKey,
  type Identity,
  IDENTITY_HEADER,
  requestKeysOf,
  type ServiceTokenSource,
  type TokenSigner,
  type TokenVerifier,
} from '@cairn/identity';

const SIGNERS = ['gateway', 'keys', 'tenancy', 'memory', 'webhooks', 'research', 'usage', 'operator'] as const;
/** Longer than any spec takes. */
const TOKEN_LIFETIME_MS = 15 * 60_000;

export interface TestIdentities {
  jwksFile: string;
  /** A key to encrypt stored secrets with. */
  keyEncryptionKeysFile: string;
  signingKeyFile(signer: (typeof SIGNERS)[number]): string;
  /** The request keys of all services; a service reads its own. */
  requestKeysFile: string;
  /** What a service checks the tokens of the others with. */
  verifier(): Promise<TokenVerifier>;
  /** The identity token that a gateway would send to the service for this caller. */
  token(identity: Identity, service: ServiceName): Promise<string>;
  /** What the part calls others with. */
  serviceTokens(part: (typeof SIGNERS)[number]): ServiceTokenSource;
  /** The headers with which a gateway would forward this request to the service for the caller; null: for nobody. */
  headersFor(identity: Identity | null, request: ForwardedRequest): Promise<Record<string, string>>;
  /** `fetch` that sends each request as a gateway would forward it. */
  fetchAs(identity: Identity | null, service: ServiceName): typeof fetch;
  remove(): Promise<void>;
}

export interface ForwardedRequest {
  service: ServiceName;
  /** Default: GET. */
  method?: string | undefined;
  /** URL, or path and query. */
  url: string;
}

/** Signing keys for every part, in files as in production. */
export async function createTestIdentities(): Promise<TestIdentities> {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-keys-'));
  const signers = new Map<string, TokenSigner>();
  const publicKeys: Awaited<ReturnType<typeof generateSigningKey>>['publicJwk'][] = [];
  for (const name of SIGNERS) {
    const { privateJwk, publicJwk } = await generateSigningKey(name);
    await writeFile(join(folder, `${name}.json`), JSON.stringify(privateJwk));
    signers.set(name, await createTokenSigner(privateJwk));
    publicKeys.push(publicJwk);
  }
  const jwksFile = join(folder, 'jwks.json');
  await writeFile(jwksFile, JSON.stringify({ keys: publicKeys }));
  const requestKeys = SERVICE_NAMES.map(generateRequestKey);
  const requestKeysFile = join(folder, 'requests.jwks.json');
  await writeFile(requestKeysFile, JSON.stringify({ keys: requestKeys }));
  const keyEncryptionKeysFile = join(folder, 'key-encryption.jwks.json');
  const key = { kty: 'oct', kid: 'first', k: randomBytes(32).toString('base64url') };
  await writeFile(keyEncryptionKeysFile, JSON.stringify({ keys: [key] }));
  const identities: Omit<TestIdentities, 'fetchAs'> = {
    jwksFile,
    keyEncryptionKeysFile,
    signingKeyFile: (signer) => join(folder, `${signer}.json`),
    requestKeysFile,
    verifier: () => createTokenVerifier(publicKeys),
    token: (identity, service) => signers.get('gateway')!.signIdentity(identity, service),
    serviceTokens: (part) => createServiceTokenSource(signers.get(part)!, part),
    async headersFor(identity, { service, method = 'GET', url }) {
      const gateway = signers.get('gateway')!;
      const token =
        identity === null
          ? await gateway.signService({ service: 'gateway', admitUntilMs: Date.now() + TOKEN_LIFETIME_MS }, service)
          : await gateway.signIdentity(identity, service);
      const bind = createRequestBinder(requestKeysOf(requestKeys, service)[0]!);
      return { [IDENTITY_HEADER]: token, [BINDING_HEADER]: bind({ method, target: targetOf(url), token }) };
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
  return {
    ...identities,
    fetchAs: (identity, service) => async (input, init) => {
      const request = input instanceof Request ? input : null;
      const forwarded = { service, method: init?.method ?? request?.method, url: request?.url ?? String(input) };
      const headers = new Headers(init?.headers ?? request?.headers ?? {});
      for (const [name, value] of Object.entries(await identities.headersFor(identity, forwarded)))
        headers.set(name, value);
      // Not as a new Request: the signal of a copy may be collected as garbage before it aborts.
      return fetch(input, { ...init, headers });
    },
  };
}

/** What a client sends of a URL in the first line of a request. */
function targetOf(url: string): string {
  const { pathname, search } = new URL(url, 'http://service');
  return pathname + search;
}

/** A caller with every scope on a tenant of its own, unless given others. */
export function testIdentity(overrides: Partial<Identity> = {}): Identity {
  const keyId = overrides.keyId ?? newId('key');
  return {
    tenantId: newId('tenant'),
    livemode: true,
    keyId,
    credentialId: keyId,
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
