import { jest, afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import {
  asRoot,
  cleanUp,
  copyCheckout,
  folderOf,
  killHard,
  NOBODY,
  removeLinks,
  spawnStarter,
  temporaryFolder,
  type Checkout,
  PATIENCE_MS,
} from '../../tests/harness.ts';
import { copyBinaries, hydrateInPlace } from './postgres-binaries.ts';
import { findPostgresPackage } from './postgres-package.ts';

jest.setTimeout(PATIENCE_MS);

const account = asRoot ? NOBODY : { uid: process.geteuid!(), gid: process.getegid!() };
let checkout: Checkout;

beforeAll(async () => {
  checkout = await copyCheckout();
});
afterAll(cleanUp);

/** Starts as the ordinary user, proves that the server runs as them, and ends it. */
async function startAsOrdinaryUser(dataDir: string): Promise<Record<string, unknown>> {
  const starter = await spawnStarter('postgres', { dataDir }, { checkout, account });
  const server = await starter.report;
  expect(server).toMatchObject({ adopted: false, dataDirectory: join(dataDir, 'cluster') });
  expect(statSync(`/proc/${server.pid}`).uid).toBe(account.uid);
  await killHard(starter.child.pid!);
  return server;
}

describe('install scripts blocked by npm', () => {
  it('an ordinary user without write access to the package runs a private copy with the links it needs', async () => {
    await removeLinks(checkout.packageDir);
    execFileSync('chmod', ['-R', 'a-w', checkout.packageDir]);
    const home = await folderOf(account, checkout.folder, 'home-1');
    const [first, second] = await Promise.all(['a', 'b'].map((name) => startAsOrdinaryUser(join(home, name))));
    expect(first!.port).not.toBe(second!.port);
    expect(readdirSync(join(home, 'a', 'binaries'))).toHaveLength(1);

    const again = await spawnStarter('postgres', { dataDir: join(home, 'a') }, { checkout, account });
    expect(await again.report).toMatchObject({ pid: first!.pid, adopted: true });
    for (const server of [first!, second!, again.child]) await killHard(Number(server.pid));
  });

  it('an ordinary user who owns the package gets the links made in it', async () => {
    await removeLinks(checkout.packageDir);
    execFileSync('chmod', ['-R', 'u+w', checkout.packageDir]);
    if (asRoot) execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, checkout.packageDir]);
    const home = await folderOf(account, checkout.folder, 'home-2');
    const server = await startAsOrdinaryUser(join(home, 'a'));
    expect(readdirSync(join(home, 'a'))).not.toContain('binaries');
    expect(lstatSync(join(checkout.packageDir, 'native/lib/libpq.so.5')).isSymbolicLink()).toBe(true);
    await killHard(Number(server.pid));
  });

  it('making the links is safe for several starts at once', async () => {
    await removeLinks(checkout.packageDir);
    const source = await findPostgresPackage(checkout.packageDir);
    const results = await Promise.all(Array.from({ length: 8 }, () => hydrateInPlace(source)));
    expect(results).not.toContain(false);
    execFileSync(join(checkout.packageDir, 'native/bin/postgres'), ['--version']);
    expect(readdirSync(join(checkout.packageDir, 'native/lib')).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});

describe('a copy of the binaries', () => {
  it('is made whole, once, by several starts at once, readable by everybody and writable by its maker alone', async () => {
    await removeLinks(checkout.packageDir);
    const source = await findPostgresPackage(checkout.packageDir);
    const home = join(temporaryFolder(), 'system');
    const previous = process.umask(0o077);
    const copies = await Promise.all(Array.from({ length: 3 }, () => copyBinaries(source, home)));
    process.umask(previous);
    expect(new Set(copies).size).toBe(1);
    expect(readdirSync(home)).toHaveLength(1);
    const closed = execFileSync('find', [
      home,
      '!',
      '-type',
      'l',
      '(',
      '!',
      '-perm',
      '-o=r',
      '-o',
      '-perm',
      '/go=w',
      ')',
    ]);
    expect(String(closed)).toBe('');
    execFileSync(join(copies[0]!, 'bin/postgres'), ['--version'], asRoot ? { ...account, cwd: '/' } : {});
  });

  it('that was damaged is replaced', async () => {
    const source = await findPostgresPackage(checkout.packageDir);
    const home = temporaryFolder();
    const copy = await copyBinaries(source, home);
    truncateSync(join(copy, 'bin/initdb'), 10);
    expect(await copyBinaries(source, home)).toBe(copy);
    expect(statSync(join(copy, 'bin/initdb')).size).toBeGreaterThan(10);
    expect(readdirSync(home)).toHaveLength(1);
  });
});

it('an ordinary user is told when the data folder belongs to somebody else', async () => {
  const closed = temporaryFolder(asRoot ? 0o700 : 0o500);
  const starter = await spawnStarter('postgres', { dataDir: join(closed, 'data') }, { checkout, account });
  expect(await starter.report).toMatchObject({
    error: 'start_failed',
    hint: expect.stringContaining('the user who owns'),
  });
});
