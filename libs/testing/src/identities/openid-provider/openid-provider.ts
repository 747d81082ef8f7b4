import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const MAIN = join(import.meta.dirname, 'main.ts');
const REDIRECTS_MAX = 10;

export interface SignedInPerson {
  subject: string;
  email: string;
  emailVerified: boolean;
  name: string;
}

/** What the process says: where it is, and whom it signs in from now on. */
export type ProviderMessage = { issuer: string } | { current: string };

/** What the provider adds to the redirect URI. */
interface ProviderAnswer {
  code: string;
  state: string;
  iss: string;
}

export interface OpenidProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Whoever arrives from now on is this person. */
  signInAs(person: SignedInPerson): Promise<void>;
  /** What a browser does that is led to the address, up to where it would be led back. */
  visit(authorizationUrl: string): Promise<ProviderAnswer>;
  close(): Promise<void>;
}

/** Starts an OpenID provider, `oidc-provider`, on loopback. */
export async function startOpenidProvider(): Promise<OpenidProvider> {
  const [clientId, clientSecret] = ['cairn', 'the secret of the client at the provider'];
  const child = spawn(process.execPath, [MAIN, clientId, clientSecret], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  let said = '';
  child.stderr!.on('data', (bytes: Buffer) => (said += bytes.toString()));
  child.once('exit', (code) => {
    if (code !== 0 && code !== null) process.stderr.write(`the OpenID provider ended with ${code}: ${said}\n`);
  });
  const { issuer } = (await messageOf(child)) as { issuer: string };
  return {
    issuer,
    clientId,
    clientSecret,
    async signInAs(person) {
      const known = messageOf(child);
      child.send(person);
      await known;
    },
    visit: (url) => visit(issuer, url),
    async close() {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

async function messageOf(child: ChildProcess): Promise<ProviderMessage> {
  const known = new AbortController();
  const { signal } = known;
  try {
    const [message] = (await Promise.race([
      once(child, 'message', { signal }),
      once(child, 'exit', { signal }).then(([code]) =>
        Promise.reject(new Error(`the OpenID provider ended with ${code}`)),
      ),
    ])) as [ProviderMessage];
    return message;
  } finally {
    known.abort();
  }
}

async function visit(issuer: string, start: string): Promise<ProviderAnswer> {
  const cookies = new Map<string, string>();
  let url = start;
  for (let redirects = 0; redirects < REDIRECTS_MAX; redirects += 1) {
    if (!url.startsWith(issuer)) {
      const { searchParams } = new URL(url);
      const given = (name: string) => searchParams.get(name) ?? '';
      if (given('code') === '') throw new Error(`the provider refused: ${url}`);
      return { code: given('code'), state: given('state'), iss: given('iss') };
    }
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [pair] = set.split(';', 1) as [string];
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`the provider answered ${response.status}: ${await response.text()}`);
    url = new URL(location, url).href;
  }
  throw new Error('the provider redirects without end');
}
