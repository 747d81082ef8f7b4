import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, eventually, type TestDatabase } from '@cairn/testing';
import pg from 'pg';
import { bootMemory, type BootedMemory, type Caller } from './memory-harness.ts';
import { startFlakyProxy, type FlakyProxy } from './flaky-proxy.ts';
import { lookInto } from './stored-words.ts';

const DOCUMENTS = '/api/v1/memory/documents';
const SEARCH = '/api/v1/memory/search';
const STEPS = ['prepareMove', 'copyMemory', 'handOverMemory', 'receiveMemory', 'leaveEngine'] as const;
type Step = (typeof STEPS)[number];

let memory: BootedMemory;
let second: TestDatabase;
let proxy: FlakyProxy;
let replica: Awaited<ReturnType<BootedMemory['replica']>>;
beforeAll(async () => {
  memory = await bootMemory();
  second = await createTestDatabase({ service: 'memory', migrations: [] });
  await memory.store.prepareEngine({ ownerUrl: second.ownerUrl });
  proxy = await startFlakyProxy(second.url);
  const { url, workerUrl } = second;
  memory.engines.set('eng_second', { url: proxy.through(url), workerUrl: proxy.through(workerUrl), revision: 1n });
  replica = await memory.replica();
}, 60_000);
afterAll(async () => {
  await replica.close();
  await memory.close();
  await proxy.cut();
  await second.close();
});

interface SpecMove {
  moveId: string;
  tenantId: string;
  memoryId: string;
  fromEngineId: string;
  toEngineId: string;
}

let moves = 0;
function moveOf(caller: Caller): SpecMove {
  const from = caller.engineId === '' ? 'default' : caller.engineId;
  return {
    moveId: `job_${(moves += 1)}`,
    tenantId: caller.identity.tenantId,
    memoryId: caller.memoryId,
    fromEngineId: from,
    toEngineId: from === 'default' ? 'eng_second' : 'default',
  };
}

/** One step until it says that it is done, as tenancy repeats it; registers the memory where that is its turn. */
async function take(step: Step, move: SpecMove, caller: Caller): Promise<void> {
  if (step === 'receiveMemory') {
    caller.engineId = move.toEngineId;
    await memory.moves.receiveMemory({ move });
    return;
  }
  await eventually(async () => (await memory.moves[step]({ move })).finished, Boolean, 30_000);
}

async function moveAll(caller: Caller): Promise<SpecMove> {
  const move = moveOf(caller);
  for (const step of STEPS) await take(step, move, caller);
  return move;
}

const search = (caller: Caller, query: string, url?: string) =>
  memory.call(caller, 'POST', SEARCH, { query, limit: 20 }, {}, url);
/** What a search says, without what differs from one to the next. */
const answerOf = async (caller: Caller, query: string, url?: string) => {
  const { status, body } = await search(caller, query, url);
  const { answer, citations, results } = body;
  return { status, answer, citations, results };
};
const listed = async (caller: Caller) => {
  const { body } = await memory.call(caller, 'GET', `${DOCUMENTS}?limit=200`);
  return body.documents.map((document: { doc_id: string; title: string; status: string }) => [
    document.doc_id,
    document.title,
    document.status,
  ]);
};
const superuserOf = (engine: string) => (engine === 'eng_second' ? second : memory.database).superuserUrl;
/** Tables of the engine that hold the memory's id, but the note that it has been there. */
async function traces(engine: string, { memoryId }: Caller): Promise<string[]> {
  const look = lookInto(superuserOf(engine));
  const tables = await look.tablesWith(memoryId);
  await look.close();
  return tables.filter((table) => table !== 'memory_moves');
}
async function ask(engine: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: superuserOf(engine) });
  await client.connect();
  await client.query('SET search_path TO memory');
  const { rows } = await client.query(sql);
  await client.end();
  return rows;
}

/** A memory with a graph, deleted words, a conversation, kept searches, a suspended twin and a failed document. */
async function furnished(): Promise<Caller> {
  const caller = memory.newCaller();
  await memory.call(caller, 'PUT', '/api/v1/memory/search-log/settings', { enabled: true });
  const ids = await memory.ingest(
    caller,
    Array.from({ length: 12 }, (_unused, n) => ({
      title: `Note ${n}`,
      external_id: `note-${n}`,
      content: `Note ${n}. Alice Martin works for Badger${n % 5} Industries. The okapi of room ${n} eats ${n + 3} leaves. ${'Further remarks follow here. '.repeat(6)}`,
    })),
  );
  for (const id of ids.slice(0, 4)) await memory.call(caller, 'DELETE', `${DOCUMENTS}/${id}`);
  const { body } = await memory.call(caller, 'POST', '/api/v1/threads', { title: 'Talk' });
  await memory.call(caller, 'POST', SEARCH, { query: 'Who works for Badger3 Industries?', thread_id: body.thread_id });
  return caller;
}

const QUESTIONS = ['okapi leaves', 'Who works for Badger3 Industries?', 'How many leaves eats the okapi of room 7?'];
const asked = async (caller: Caller, url?: string) => {
  const answers = [];
  for (const question of QUESTIONS) answers.push(await answerOf(caller, question, url));
  return answers;
};

describe('a memory that moves to another engine', () => {
  it('answers the same before and after, and loses nothing that was written meanwhile', async () => {
    const caller = await furnished();
    const other = memory.newMemory(caller);
    await memory.ingest(other, [{ content: 'The okapi that stays.' }]);
    const before = await asked(caller);
    const threads = await memory.call(caller, 'GET', '/api/v1/threads');
    const scope = { tenantId: caller.identity.tenantId, engineIds: ['default', 'eng_second'] };
    const used = await memory.store.getStorageUse(scope);
    const documents = await listed(caller);
    const move = moveOf(caller);
    for (const step of STEPS.slice(0, 2)) await take(step, move, caller);
    expect(await memory.store.getStorageUse(scope)).toEqual(used);

    // Writes and reads go on through both replicas, which know the old engine for ten seconds more.
    const acknowledged: string[] = [];
    const refused: unknown[] = [];
    let isWriting = true;
    const writer = async (url: string | undefined, name: string) => {
      for (let n = 0; isWriting; n += 1) {
        const content = `Zebra ${name}${n} was written on the way.`;
        const { status, body } = await memory.call(caller, 'POST', DOCUMENTS, { content }, {}, url);
        if (status === 202) acknowledged.push(body.doc_id ?? body.documents[0].doc_id);
        else refused.push({ status, body });
        const answer = await answerOf(caller, QUESTIONS[0]!, url);
        if (answer.status !== 200) refused.push(answer);
      }
    };
    const writers = [writer(undefined, 'a'), writer(replica.url, 'b')];
    await eventually(() => acknowledged.length, (count) => count > 4);
    for (const step of STEPS.slice(2)) await take(step, move, caller);
    const atSwitch = acknowledged.length;
    await eventually(() => acknowledged.length, (count) => count > atSwitch + 4);
    isWriting = false;
    await Promise.all(writers);

    expect(refused).toEqual([]);
    const after = await eventually(
      () => listed(caller),
      (rows) => rows.every((row: string[]) => row[2] === 'completed'),
      30_000,
    );
    expect(new Set(after.map((row: string[]) => row[0]))).toEqual(
      new Set([...documents.map((row: string[]) => row[0]), ...acknowledged]),
    );
    for (const id of acknowledged) await memory.call(caller, 'DELETE', `${DOCUMENTS}/${id}`);
    for (const url of [undefined, replica.url]) expect(await asked(caller, url)).toEqual(before);
    expect(await memory.call(caller, 'GET', '/api/v1/threads')).toMatchObject({ body: threads.body });
    expect(await traces('default', caller)).toEqual([]);
    expect((await search(other, 'okapi')).body.results).toHaveLength(1);
    const usedAfter = await memory.store.getStorageUse(scope);
    expect(usedAfter.documents).toBe(used.documents + 1n);
    expect(await ask('default', `SELECT tgname FROM pg_trigger WHERE tgname LIKE 'moving%'`)).toEqual([]);
    // It may come back, and new names get numbers that are free.
    await moveAll(caller);
    await memory.ingest(caller, [{ content: 'Ursula Weber works for Heron Industries.' }]);
    await moveAll(caller);
    await memory.ingest(caller, [{ content: 'Otto Lindgren works for Stork Industries.' }]);
    expect((await answerOf(caller, 'Who works for Stork Industries?')).status).toBe(200);
    expect(await traces('default', caller)).toEqual([]);
  }, 120_000);

  it('is on exactly one engine whenever the way is cut, and arrives when the steps are repeated', async () => {
    const caller = await furnished();
    const before = await asked(caller);
    const documents = await listed(caller);
    const move = moveOf(caller);
    for (const step of STEPS) {
      for (const afterMs of [0, 5, 20, 60]) {
        const attempt = take(step, move, caller).catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, afterMs));
        await proxy.cut();
        await attempt;
        await proxy.restore();
      }
      await eventually(() => take(step, move, caller).then(() => true, () => false), Boolean, 30_000);
      const serving = await Promise.all(
        ['default', 'eng_second'].map(async (engine) => {
          const [row] = await ask(engine, `SELECT phase FROM memory_moves WHERE memory_id = '${caller.memoryId}'`);
          return row === undefined || !['left', 'arriving'].includes(row['phase'] as string) ? engine : null;
        }),
      );
      // Between handing over and receiving none serves it: never both.
      const expected = { prepareMove: 'default', copyMemory: 'default', handOverMemory: null } as Record<string, string | null>;
      expect(serving.filter(Boolean)).toEqual([step in expected ? expected[step] : 'eng_second'].filter(Boolean));
      if (step !== 'handOverMemory') expect(await asked(caller)).toEqual(before);
    }
    expect(await listed(caller)).toEqual(documents);
    expect(await traces('default', caller)).toEqual([]);
  }, 120_000);

  it('stays where it is when the move is given up, and nothing of the copy is left', async () => {
    const caller = await furnished();
    const before = await asked(caller);
    const move = moveOf(caller);
    for (const step of STEPS.slice(0, 2)) await take(step, move, caller);
    await memory.ingest(caller, [{ content: 'The walrus was written while it was copied.' }]);
    await eventually(async () => (await memory.moves.abandonMove({ move })).finished);
    expect(await traces('eng_second', caller)).toEqual([]);
    await expect(memory.moves.handOverMemory({ move })).rejects.toMatchObject({ code: 'conflict' });
    expect((await search(caller, 'walrus')).body.results).toHaveLength(1);
    expect((await asked(caller))[1]).toMatchObject({ answer: before[1]!.answer });
    // Steps of the old move do nothing to a memory that is served, wherever it goes next.
    await moveAll(caller);
    await expect(memory.moves.prepareMove({ move })).rejects.toMatchObject({ code: 'conflict' });
    expect(await memory.moves.leaveEngine({ move })).toMatchObject({ finished: true });
    expect((await search(caller, 'walrus')).body.results).toHaveLength(1);
  }, 60_000);
});
