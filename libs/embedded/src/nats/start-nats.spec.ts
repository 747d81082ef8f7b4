import { jest, afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { connect, type NatsConnection } from 'nats';
import {
  asRoot,
  cleanUp,
  copyCheckout,
  folderOf,
  killHard,
  newDataFolder,
  NOBODY,
  spawnStarter,
  temporaryFolder,
  track,
  PATIENCE_MS,
} from '../../tests/harness.ts';
import { findFreePort, runningNatsUrl, startNats, type EmbeddedNats, type StartNatsOptions } from '../index.ts';
import { findNatsServer } from './nats-binary.ts';
import { commandLine, processIdentity } from '../process/process-identity.ts';

jest.setTimeout(PATIENCE_MS);

let natsServerPath: string;

beforeAll(async () => {
  const dataDir = temporaryFolder();
  natsServerPath = (
    await findNatsServer({ natsServerPath: undefined, cacheDir: join(dataDir, 'cache'), dataDir, log: () => {} })
  ).path;
});
afterAll(cleanUp);

async function start(options: StartNatsOptions): Promise<EmbeddedNats> {
  return track(await startNats({ natsServerPath, ...options }));
}

function client(server: Pick<EmbeddedNats, 'port' | 'user' | 'password'>): Promise<NatsConnection> {
  return connect({ port: server.port, user: server.user, pass: server.password, reconnect: false, timeout: 3_000 });
}

async function publish(server: Pick<EmbeddedNats, 'port' | 'user' | 'password'>, count: number): Promise<void> {
  const connection = await client(server);
  await (await connection.jetstreamManager()).streams.add({ name: 'S', subjects: ['s.>'] });
  for (let n = 0; n < count; n++) await connection.jetstream().publish(`s.${n}`, 'x');
  await connection.close();
}

async function storedMessages(server: EmbeddedNats): Promise<number> {
  const connection = await client(server);
  const { state } = await (await connection.jetstreamManager()).streams.info('S');
  await connection.close();
  return state.messages;
}

/** Local addresses of the sockets that a process listens on. */
function listeningAddresses(pid: number): string[] {
  const sockets = readdirSync(`/proc/${pid}/fd`).length > 0 ? readFileSync(`/proc/${pid}/net/tcp`, 'utf8') : '';
  const tables = sockets + readFileSync(`/proc/${pid}/net/tcp6`, 'utf8');
  const inodes = readdirSync(`/proc/${pid}/fdinfo`).map(
    (descriptor) => /^ino:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/fdinfo/${descriptor}`, 'utf8'))?.[1],
  );
  const rows = tables.split('\n').map((line) => line.trim().split(/\s+/));
  return rows.filter((columns) => columns[3] === '0A' && inodes.includes(columns[9])).map((columns) => columns[1]!);
}

describe('a new data folder', () => {
  it('gets a server with JetStream on loopback only, with a password that no other user can read', async () => {
    const dataDir = newDataFolder('nats');
    const server = await start({ dataDir });
    const connection = await client(server);
    expect(connection.info).toMatchObject({ jetstream: true, max_payload: 1024 * 1024, auth_required: true });
    expect(connection.info!.version).toBe(server.version);
    await connection.close();
    await expect(client({ ...server, password: 'guess' })).rejects.toThrow(/Authorization/i);

    // 127.0.0.1 in the kernel's notation; no monitoring or cluster port beside it.
    const port = server.port.toString(16).toUpperCase().padStart(4, '0');
    expect(listeningAddresses(server.pid)).toEqual([`0100007F:${port}`]);
    expect(server.url).toBe(`nats://${server.user}:${server.password}@127.0.0.1:${server.port}`);
    expect(await commandLine(server.pid)).not.toContain(server.password);
    for (const name of ['nats.conf', 'nats-credentials.json']) {
      expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o600);
      expect(readFileSync(join(dataDir, name), 'utf8')).toContain(server.password);
    }
    await server.stop();
    await server.stop();
    expect((await server.exited).lastLines.join('\n')).toContain('Server Exiting');
  });

  it('tells where its server listens only while that runs', async () => {
    const dataDir = newDataFolder('nats');
    expect(await runningNatsUrl(dataDir)).toBeNull();
    const server = await start({ dataDir });
    expect(await runningNatsUrl(dataDir)).toBe(server.url);
    await server.stop();
    expect(await runningNatsUrl(dataDir)).toBeNull();
  });
});

describe('a start on used data', () => {
  it('keeps the URL, and every acknowledged message of a server that was killed with -9', async () => {
    const dataDir = newDataFolder('nats');
    const first = await start({ dataDir });
    await publish(first, 200);
    await killHard(first.pid);
    const second = await start({ dataDir });
    expect(second).toMatchObject({ url: first.url, adopted: false });
    expect(await storedMessages(second)).toBe(200);
    await second.stop();
  });

  it.each(['', ', even when the server has not written its pid file yet'])(
    'takes over the server of a parent that was killed with -9%s',
    async (early) => {
      const dataDir = newDataFolder('nats');
      const starter = await spawnStarter('nats', { dataDir, natsServerPath });
      const left = (await starter.report) as unknown as EmbeddedNats;
      await publish(left, 3);
      await killHard(starter.child.pid!);
      if (early !== '') writeFileSync(join(dataDir, 'nats.pid'), '');

      const adopted = await start({ dataDir });
      expect(adopted).toMatchObject({ pid: left.pid, url: left.url, version: left.version, adopted: true });
      expect(await storedMessages(adopted)).toBe(3);
      await adopted.stop();
      expect(await processIdentity(adopted.pid)).toBeNull();
      await adopted.exited;
    },
  );

  it('ignores a stale pid file whose pid now belongs to a stranger, and leaves the stranger alone', async () => {
    const dataDir = newDataFolder('nats');
    const first = await start({ dataDir });
    await killHard(first.pid);
    const stranger = await track(spawn('sleep', ['60'], { stdio: 'ignore' }));
    writeFileSync(join(dataDir, 'nats.pid'), String(stranger.pid));
    const second = await start({ dataDir });
    expect(second.adopted).toBe(false);
    await second.stop();
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
    stranger.kill('SIGKILL');
  });

  it('killed with -9 at any moment of the parent leaves a folder that starts, with one server', async () => {
    const dataDir = newDataFolder('nats');
    const pids = new Set<number>();
    for (const delayMs of [80, 110, 140, 170, 200, 260]) {
      const starter = await spawnStarter('nats', { dataDir, natsServerPath });
      starter.report.then(
        (report) => pids.add(Number(report.pid)),
        () => {},
      );
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      await killHard(starter.child.pid!);
    }
    const server = await start({ dataDir });
    expect([...pids, server.pid].every((pid) => pid === server.pid)).toBe(true);
    await server.stop();
  });
});

describe('a running server that is too old', () => {
  it('serves on until a program is found that can take its place', async () => {
    const dataDir = newDataFolder('nats');
    const old = await start({ dataDir, natsServerPath: oldServer() });
    expect(old.version).toBe('2.9.25');
    await expect(startNats({ dataDir, natsServerPath: join(dataDir, 'none') })).rejects.toMatchObject({
      code: 'nats_unavailable',
    });
    expect(await runningNatsUrl(dataDir)).toBe(old.url);

    const replacement = await start({ dataDir });
    expect(replacement).toMatchObject({ adopted: false, url: old.url });
    expect(await processIdentity(old.pid)).toBeNull();
    await publish(replacement, 1);
    await replacement.stop();
  });
});

/** A program that claims a version that can be used, and greets with one that cannot. */
function oldServer(): string {
  const folder = temporaryFolder();
  const greeting = `
    const { readFileSync } = require('node:fs');
    const config = readFileSync(process.argv.at(-1), 'utf8');
    const [, port] = /^listen: "127\\.0\\.0\\.1:(\\d+)"$/m.exec(config);
    const [, server_name] = /^server_name: "?([^"\\n]+)"?$/m.exec(config);
    const info = JSON.stringify({ server_name, version: '2.9.25', jetstream: true });
    require('node:net').createServer((socket) => socket.on('error', () => {}).end('INFO ' + info + '\\r\\n'))
      .listen(Number(port), '127.0.0.1');`;
  writeFileSync(join(folder, 'greet.cjs'), greeting);
  const program = join(folder, 'nats-server');
  writeFileSync(
    program,
    `#!/bin/sh\n[ "$1" = --version ] && echo "nats-server: v2.10.0" && exit\nexec "${process.execPath}" "${folder}/greet.cjs" "$@"\n`,
    { mode: 0o755 },
  );
  return program;
}

describe('several starts at once', () => {
  it('run side by side on different folders', async () => {
    const servers = await Promise.all([
      start({ dataDir: newDataFolder('nats') }),
      start({ dataDir: newDataFolder('nats') }),
    ]);
    for (const server of servers) await publish(server, 1);
    expect(new Set(servers.map((server) => server.url)).size).toBe(2);
    await Promise.all(servers.map((server) => server.stop()));
  });

  it('share one server on the same folder, also from different processes', async () => {
    const dataDir = newDataFolder('nats');
    const starter = await spawnStarter('nats', { dataDir, natsServerPath });
    const servers = await Promise.all([start({ dataDir }), start({ dataDir }), starter.report]);
    expect(new Set(servers.map((server) => server.pid)).size).toBe(1);
    expect(servers.filter((server) => server.adopted)).toHaveLength(2);
    await killHard(starter.child.pid!);
    await (servers[0] as EmbeddedNats).stop();
  });
});

it('a port in use is refused with its number and the process that has it', async () => {
  const port = await findFreePort();
  const blocker = createServer().listen(port, '127.0.0.1');
  await once(blocker, 'listening');
  await expect(startNats({ dataDir: newDataFolder('nats'), natsServerPath, port })).rejects.toMatchObject({
    code: 'port_in_use',
    message: expect.stringContaining(`127.0.0.1:${port}: the port is in use by node (pid ${process.pid})`),
  });
  blocker.close();
});

it('a server that cannot start is reported with its last lines', async () => {
  const dataDir = newDataFolder('nats');
  const first = await start({ dataDir });
  await first.stop();
  writeFileSync(
    join(dataDir, 'failing'),
    '#!/bin/sh\ncase $1 in --version) echo "nats-server: v2.10.0";; *) echo "no luck today" >&2; exit 3;; esac\n',
    { mode: 0o755 },
  );
  await expect(startNats({ dataDir, natsServerPath: join(dataDir, 'failing') })).rejects.toMatchObject({
    code: 'start_failed',
    message: expect.stringMatching(/ended with code 3[^]*no luck today/),
  });
});

it('an ordinary user runs a server of their own, and takes it over after -9 on its parent', async () => {
  const checkout = await copyCheckout();
  const account = asRoot ? NOBODY : { uid: process.geteuid!(), gid: process.getegid!() };
  const program = join(checkout.folder, 'nats-server');
  await cp(natsServerPath, program);
  const dataDir = join(await folderOf(account, checkout.folder, 'home'), 'nats');
  const options = { dataDir, natsServerPath: program };
  const first = await spawnStarter('nats', options, { checkout, account });
  const left = (await first.report) as unknown as EmbeddedNats;
  expect(statSync(`/proc/${left.pid}`).uid).toBe(account.uid);
  await publish(left, 1);
  await killHard(first.child.pid!);
  const second = await spawnStarter('nats', options, { checkout, account });
  expect(await second.report).toMatchObject({ pid: left.pid, adopted: true });
  for (const pid of [second.child.pid!, left.pid]) await killHard(pid);
});
