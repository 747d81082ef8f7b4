import { type ChildProcess, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { accessOf, credentialsOf } from './cairn-access.ts';
import { cacheFolder } from '../engines/test-engines.ts';
import { embeddedParts } from './embedded-parts.ts';
import { existingCairn, INSTALLATION_VARIABLE } from './existing-cairn.ts';
import { processesOf } from './processes-of.ts';
import type { RunningCairn } from './running-cairn.ts';
import { temporaryFolder } from '../machine/temporary-folder.ts';

/** The command line, which Node runs. */
export const CAIRN_COMMAND = join(import.meta.dirname, '..', '..', '..', '..', 'apps', 'cairn', 'src', 'main.ts');
/** In what `cairn up` prints, once everything runs. */
export const READY = /^Ready in /m;
export const READY_TIMEOUT_MS = 180_000;
const STOP_TIMEOUT_MS = 30_000;

type BeforeRemoval = (installation: { dataDir: string; output: string }) => Promise<void>;

let beforeRemoval: BeforeRemoval = async () => undefined;

/** Has every installation of this spec file looked at after it was stopped and before its data are deleted. */
export function beforeEachRemoval(look: BeforeRemoval): void {
  beforeRemoval = look;
}

/** Runs `cairn up` as a user would, on a free port and a folder of its own; or uses an installation that already runs. */
export async function startCairn(
  options: { dataDir?: string; args?: string[]; env?: Record<string, string> } = {},
): Promise<RunningCairn> {
  const existing = process.env[INSTALLATION_VARIABLE];
  if (existing !== undefined) return existingCairn(existing, options);
  const dataDir = options.dataDir ?? (await temporaryFolder('cairn-e2e-'));
  let printed = '';
  const child = spawn(process.execPath, [CAIRN_COMMAND, 'up', ...(options.args ?? ['--no-demo'])], {
    env: { ...environmentOfUp(dataDir), ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const collect = (bytes: Buffer) => {
    printed += bytes.toString();
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  await waitForReady(child, () => printed);
  const access = accessOf(await credentialsOf(dataDir));
  const stop = () => endWith(child, 'SIGINT');
  return {
    ...embeddedParts(dataDir, child.pid!),
    embedded: true,
    hostAddress: '127.0.0.1',
    ...access,
    dataDir,
    pid: child.pid!,
    output: () => printed,
    stop,
    async kill9() {
      const tree = await processesOf(dataDir, child.pid!);
      for (const pid of tree) killHard(pid);
      await endWith(child, 'SIGKILL');
    },
    async remove() {
      await stop();
      try {
        await beforeRemoval({ dataDir, output: printed });
      } finally {
        await rm(dataDir, { recursive: true, force: true });
      }
    },
  };
}

/** How specs configure `cairn up`: a free port, and nothing of this machine but the programs that it has fetched. */
export function environmentOfUp(dataDir: string): Record<string, string | undefined> {
  return {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    CAIRN_DATA_DIR: dataDir,
    CAIRN_PORT: '0',
    CAIRN_CACHE_DIR: cacheFolder(),
    // Specs are refused on purpose, more often from one address than a client would be by mistake.
    CAIRN_REFUSED_REQUESTS_PER_SECOND: '100000',
    // Specs share two busy cores, and each is a tenant with bursts of its own.
    CAIRN_OVERLOADED_FROM_MS: '0',
    // Nothing is built here: a spec of the documentation has it built by leaving this empty.
    CAIRN_DOCS_DIR: join(dataDir, 'no-documentation'),
  };
}

async function waitForReady(child: ChildProcess, printed: () => string): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (!READY.test(printed())) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`cairn up ended: ${printed()}`);
    if (Date.now() > deadline) throw new Error(`cairn up is not ready: ${printed()}`);
    await sleep(25);
  }
}

async function endWith(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  child.kill(signal);
  const cut = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  const code = await ended;
  clearTimeout(cut);
  return code;
}

function killHard(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself in the meantime.
  }
}
