import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Names of this measurement, and their addresses by now. */
export interface HostNames {
  set(name: string, addresses: readonly string[]): Promise<void>;
}

const HOSTS = '/etc/hosts';
const INSIDE = 'CAIRN_BENCH_OWN_NAMES';

/**
 * Runs the script once more where it has a file of names of its own, which nobody else sees, and returns its exit code;
 * null there. Needs root on Linux, for a mount namespace.
 */
export async function enterOwnNames(script: string, args: readonly string[]): Promise<number | null> {
  if (process.env[INSIDE] !== undefined) return null;
  const folder = await mkdtemp(join(tmpdir(), 'cairn-names-'));
  const file = join(folder, 'hosts');
  await writeFile(file, await readFile(HOSTS, 'utf8'));
  const inside = ['sh', '-c', `mount --bind "$0" ${HOSTS} && exec "$@"`, file, process.execPath, script, ...args];
  const child = spawn('unshare', ['--mount', '--propagation', 'private', ...inside], {
    stdio: 'inherit',
    env: { ...process.env, [INSIDE]: 'yes' },
  });
  const code = await new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (ended) => resolve(ended ?? 1));
  });
  await rm(folder, { recursive: true, force: true });
  return code;
}

export async function openNames(): Promise<HostNames> {
  const before = await readFile(HOSTS, 'utf8');
  const known = new Map<string, readonly string[]>();
  return {
    async set(name, addresses) {
      known.set(name, addresses);
      const lines = [...known].flatMap(([each, all]) => all.map((address) => `${address} ${each}`));
      // In place: the mount leads to this very file.
      await writeFile(HOSTS, `${before.trimEnd()}\n${lines.join('\n')}\n`);
    },
  };
}
