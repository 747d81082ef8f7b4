import { jest, afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import {
  cleanUp,
  killHard,
  newDataFolder,
  query,
  spawnStarter,
  temporaryFolder,
  track,
  PATIENCE_MS,
} from '../../tests/harness.ts';
import { findFreePort, startPostgres, type EmbeddedPostgres, type StartPostgresOptions } from '../index.ts';
import { commandLine } from '../process/process-identity.ts';

jest.setTimeout(PATIENCE_MS);

let systemDir: string;

async function start(options: StartPostgresOptions): Promise<EmbeddedPostgres> {
  return track(await startPostgres({ systemDir, ...options }));
}

beforeAll(() => {
  systemDir = temporaryFolder();
});
afterAll(cleanUp);

describe('a new data folder', () => {
  const dataDir = { path: '' };
  let server: EmbeddedPostgres;
  beforeAll(async () => {
    dataDir.path = newDataFolder('data');
    server = await start({ dataDir: dataDir.path, settings: { work_mem: '7MB', listen_addresses: '*' } });
  });
  afterAll(() => server.stop());

  it('gets a durable UTF-8 cluster that listens on loopback only, with the settings of the caller', async () => {
    const expected = {
      fsync: 'on',
      full_page_writes: 'on',
      synchronous_commit: 'on',
      wal_level: 'replica',
      max_connections: '200',
      shared_buffers: '128MB',
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      server_encoding: 'UTF8',
      work_mem: '7MB',
    };
    const columns = Object.keys(expected).map((name) => `current_setting('${name}') as ${name}`);
    expect(await query(server, `select ${columns.join()}`)).toEqual([expected]);
  });

  it('asks for a password that no other user of the machine can read', async () => {
    const password = new URL(server.superuserUrl).password;
    const passwordFile = join(dataDir.path, 'superuser-password');
    expect(readFileSync(passwordFile, 'utf8').trim()).toBe(password);
    expect(statSync(passwordFile).mode & 0o777).toBe(0o600);
    expect(await commandLine(server.pid)).not.toContain(password);
    const guess = { superuserUrl: server.superuserUrl.replace(password, 'x') };
    await expect(query(guess, 'select 1')).rejects.toThrow(/password/);
  });

  it('treats letters beyond ASCII as letters, in case folding and in trigrams', async () => {
    await query(server, 'create extension pg_trgm; create extension unaccent; create extension btree_gin');
    const rows = await query(server, `select lower('ÄÉЖ') as folded, show_trgm('жук') as trigrams`);
    expect(rows[0]!.folded).toBe('äéж');
    expect(rows[0]!.trigrams).toHaveLength(4);
  });

  it('runs its server in a session of its own, so that the Ctrl-C of a terminal does not reach it', () => {
    const stat = readFileSync(`/proc/${server.pid}/stat`, 'utf8');
    const session = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3];
    expect(session).toBe(String(server.pid));
  });
});

describe('a start on used data', () => {
  it('keeps rows and URL over stop and start, and stop may be called again', async () => {
    const dataDir = newDataFolder('data');
    const first = await start({ dataDir });
    await query(first, 'create table t as select 42 as answer');
    await first.stop();
    await first.stop();
    expect(await first.exited).toMatchObject({
      code: 0,
      lastLines: expect.arrayContaining([expect.stringContaining('shut down')]),
    });

    const second = await start({ dataDir });
    expect(second).toMatchObject({ superuserUrl: first.superuserUrl, adopted: false });
    expect(await query(second, 'select answer from t')).toEqual([{ answer: 42 }]);
    await second.stop();
  });
});

describe('several starts at once', () => {
  it('run side by side on different folders', async () => {
    const servers = await Promise.all([
      start({ dataDir: newDataFolder('data') }),
      start({ dataDir: newDataFolder('data') }),
    ]);
    expect(new Set(servers.map((server) => server.port)).size).toBe(2);
    for (const server of servers) expect(await query(server, 'select 1 as n')).toEqual([{ n: 1 }]);
    await Promise.all(servers.map((server) => server.stop()));
  });

  it('share one server on the same folder, also from different processes', async () => {
    const dataDir = newDataFolder('data');
    const starter = await spawnStarter('postgres', { dataDir, systemDir });
    const servers = await Promise.all([start({ dataDir }), start({ dataDir }), starter.report]);
    expect(new Set(servers.map((server) => server.pid)).size).toBe(1);
    expect(servers.filter((server) => server.adopted)).toHaveLength(2);
    await killHard(starter.child.pid!);
    await (servers[0] as EmbeddedPostgres).stop();
  });
});

describe('a port in use', () => {
  const blockers: ReturnType<typeof createServer>[] = [];
  afterEach(() => blockers.splice(0).forEach((blocker) => blocker.close()));

  async function block(port: number): Promise<void> {
    const blocker = createServer().listen(port, '127.0.0.1');
    blockers.push(blocker);
    await once(blocker, 'listening');
  }

  it('is refused with its number and the process that has it, when the caller insists on it', async () => {
    const port = await findFreePort();
    await block(port);
    await expect(startPostgres({ dataDir: newDataFolder('data'), port, systemDir })).rejects.toMatchObject({
      code: 'port_in_use',
      message: expect.stringContaining(`127.0.0.1:${port}: the port is in use by node (pid ${process.pid})`),
      hint: expect.stringContaining('another port'),
    });
  });

  it('is replaced by another one, and said so, when it was only remembered', async () => {
    const dataDir = newDataFolder('data');
    const first = await start({ dataDir });
    await first.stop();
    await block(first.port);
    const lines: string[] = [];
    const second = await start({ dataDir, log: (line) => lines.push(line) });
    expect(second.port).not.toBe(first.port);
    expect(lines.join('\n')).toContain(`port ${first.port} of the last start is in use by node (pid ${process.pid})`);
    await second.stop();
  });
});

describe('a start that fails', () => {
  it('carries the last lines of the log', async () => {
    await expect(
      startPostgres({ dataDir: newDataFolder('data'), systemDir, settings: { shared_buffers: 'plenty' } }),
    ).rejects.toMatchObject({
      code: 'start_failed',
      message: expect.stringContaining('invalid value for parameter "shared_buffers": "plenty"'),
    });
  });

  it('says which package is missing', async () => {
    await expect(
      startPostgres({ dataDir: newDataFolder('data'), systemDir, packageDir: temporaryFolder() }),
    ).rejects.toMatchObject({
      code: 'binaries_missing',
      hint: expect.stringContaining('npm install'),
    });
  });
});
