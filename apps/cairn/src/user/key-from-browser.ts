import { constants, createHash, generateKeyPair, type KeyObject, privateDecrypt, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { promisify } from 'node:util';
import { CredentialError } from './failures.ts';
import type { Session } from './session.ts';

/** NIST SP 800-57 asks for 3072 bits from 2031 on. */
const MODULUS_BITS = 3072;
const STATE_BYTES = 16;
const WAIT_MS = 10 * 60_000;
const SEALED = /^[A-Za-z0-9_-]{512}$/;
const CALLBACK = '/callback';

/** Whom the console seals the key to, and what the person compares. */
interface Asking {
  privateKey: KeyObject;
  state: string;
  /** The page of the console that asks the person. */
  url: URL;
  /** That page shows it as well. */
  code: string;
}

/**
 * A key that a signed-in person makes for this machine in the console. It comes sealed to a key pair of this process
 * (RSA-OAEP with SHA-256), by a redirect to a port of the loopback interface (RFC 8252, section 7.3), so that neither
 * the address nor the browser's history ever holds it. Throws CredentialError when refused or not answered in time.
 */
export async function keyFromBrowser(session: Session, baseUrl: string): Promise<string> {
  const asking = await newAsking(baseUrl);
  const answered = Promise.withResolvers<string>();
  const server = createServer((request, response) => {
    const told = toldBy(request, asking.state);
    if (told === null) return finish(response, 404, 'Not found.');
    const sealed = told.get('sealed');
    if (sealed === null) answered.reject(new CredentialError('The console was told to refuse.'));
    else answered.resolve(sealed);
    finish(response, 200, `The command line was ${sealed === null ? 'refused' : 'given its key'}. Close this page.`);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  asking.url.searchParams.set('port', String((server.address() as AddressInfo).port));
  const giveUp = () => answered.reject(new CredentialError('Nobody answered in the console within ten minutes.'));
  const timer = setTimeout(giveUp, WAIT_MS);
  try {
    tell(session, asking);
    const [sealed] = await Promise.all([answered.promise, openPage(asking.url.href)]);
    return unseal(asking, sealed);
  } finally {
    clearTimeout(timer);
    server.close();
    server.closeIdleConnections();
  }
}

/** The same where the browser runs on another machine: the console shows the sealed key, and it is pasted here. */
export async function keyFromCode(
  session: Session,
  baseUrl: string,
  readCode: (prompt: string) => Promise<string>,
): Promise<string> {
  const asking = await newAsking(baseUrl);
  tell(session, asking);
  return unseal(asking, (await readCode('What the console shows then: ')).trim());
}

async function newAsking(baseUrl: string): Promise<Asking> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: MODULUS_BITS });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const state = randomBytes(STATE_BYTES).toString('base64url');
  const url = new URL('/console/command-line', baseUrl);
  const asked = { public_key: spki.toString('base64url'), machine: hostname(), state };
  url.search = new URLSearchParams(asked).toString();
  const [head, tail] = createHash('sha256').update(spki).digest('hex').toUpperCase().match(/.{4}/g)!;
  return { privateKey, state, url, code: `${head}-${tail}` };
}

/** Null for every request but the one that the console leads to: other pages of the browser can reach the port, too. */
function toldBy({ url = '', method, headers, socket }: IncomingMessage, state: string): URLSearchParams | null {
  const origin = `http://127.0.0.1:${socket.localPort}`;
  if (method !== 'GET' || `http://${headers.host}` !== origin || !URL.canParse(url, origin)) return null;
  const { pathname, searchParams } = new URL(url, origin);
  return pathname === CALLBACK && searchParams.get('state') === state ? searchParams : null;
}

/** What the person has to see, even with `--quiet`. */
function tell({ streams: { stderr } }: Session, { url, code }: Asking): void {
  stderr.write(`Make a key for this machine in the console, which shows the code ${code} as well:\n  ${url.href}\n`);
}

function unseal({ privateKey }: Asking, sealed: string): string {
  if (!SEALED.test(sealed)) throw new CredentialError('That is not what the console showed.');
  const padding = { key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' };
  try {
    return privateDecrypt(padding, Buffer.from(sealed, 'base64url')).toString();
  } catch {
    throw new CredentialError('That was made for another login. Start again.');
  }
}

/** Where no browser can be opened, the printed address is there still. */
async function openPage(url: string): Promise<void> {
  const { default: open } = await import('open');
  const browser = await open(url).catch(() => undefined);
  browser?.on('error', () => undefined);
}

function finish(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    Connection: 'close',
  });
  response.end(text);
}
