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

/** One request for a key: whom the console encrypts it to, and what the person compares. */
interface KeyRequest {
  privateKey: KeyObject;
  state: string;
  /** The page of the console that asks the person to confirm. */
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
  const keyRequest = await createKeyRequest(baseUrl);
  const received = Promise.withResolvers<string>();
  const server = createServer((request, response) => {
    const parameters = callbackParameters(request, keyRequest.state);
    if (parameters === null) return respond(response, 404, 'Not found.');
    const sealed = parameters.get('sealed');
    if (sealed === null) received.reject(new CredentialError('The request was refused in the console.'));
    else received.resolve(sealed);
    respond(response, 200, `The command line was ${sealed === null ? 'refused' : 'given its key'}. Close this page.`);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  keyRequest.url.searchParams.set('port', String((server.address() as AddressInfo).port));
  const giveUp = () => received.reject(new CredentialError('Nobody answered in the console within ten minutes.'));
  const timer = setTimeout(giveUp, WAIT_MS);
  try {
    printInstructions(session, keyRequest);
    const [sealed] = await Promise.all([received.promise, openPage(keyRequest.url.href)]);
    return decrypt(keyRequest, sealed);
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
  const keyRequest = await createKeyRequest(baseUrl);
  printInstructions(session, keyRequest);
  return decrypt(keyRequest, (await readCode('What the console shows then: ')).trim());
}

async function createKeyRequest(baseUrl: string): Promise<KeyRequest> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: MODULUS_BITS });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const state = randomBytes(STATE_BYTES).toString('base64url');
  const url = new URL('/console/command-line', baseUrl);
  const parameters = { public_key: spki.toString('base64url'), machine: hostname(), state };
  url.search = new URLSearchParams(parameters).toString();
  const [head, tail] = createHash('sha256').update(spki).digest('hex').toUpperCase().match(/.{4}/g)!;
  return { privateKey, state, url, code: `${head}-${tail}` };
}

/** Null for every request but the console's redirect: other pages in the browser can reach the port, too. */
function callbackParameters(
  { url = '', method, headers, socket }: IncomingMessage,
  state: string,
): URLSearchParams | null {
  const origin = `http://127.0.0.1:${socket.localPort}`;
  if (method !== 'GET' || `http://${headers.host}` !== origin || !URL.canParse(url, origin)) return null;
  const { pathname, searchParams } = new URL(url, origin);
  return pathname === CALLBACK && searchParams.get('state') === state ? searchParams : null;
}

/** What the person has to see, even with `--quiet`. */
function printInstructions({ streams: { stderr } }: Session, { url, code }: KeyRequest): void {
  stderr.write(`Make a key for this machine in the console, which shows the code ${code} as well:\n  ${url.href}\n`);
}

function decrypt({ privateKey }: KeyRequest, sealed: string): string {
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

function respond(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    Connection: 'close',
  });
  response.end(text);
}
