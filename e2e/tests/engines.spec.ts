import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startPostgres, stopPostgres } from '@cairn/embedded';
import { eventually, type RunningCairn, startCairn, temporaryFolder } from '@cairn/testing';
import pg from 'pg';
import { api } from './api.ts';
import { operator } from './operator.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

interface Engine {
  engine_id: string;
  name: string;
  kind: string;
  status: string;
  weight: number;
  memories: number;
  location: string;
  replicas: string;
}

let cairn: RunningCairn;
let folder: string;
let second: { superuserUrl: string; port: number };
/** Where the services reach it. */
let toSecond: TcpProxy;
let adminUrl: string;
beforeAll(async () => {
  folder = await temporaryFolder('cairn-second-');
  [cairn, second] = await Promise.all([startCairn(), startPostgres({ dataDir: join(folder, 'postgres') })]);
  toSecond = await startTcpProxy(`127.0.0.1:${second.port}`, cairn.hostAddress);
  adminUrl = second.superuserUrl.replace(/@[^/]+/, `@${toSecond.address}`);
}, 90_000);
afterAll(async () => {
  await cairn.remove();
  await toSecond.close();
  await stopPostgres({ dataDir: join(folder, 'postgres'), mode: 'immediate' });
  await rm(folder, { recursive: true, force: true });
});

const call = (method: string, path: string, body?: unknown) =>
  api(cairn.baseUrl, cairn.apiKey, method, `/api/v1${path}`, body);
const engines = () => operator<Engine[]>(cairn, 'engine', 'list');
const newMemory = async (name: string) => (await call('POST', '/memories', { display_name: name })).body.memory_id;
const newMemories = async (count: number) => {
  const made: string[] = [];
  for (let n = 0; n < count; n += 1) made.push(await newMemory(`m${n}`));
  return made;
};
const findsOwn = async (memory_id: string) => {
  await call('POST', '/memory/documents', { content: `The badger of ${memory_id} digs.`, memory_id });
  const answer = await eventually(
    () => call('POST', '/memory/search', { query: 'badger', memory_id }),
    ({ body }) => body.results?.length > 0,
  );
  return answer.body.results.map((result: { text: string }) => result.text);
};

const askServer = async (url: string, sql: string, values: unknown[] = []) => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(sql, values);
  await client.end();
  return rows;
};
const askSecond = (sql: string, values: unknown[] = []) =>
  askServer(second.superuserUrl.replace(/\/postgres$/, '/cairn'), sql, values);

describe('a second PostgreSQL server for shared memories', () => {
  it('takes its share of new memories by weight, and each is searchable and apart wherever it lies', async () => {
    const others = (await engines()).find((engine) => engine.name === 'default')!.memories;
    const added = await operator<Engine>(
      cairn,
      'engine',
      'add',
      '--name',
      'second',
      '--admin-url',
      adminUrl,
      '--weight',
      '3',
    );
    expect(added).toMatchObject({ name: 'second', kind: 'shared', status: 'active', weight: 3, memories: 0 });
    expect(added.location).toBe(`${toSecond.address}/cairn`);
    const made = await newMemories(12);
    const listed = await engines();
    const there = listed.find((engine) => engine.name === 'second')!.memories;
    expect(there).toBeGreaterThanOrEqual(4);
    expect(listed.find((engine) => engine.name === 'default')!.memories).toBe(others + 12 - there);
    for (const memory of made) expect(await findsOwn(memory)).toEqual([`The badger of ${memory} digs.`]);
    const rows = await askSecond('SELECT count(DISTINCT memory_id)::int AS memories FROM memory.documents');
    expect(rows).toEqual([{ memories: there }]);
    expect(JSON.stringify(listed)).not.toMatch(/password|postgres(ql)?:\/\//);
  }, 90_000);

  it('lists the threads of the tenant over both servers in the order of their making', async () => {
    const { memories } = (await call('GET', '/memories')).body;
    const made: string[] = [];
    for (const { memory_id } of memories) made.push((await call('POST', '/threads', { memory_id })).body.thread_id);
    const ids = (body: { threads: { thread_id: string }[] }) => body.threads.map((thread) => thread.thread_id);
    expect(ids((await call('GET', '/threads')).body)).toEqual(made);
    const page = (await call('GET', '/threads?limit=5')).body;
    expect(ids(page)).toEqual(made.slice(0, 5));
    expect(ids((await call('GET', `/threads?limit=200&cursor=${page.next_cursor}`)).body)).toEqual(made.slice(5));
  });

  it('gets no more while it drains, keeps what it has, and can be taken back', async () => {
    const engineId = (await engines()).find((engine) => engine.name === 'second')!.engine_id;
    const before = (await engines()).find((engine) => engine.name === 'second')!.memories;
    expect(await operator<Engine>(cairn, 'engine', 'drain', engineId)).toMatchObject({ status: 'draining' });
    const made = await newMemories(4);
    expect((await engines()).find((engine) => engine.name === 'second')!.memories).toBe(before);
    for (const memory of made) expect(await findsOwn(memory)).toHaveLength(1);
    expect(await operator<Engine>(cairn, 'engine', 'drain', engineId, '--undo')).toMatchObject({ status: 'active' });
  }, 90_000);

  it('answers its memories itself while none of the replicas that it was given can', async () => {
    const { engine_id: engineId } = (await engines()).find((engine) => engine.name === 'second')!;
    const { memories } = (await call('GET', '/memories')).body;
    const found = () =>
      Promise.all(
        memories.map(async ({ memory_id }: { memory_id: string }) => {
          const { status, body } = await call('POST', '/memory/search', { query: 'badger', memory_id });
          return [status, body.results?.length];
        }),
      );
    const before = await found();
    // Nobody listens there, and the engine is no replica of itself.
    const replicas = ['127.0.0.1:1', toSecond.address];
    await operator(cairn, 'engine', 'replicas', engineId, ...replicas.flatMap((replica) => ['--replica', replica]));
    expect((await engines()).find((engine) => engine.name === 'second')!.replicas).toBe(replicas.join(' '));
    expect(await found()).toEqual(before);
    await operator(cairn, 'engine', 'replicas', engineId);
    expect((await engines()).find((engine) => engine.name === 'second')!.replicas).toBe('-');
  }, 90_000);

  it('takes a memory over while it is used, and has it alone, though the memory service is killed on the way', async () => {
    const memory_id = await newMemory('moves');
    const before = await findsOwn(memory_id);
    const move = (to: string) => operator<{ to: string }[]>(cairn, 'operator', 'memory', 'move', memory_id, '--to', to);
    // It is on one of them, and moving there is refused.
    const moves = await move('second').catch(() => move('default'));
    expect(moves).toMatchObject([{ memory_id, error: '-' }]);
    await cairn.kill('memory');
    await eventually(
      () => operator<unknown[]>(cairn, 'operator', 'memory', 'moves'),
      (under) => under.length === 0,
      60_000,
    );
    const found = await call('POST', '/memory/search', { query: 'badger', memory_id });
    expect(found.body.results.map((result: { text: string }) => result.text)).toEqual(before);
    const sql = 'SELECT count(*)::int AS documents FROM memory.documents WHERE memory_id = $1';
    const held = {
      second: await askSecond(sql, [memory_id]),
      default: await askServer(await cairn.databaseUrl(), sql, [memory_id]),
    };
    const isSecond = moves[0]!.to !== 'default';
    expect(held).toEqual({ second: [{ documents: isSecond ? 1 : 0 }], default: [{ documents: isSecond ? 0 : 1 }] });
  }, 90_000);

  it('refuses only its own memories with 503 while it is down, and answers again when it is back', async () => {
    const { memories } = (await call('GET', '/memories')).body;
    const statuses = async () => {
      const answers = await Promise.all(
        memories.map(({ memory_id }: { memory_id: string }) =>
          call('POST', '/memory/search', { query: 'badger', memory_id }),
        ),
      );
      return answers.map((answer) => answer.status);
    };
    const there = (await engines()).find((engine) => engine.name === 'second')!.memories;
    await stopPostgres({ dataDir: join(folder, 'postgres'), mode: 'immediate' });
    const down = await statuses();
    expect(down.filter((status) => status === 503)).toHaveLength(there);
    expect(down.filter((status) => status === 200)).toHaveLength(memories.length - there);
    await startPostgres({ dataDir: join(folder, 'postgres'), port: second.port });
    await eventually(statuses, (all) => all.every((status) => status === 200), 30_000);
  }, 90_000);

  it('that cannot be reached is refused without a trace of its password', async () => {
    const wrong = adminUrl.replace(/:\/\/[^@]+@/, '://admin:verysecret@');
    const refused = await operator(cairn, 'engine', 'add', '--name', 'x', '--admin-url', wrong).catch(
      (error: { stderr: string; code: number }) => error,
    );
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be prepared') });
    expect((refused as { stderr: string }).stderr).not.toContain('verysecret');
    expect((await engines()).map((engine) => engine.name)).toEqual(['default', 'second']);
  });
});
