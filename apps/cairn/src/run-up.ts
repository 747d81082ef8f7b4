import { EmbeddedStartError } from '@cairn/embedded';
import { Cairn } from '@cairn/sdk';
import { collectStartGarbage } from '@cairn/service-kit';
import type { Settings } from './settings.ts';
import { askSample, curlLine, ingestHandbook } from './demo.ts';
import { planDocumentationMemory, updateDocumentationMemory } from './documentation-memory.ts';
import { bringUp, type Installation } from './up/up.ts';
import { UpError } from './up/up-error.ts';

/** The length of the prefix that lists of keys show. */
const KEY_PREFIX_CHARS = 12;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Starts everything, prints how to use it, and runs until it receives a signal. */
export async function runUp(
  settings: Settings,
  options: { demo: boolean },
  say: (line?: string) => void,
): Promise<number> {
  const startedMs = Date.now();
  let ended = false;
  const stopRequested = new Promise<void>((resolve) => {
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        ended = true;
        resolve();
      });
    }
  });
  let installation: Installation;
  try {
    installation = await bringUp({ ...settings, log: (line) => say(`  ${line}`) });
  } catch (error) {
    if (error instanceof UpError || error instanceof EmbeddedStartError) {
      process.stderr.write(
        `cairn: ${error.message}\n${error instanceof EmbeddedStartError ? `       ${error.hint}\n` : ''}`,
      );
      return 1;
    }
    throw error;
  }
  let exitCode = 0;
  const ending = new AbortController();
  let behind: Promise<void> = Promise.resolve();
  try {
    if (!ended) await introduce(installation, settings, options, startedMs, say);
    // It only saves memory.
    collectStartGarbage().catch(() => undefined);
    behind = prepareDocs(installation, options, ending.signal).catch((error: unknown) => {
      if (!ending.signal.aborted) say(`  the documentation cannot be asked: ${String(error)}`);
    });
    const failure = await Promise.race([stopRequested, installation.failed]);
    if (failure instanceof Error) {
      process.stderr.write(`cairn: ${failure.message}\n       Stopping everything; the data is kept.\n`);
      exitCode = 1;
    }
  } finally {
    say('Stopping …');
    ending.abort();
    await behind;
    await installation.stop();
    say('Stopped.');
  }
  return exitCode;
}

/** What nobody waits for: the documentation is built, and the memory that is asked about it follows. */
async function prepareDocs(
  { docs, credentials, documentationFile, first }: Installation,
  options: { demo: boolean },
  signal: AbortSignal,
): Promise<void> {
  if (docs === null) return;
  if (first && options.demo) await planDocumentationMemory(documentationFile);
  if (!(await docs.build(signal))) return;
  const client = new Cairn({ baseUrl: credentials.base_url, apiKey: credentials.api_key });
  await updateDocumentationMemory(client, docs.folder, { file: documentationFile, signal });
}

async function introduce(
  installation: Installation,
  settings: Settings,
  options: { demo: boolean },
  startedMs: number,
  say: (line?: string) => void,
): Promise<void> {
  const { credentials, credentialsFile, first } = installation;
  const seconds = ((Date.now() - startedMs) / 1_000).toFixed(1);
  say();
  say(`Cairn is up after ${seconds} s.`);
  say();
  say(`  base URL   ${credentials.base_url}`);
  say(`  API key    ${first ? credentials.api_key : `${credentials.api_key.slice(0, KEY_PREFIX_CHARS)}…`}`);
  say(`             ${first ? 'shown only this once; stored in' : 'stored in'} ${credentialsFile}`);
  const client = new Cairn({ baseUrl: credentials.base_url, apiKey: credentials.api_key });
  say(`  console    ${await signInLink(client, credentials.base_url)}`);
  say('             signs a browser in once, within ten minutes; `npm run cairn -- console` prints another');
  say(`  docs       ${credentials.base_url}/docs`);
  say(`  data       ${settings.dataDir}`);
  say();
  if (settings.environment['CAIRN_ALLOW_PRIVATE_NETWORK'] === 'true') {
    say('WARNING: CAIRN_ALLOW_PRIVATE_NETWORK is on. Tenants can cause requests to loopback and private addresses,');
    say('         that is, to anything on this machine and its network. For development only.');
    say();
  }
  if (first && options.demo) {
    say('Ingesting the example handbook …');
    const pages = await ingestHandbook(client);
    say(`${pages} pages are searchable.`);
    say();
    for (const line of await askSample(client, credentials.base_url, credentialsFile)) say(line);
  } else {
    say('Ask it something:');
    say(curlLine(credentials.base_url, credentialsFile, 'What changed after the March freezer alarm outage?'));
  }
  say();
  say(`Ready in ${((Date.now() - startedMs) / 1_000).toFixed(1)} s. Press Ctrl-C to stop everything.`);
}

/** A link with a ticket behind it; without one, when the key may no longer make any, a page that asks for a key. */
async function signInLink(client: Cairn, baseUrl: string): Promise<string> {
  const ticket = await client.sessions.createTicket().catch(() => null);
  return ticket?.url ?? `${baseUrl}/console`;
}
