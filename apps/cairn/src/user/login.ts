import { hostname } from 'node:os';
import { text as textFrom } from 'node:stream/consumers';
import { readContexts, writeContexts } from './contexts.ts';
import { CredentialError, UsageError } from './failures.ts';
import type { Session } from './session.ts';
import { show } from './show.ts';

const NAME = /^[A-Za-z0-9][A-Za-z0-9.-]{0,62}$/;
/** No key has a character that a header could not carry. */
const KEY = /^[A-Za-z0-9_-]{8,256}$/;
const [ENTER, NEW_LINE, CTRL_C, CTRL_D, DELETE, BACKSPACE] = ['\r', '\n', '\u0003', '\u0004', '\u007f', '\b'];

/** Where the key comes from. Not named: the console, or standard input where that is no terminal. */
export type KeySource = 'console' | 'code' | 'typed' | undefined;

/** `cairn login`: keeps a key that was seen to be valid as a context, and makes that the current one. */
export async function login(
  session: Session,
  named: string | undefined,
  { baseUrl = session.places.baseUrl, source }: { baseUrl: string | undefined; source: KeySource },
): Promise<void> {
  const { places } = session;
  if (baseUrl === undefined) throw new UsageError('Name the installation with --base-url or CAIRN_BASE_URL.');
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
    throw new UsageError(`${baseUrl} is no http or https address.`);
  const known = await readContexts(places.contextsFile);
  const name = named ?? nameOf(baseUrl, known);
  if (!NAME.test(name)) throw new UsageError('A name of a context has letters, digits, points and hyphens.');
  const key = (await keyBy(session, baseUrl, source)).trim();
  if (!KEY.test(key)) throw new CredentialError('That is no API key.');
  const { Cairn } = await import('@cairn/sdk');
  const found = await new Cairn({ baseUrl, apiKey: key }).account.whoami();
  const context = { base_url: baseUrl, api_key: key, memory_id: session.flags.memory ?? null };
  await writeContexts(places.contextsFile, { current: name, contexts: { ...known.contexts, [name]: context } });
  const { credential, tenant } = found;
  show(session, { context: name, base_url: baseUrl, tenant, key_id: credential.id }, () => [
    `${name} is the current context: ${credential.name} of ${tenant.name} at ${baseUrl}.`,
  ]);
  session.say(`The key is kept in ${places.contextsFile} on ${hostname()}, readable by you only.`);
}

/** The host; with its port, where another installation on the host has that name already. */
function nameOf(baseUrl: string, { contexts }: Awaited<ReturnType<typeof readContexts>>): string {
  const { hostname: name, host } = new URL(baseUrl);
  const [short, long] = [name, host].map((text) => text.replaceAll(/[^A-Za-z0-9.-]/g, '-').replace(/^-/, 'ip'));
  return (contexts[short!]?.base_url ?? baseUrl) === baseUrl ? short! : long!;
}

async function keyBy(session: Session, baseUrl: string, source: KeySource): Promise<string> {
  if (source === 'typed' || (source === undefined && !session.streams.stdin.isTTY))
    return readSecret(session, 'API key (it is not shown): ');
  const { keyFromBrowser, keyFromCode } = await import('./key-from-browser.ts');
  if (source === 'code') return keyFromCode(session, baseUrl, (prompt) => readSecret(session, prompt));
  return keyFromBrowser(session, baseUrl);
}

async function readSecret({ streams: { stdin, stderr } }: Session, prompt: string): Promise<string> {
  if (!stdin.isTTY) return textFrom(stdin);
  stderr.write(prompt);
  stdin.setRawMode(true);
  stdin.setEncoding('utf8');
  let typed = '';
  try {
    for await (const text of stdin)
      for (const sign of String(text)) {
        if (sign === ENTER || sign === NEW_LINE) return typed;
        if (sign === CTRL_C || sign === CTRL_D) throw new CredentialError('No key was given.');
        typed = sign === DELETE || sign === BACKSPACE ? typed.slice(0, -1) : typed + sign;
      }
    return typed;
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write('\n');
  }
}
