import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, createServer, type Socket } from 'node:net';
import { eventually, listenOnLoopback, type TestDatabase } from '@cairn/testing';
import { createDatabase } from '../src/index.ts';
import { asSuperuser, createNotesDatabase, terminate } from './notes-schema.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createNotesDatabase();
});
afterAll(() => database.close());

const listenerOver = (url: string) => createDatabase({ url, applicationName: 'listener', poolMax: 1 });
const notify = (payload: string) =>
  database.app.transaction((tx) => tx.query('SELECT pg_notify($1, $2)', ['chan.x', payload]));

async function listeningBackends(): Promise<number[]> {
  const rows = await asSuperuser<{ pid: number }>(
    database,
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'listener:listen'",
  );
  return rows.map(({ pid }) => pid);
}

/** A road to PostgreSQL that can be shut, and that remembers when somebody tried it. */
async function startRoad(): Promise<{ url: string; attempts: number[]; open: boolean; cut(): void; close(): void }> {
  const target = new URL(database.url);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    road.attempts.push(performance.now());
    near.on('error', () => undefined);
    if (!road.open) return near.destroy();
    const far = connect(Number(target.port), target.hostname);
    far.on('error', () => near.destroy());
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
    sockets.add(near);
    near.pipe(far).pipe(near);
  });
  const port = await listenOnLoopback(server);
  const url = new URL(database.url);
  url.port = String(port);
  const cut = () => sockets.forEach((socket) => socket.destroy());
  const road = {
    url: url.href,
    attempts: [] as number[],
    open: true,
    cut,
    close() {
      cut();
      server.close();
    },
  };
  return road;
}

describe('listen', () => {
  it('gives what was notified, and nothing after it is closed', async () => {
    const owner = listenerOver(database.url);
    const heard: string[] = [];
    const handle = await owner.listen('chan.x', (payload) => heard.push(payload));
    await notify('one');
    await eventually(() => heard.length === 1);
    await handle.close();
    await notify('two');
    expect(heard).toEqual(['one']);
    await eventually(listeningBackends, (pids) => pids.length === 0);
    await owner.close();
  });

  it('connects again after its backend was ended, and nudges, as something may have been missed', async () => {
    const owner = listenerOver(database.url);
    const heard: string[] = [];
    const handle = await owner.listen('chan.x', (payload) => heard.push(payload));
    for (const pid of await listeningBackends()) await terminate(database, pid);
    await eventually(() => heard.includes(''));
    await notify('after');
    await eventually(() => heard.includes('after'));
    expect(heard).toEqual(['', 'after']);
    await handle.close();
    await owner.close();
  });

  it('makes one attempt after the other while the database is away, and holds one connection afterwards', async () => {
    const road = await startRoad();
    const owner = listenerOver(road.url);
    let nudges = 0;
    const handle = await owner.listen('chan.x', () => {
      nudges += 1;
    });
    road.open = false;
    road.attempts.length = 0;
    road.cut();
    await eventually(() => road.attempts.length >= 4);
    const pauses = road.attempts.slice(1).map((at, n) => at - road.attempts[n]!);
    expect(Math.min(...pauses)).toBeGreaterThan(400);
    road.open = true;
    await eventually(() => nudges === 1);
    expect(await listeningBackends()).toHaveLength(1);
    await handle.close();
    await owner.close();
    road.close();
  });

  it('starts while the database is away, and listens once it is there', async () => {
    const road = await startRoad();
    road.open = false;
    const owner = listenerOver(road.url);
    const heard: string[] = [];
    const handle = await owner.listen('chan.x', (payload) => heard.push(payload));
    road.open = true;
    await eventually(() => heard.includes(''));
    await notify('late');
    await eventually(() => heard.includes('late'));
    await handle.close();
    await owner.close();
    road.close();
  });

  it('makes no attempt after it was closed, even when one was under way', async () => {
    const road = await startRoad();
    road.open = false;
    const owner = listenerOver(road.url);
    const handle = await owner.listen('chan.x', () => undefined);
    const before = road.attempts.length;
    await eventually(() => road.attempts.length > before);
    await handle.close();
    road.open = true;
    const settled = road.attempts.length;
    // A probe after it proves that the time of a further attempt has passed, on the same clock.
    const start = performance.now();
    await eventually(() => performance.now() - start > 700);
    expect(road.attempts).toHaveLength(settled);
    expect(await listeningBackends()).toEqual([]);
    await owner.close();
    road.close();
  });
});
