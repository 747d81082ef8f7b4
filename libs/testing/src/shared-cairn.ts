import { execFile, spawn } from 'node:child_process';
import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { CAIRN_COMMAND, credentialsOf, environmentOfUp, READY_TIMEOUT_MS, startCairn } from './cairn-harness.ts';
import { embeddedParts } from './embedded-parts.ts';
import { INSTALLATION_VARIABLE } from './existing-cairn.ts';
import type { RunningCairn } from './running-cairn.ts';
import { READY_FILE, SHARED_VARIABLE, type SharedReady } from './shared-folder.ts';

const run = promisify(execFile);
const OWN_TENANT_TRIES = 10;

/** What specs that share an installation may do with it: they use it, and end or break nothing. */
export type SharedCairn = Omit<RunningCairn, 'kill' | 'without' | 'stop' | 'kill9'>;

/**
 * The installation that spec files of this run share, each as a tenant of its own; the first starts it. For specs that
 * need no settings and break nothing: a start takes ten seconds of processor time.
 */
export async function sharedCairn(): Promise<SharedCairn> {
  const folder = process.env[SHARED_VARIABLE];
  if (process.env[INSTALLATION_VARIABLE] !== undefined || folder === undefined) return startCairn();
  const { dataDir, pid } = await startedIn(folder);
  const credentials = await credentialsOf(dataDir);
  const tenant = await ownTenant(dataDir);
  return {
    ...embeddedParts(dataDir, pid),
    embedded: true,
    hostAddress: '127.0.0.1',
    baseUrl: credentials['base_url']!,
    memoryDomain: credentials['memory_domain']!,
    apiKey: tenant['api_key']!,
    testApiKey: tenant['test_api_key']!,
    tenantId: tenant['tenant_id']!,
    dataDir,
    pid,
    output: () => '',
    // Whoever runs the specs stops it.
    remove: async () => undefined,
  };
}

async function startedIn(folder: string): Promise<SharedReady> {
  await mkdir(folder, { recursive: true });
  const isFirst = await open(join(folder, 'begun'), 'wx').then(
    (file) => file.close().then(() => true),
    () => false,
  );
  if (isFirst) await start(folder);
  const deadline = Date.now() + READY_TIMEOUT_MS;
  for (;;) {
    const text = await readFile(join(folder, READY_FILE), 'utf8').catch(() => null);
    if (text !== null) return JSON.parse(text) as SharedReady;
    if (Date.now() > deadline) throw new Error(`the shared installation is not ready: ${await outputIn(folder)}`);
    await sleep(100);
  }
}

/** Starts it for all who wait; it outlives the process of this spec file. */
async function start(folder: string): Promise<void> {
  const dataDir = join(folder, 'data');
  await mkdir(dataDir);
  const output = await open(join(folder, 'output.log'), 'w');
  const child = spawn(process.execPath, [CAIRN_COMMAND, 'up', '--no-demo'], {
    env: environmentOfUp(dataDir),
    stdio: ['ignore', output.fd, output.fd],
    detached: true,
  });
  child.unref();
  await output.close();
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (!/^Ready in /m.test(await outputIn(folder))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`cairn up: ${await outputIn(folder)}`);
    await sleep(100);
  }
  const ready = { pid: child.pid!, dataDir } satisfies SharedReady;
  await writeFile(join(folder, `${READY_FILE}.new`), JSON.stringify(ready));
  await rename(join(folder, `${READY_FILE}.new`), join(folder, READY_FILE));
}

function outputIn(folder: string): Promise<string> {
  return readFile(join(folder, 'output.log'), 'utf8').catch(() => '');
}

async function ownTenant(dataDir: string): Promise<Record<string, string>> {
  const args = ['operator', 'tenant', 'create', '--name', 'My organisation', '--json'];
  const env = { PATH: process.env['PATH'], CAIRN_DATA_DIR: dataDir };
  // What other spec files do to the installation may keep it from answering for a moment.
  for (let tries = OWN_TENANT_TRIES; ; tries -= 1) {
    try {
      const { stdout } = await run(process.execPath, [CAIRN_COMMAND, ...args], { env });
      return JSON.parse(stdout) as Record<string, string>;
    } catch (error) {
      if (tries === 1) throw error;
      await sleep(2_000);
    }
  }
}
