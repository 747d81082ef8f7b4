import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { eventually, type ReplicatedPostgres, seededRandom, startReplicatedPostgres } from '@cairn/testing';
import { readMetrics } from '@cairn/telemetry';
import pg from 'pg';
import { bootMemory, type BootedMemory, type Caller } from './memory-harness.ts';

jest.setTimeout(180_000);

const INDEXED_TIMEOUT_MS = 60_000;
const DOCUMENTS = '/api/v1/memory/documents';

let servers: ReplicatedPostgres;
let memory: BootedMemory;
/** Has one document. */
let settled: Caller;
let second: Awaited<ReturnType<BootedMemory['replica']>>;

beforeAll(async () => {
  servers = await startReplicatedPostgres(2);
  memory = await bootMemory({}, servers);
  second = await memory.replica();
  settled = memory.newCaller();
  // Also waits for the processes that read documents.
  const { body } = await call(settled, memory.url, 'POST', DOCUMENTS, { content: 'The okapi that was there before.' });
  await findable(settled, body.documents[0].doc_id);
}, 120_000);
afterAll(async () => {
  await second.close();
  await memory.close();
  await servers.remove();
});

const processes = () => [memory.url, second.url];
const call = (caller: Caller, url: string, method: string, path: string, body?: unknown) =>
  memory.call(caller, method, path, body, {}, url);
const found = async (caller: Caller, url: string): Promise<string[]> => {
  const { body } = await call(caller, url, 'POST', '/api/v1/memory/search', { query: 'okapi', top_k: 50 });
  return body.results.map((result: { doc_id: string }) => result.doc_id).sort();
};
const listed = async (caller: Caller, url: string): Promise<string[]> => {
  const { body } = await call(caller, url, 'GET', DOCUMENTS);
  return body.documents.map((document: { doc_id: string }) => document.doc_id).sort();
};

/** Waits until a document is in the index; it is read for the graph after that. */
const findable = (caller: Caller, id: string, urlOf = () => memory.url) =>
  eventually(
    () => call(caller, urlOf(), 'GET', `${DOCUMENTS}/${id}`),
    ({ body }) => ['linking', 'completed'].includes(body.status),
    INDEXED_TIMEOUT_MS,
  );

/** How often the requests of both processes read where. */
async function readsSoFar(): Promise<{ replica: number; primary: number }> {
  const { text } = await readMetrics();
  const counted = [...text.matchAll(/^cairn_db_replica_reads_total\{.*outcome="(\w+)".*\} (\d+)/gm)];
  const sum = (wanted: (outcome: string) => boolean) =>
    counted.reduce((total, [, outcome, count]) => total + (wanted(outcome!) ? Number(count) : 0), 0);
  return { replica: sum((outcome) => outcome === 'replica'), primary: sum((outcome) => outcome !== 'replica') };
}

/** A transaction of somebody else that goes on all the time: on a replica nothing says that it does. */
async function openTransaction(): Promise<{ close(): Promise<void> }> {
  const client = new pg.Client({ connectionString: memory.database.superuserUrl });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('BEGIN; CREATE TABLE going_on (n int); SELECT pg_switch_wal()');
  return { close: () => client.end() };
}

it('answers what was written through one process by the other one, while replicas fall behind', async () => {
  const random = seededRandom(1_128);
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)]!;
  const before = await readsSoFar();
  const other = await openTransaction();
  let isWorking = true;

  const writer = async (name: string) => {
    const caller = memory.newCaller();
    const there = new Set<string>();
    for (let step = 0; step < 10; step += 1) {
      if (there.size > 0 && random() < 0.7) {
        const gone = pick([...there]);
        expect((await call(caller, pick(processes()), 'DELETE', `${DOCUMENTS}/${gone}`)).status).toBe(200);
        there.delete(gone);
        expect((await call(caller, pick(processes()), 'GET', `${DOCUMENTS}/${gone}`)).status).toBe(404);
      } else {
        const documents = [1, 2, 3].map((n) => ({ content: `The okapi ${n} of ${name} in step ${step}.` }));
        const { body } = await call(caller, pick(processes()), 'POST', DOCUMENTS, { documents });
        const ids: string[] = body.documents.map((document: { doc_id: string }) => document.doc_id);
        expect(await listed(caller, pick(processes()))).toEqual(expect.arrayContaining(ids));
        for (const id of ids) {
          await findable(caller, id, () => pick(processes()));
          there.add(id);
        }
      }
      const expected = [...there].sort();
      expect(await found(caller, pick(processes()))).toEqual(expected);
      expect(await listed(caller, pick(processes()))).toEqual(expected);
    }
  };
  const trouble = async () => {
    while (isWorking) {
      const replica = pick(servers.replicas);
      await replica.pause();
      await sleep(50 + random() * 300);
      await replica.resume();
      await sleep(random() * 300);
    }
  };
  const beside = trouble();
  try {
    await Promise.all(['Ada', 'Ben'].map(writer));
  } finally {
    isWorking = false;
    await beside;
    await other.close();
  }
  const after = await readsSoFar();
  // How many of each depends on how fast documents become findable; both must have answered.
  expect(after.replica - before.replica).toBeGreaterThan(3);
  expect(after.primary - before.primary).toBeGreaterThan(3);
});

it('answers nothing of a memory that was closed, while every replica still shows it', async () => {
  const caller = memory.newCaller();
  await call(caller, memory.url, 'POST', DOCUMENTS, { content: 'The okapi that is to be erased.' });
  expect(await listed(caller, second.url)).toHaveLength(1);
  await servers.caughtUp();
  await Promise.all(servers.replicas.map((replica) => replica.pause()));
  await memory.store.closeScope({ scope: { tenantId: caller.identity.tenantId, memoryId: caller.memoryId } });
  for (const url of processes()) expect((await call(caller, url, 'GET', DOCUMENTS)).status).toBe(404);
  await Promise.all(servers.replicas.map((replica) => replica.resume()));
  for (const url of processes()) expect((await call(caller, url, 'GET', DOCUMENTS)).status).toBe(404);
});

it('answers as before while both replicas are down', async () => {
  const before = await found(settled, memory.url);
  expect(before).toHaveLength(1);
  await Promise.all(servers.replicas.map((replica) => replica.kill9()));
  for (let n = 0; n < 4; n += 1) for (const url of processes()) expect(await found(settled, url)).toEqual(before);
  await Promise.all(servers.replicas.map((replica) => replica.restart()));
  const soFar = await readsSoFar();
  await eventually(async () => {
    expect(await found(settled, second.url)).toEqual(before);
    return (await readsSoFar()).replica > soFar.replica;
  });
});
