import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How an ID token is signed, or is not. */
export type Signing = 'by its key' | 'by a stranger with its key id' | 'with the client secret' | 'by nobody';

export interface ForgingProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Replaces the key that it signs with and publishes. */
  rotate(): void;
  keysFetched(): number;
  /** The claims of the next ID token, and who signs it. */
  next: { claims: Record<string, unknown>; signing: Signing };
  close(): Promise<void>;
}

/** What a browser would bring back. */
export function answerOf(url: string, issuer: string): { code: string; state: string; iss: string } {
  return { code: url, state: new URL(url).searchParams.get('state')!, iss: issuer };
}

/**
 * A provider as it looks through something that inspects TLS and changes what passes: discovery and keys are the
 * provider's own, the ID token is signed as the spec says.
 */
export async function startForgingProvider(): Promise<ForgingProvider> {
  const [clientId, clientSecret] = ['cairn', 'a secret of the client at the provider'];
  let key = newKey();
  let keysFetched = 0;
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: ForgingProvider = {
    issuer,
    clientId,
    clientSecret,
    rotate: () => (key = newKey()),
    keysFetched: () => keysFetched,
    next: { claims: {}, signing: 'by its key' },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const idToken = (code: string) => {
    const { claims, signing } = provider.next;
    const now = Math.floor(Date.now() / 1_000);
    const nonce = new URL(code).searchParams.get('nonce');
    const payload = { iss: issuer, aud: clientId, iat: now, exp: now + 60, nonce, ...claims };
    return signed({ alg: ALGORITHMS[signing], kid: key.kid }, payload, { signing, key: key.privateKey, clientSecret });
  };
  server.on('request', (request, response) => {
    const path = new URL(request.url!, issuer).pathname;
    if (path === '/keys') keysFetched += 1;
    const metadata = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
    };
    if (path === '/keys') return answer(response, { keys: [key.published] });
    if (path !== '/token') return answer(response, metadata);
    void readForm(request).then((form) =>
      answer(response, { access_token: randomUUID(), token_type: 'Bearer', id_token: idToken(form.get('code')!) }),
    );
  });
  return provider;
}

const ALGORITHMS: Record<Signing, string> = {
  'by its key': 'RS256',
  'by a stranger with its key id': 'RS256',
  'with the client secret': 'HS256',
  'by nobody': 'none',
};

function newKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const kid = randomUUID();
  const published = { ...createPublicKey(privateKey).export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' };
  return { privateKey, kid, published };
}

function signed(
  header: object,
  payload: object,
  { signing, key, clientSecret }: { signing: Signing; key: KeyObject; clientSecret: string },
): string {
  const text = [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  const bytes = Buffer.from(text);
  switch (signing) {
    case 'by its key':
      return `${text}.${sign('sha256', bytes, key).toString('base64url')}`;
    case 'by a stranger with its key id':
      return `${text}.${sign('sha256', bytes, newKey().privateKey).toString('base64url')}`;
    case 'with the client secret':
      return `${text}.${createHmac('sha256', clientSecret).update(bytes).digest('base64url')}`;
    case 'by nobody':
      return `${text}.`;
  }
}

function answer(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return new URLSearchParams(text);
}
