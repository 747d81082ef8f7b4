import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { accessOf, credentialsOf } from './cairn-access.ts';
import { CAIRN_COMMAND, environmentOfUp, READY, READY_TIMEOUT_MS, startCairn } from './cairn-harness.ts';
import { embeddedParts } from './embedded-parts.ts';
import { eventually } from '../eventually.ts';
import { INSTALLATION_VARIABLE } from './existing-cairn.ts';
import { operatorCommand } from './operator-command.ts';
import type { RunningCairn } from './running-cairn.ts';
import { isRunning, PID_FILE, SHARED_VARIABLE, supervisorIn } from '../engines/shared-folder.ts';

/** What specs that share an installation may do with it: they use it, and end or break nothing. */
export type SharedCairn = Omit<RunningCairn, 'kill' | 'without' | 'stop' | 'kill9' | 'output'>;

/**
 * The installation that spec files of this run share, each as a tenant of its own; the first starts it. Spec files that
 * ask for the same settings share one with these settings. For specs that break nothing: a start takes ten seconds of
 * processor time.
 */
export async function sharedCairn(env: Record<string, string> = {}): Promise<SharedCairn> {
  const shared = process.env[SHARED_VARIABLE];
  if (process.env[INSTALLATION_VARIABLE] !== undefined || shared === undefined) return startCairn({ env });
  const { dataDir, pid } = await startedIn(join(shared, folderNameOf(env)), env);
  return {
    ...embeddedParts(dataDir, pid),
    ...accessOf({ ...(await credentialsOf(dataDir)), ...(await ownTenant(dataDir)) }),
    embedded: true,
    hostAddress: '127.0.0.1',
    dataDir,
    pid,
    // Whoever runs the specs stops it.
    remove: async () => undefined,
  };
}

function folderNameOf(env: Readonly<Record<string, string>>): string {
  const settings = Object.entries(env).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, 16);
}

async function startedIn(folder: string, env: Record<string, string>): Promise<{ dataDir: string; pid: number }> {
  const dataDir = join(folder, 'data');
  await mkdir(folder, { recursive: true });
  if (await isMadeBy(mkdir(dataDir))) await start(folder, dataDir, env);
  const pid = (await eventually(
    () => supervisorIn(folder),
    (found) => found !== null,
  ))!;
  const output = () => readFile(join(folder, 'output.log'), 'utf8');
  await eventually(async () => READY.test(await output()) || !isRunning(pid), Boolean, READY_TIMEOUT_MS);
  if (!READY.test(await output())) throw new Error(`cairn up ended: ${await output()}`);
  return { dataDir, pid };
}

/** False when somebody else made the folder before. */
function isMadeBy(making: Promise<unknown>): Promise<boolean> {
  return making.then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
      return false;
    },
  );
}

/** Starts it for all who wait; it outlives the process of this spec file. */
async function start(folder: string, dataDir: string, env: Record<string, string>): Promise<void> {
  const output = await open(join(folder, 'output.log'), 'w');
  const child = spawn(process.execPath, [CAIRN_COMMAND, 'up', '--no-demo'], {
    env: { ...environmentOfUp(dataDir), ...env },
    stdio: ['ignore', output.fd, output.fd],
    detached: true,
  });
  child.unref();
  await output.close();
  await writeFile(join(folder, PID_FILE), String(child.pid!));
}

/** Tried again while what other spec files do keeps the installation from answering. */
function ownTenant(dataDir: string): Promise<Record<string, string>> {
  return eventually(() => operatorCommand(dataDir, 'operator', 'tenant', 'create', '--name', 'My organisation'));
}
