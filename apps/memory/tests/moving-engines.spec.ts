import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cairn/contracts';
import { createSegmentIndex } from '@cairn/search-index';
import { createTestDatabase, eventually, type TestDatabase } from '@cairn/testing';
import pg from 'pg';
import { insertChunks } from '../src/documents/chunk-store.ts';
import type { WholeEngine } from '../src/memories/engines.ts';
import { unwatch } from '../src/moving/prepare-move.ts';
import { moveSearch } from '../src/opensearch/move-search.ts';
import { bootMemory, type BootedMemory, type Caller } from './memory-harness.ts';
import { startFlakyProxy, type FlakyProxy } from './flaky-proxy.ts';
import { lookInto } from './stored-words.ts';
import { ANALYSER } from '../src/text/analyser.ts';

const DOCUMENTS = '/api/v1/memory/documents';
const SEARCH = '/api/v1/memory/search';
/** As tenancy waits. */
const CALL = { timeoutMs: 35_000 };
const STEPS = ['prepareMove', 'copyMemory', 'handOverMemory', 'receiveMemory', 'leaveEngine'] as const;
type Step = (typeof STEPS)[number];

/** A busy machine must be able to take in what is written faster than it comes. */
const WRITE_PAUSE_MS = 250;

let memory: BootedMemory;
let second: TestDatabase;
let proxy: FlakyProxy;
let replica: Awaited<ReturnType<BootedMemory['replica']>>;
beforeAll(async () => {
  memory = await bootMemory({ CAIRN_INGEST_WORKERS: '1' });
  second = await createTestDatabase({ service: 'memory', migrations: [] });
  await memory.store.prepareEngine({ ownerUrl: second.ownerUrl }, { timeoutMs: 60_000 });
  proxy = await startFlakyProxy(second.url);
  const { url, workerUrl } = second;
  memory.engines.set('eng_second', { url: proxy.through(url), workerUrl: proxy.through(workerUrl), revision: 1n });
  replica = await memory.replica();
}, 200_000);
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
    moveId: `job_${String((moves += 1)).padStart(6, '0')}`,
    tenantId: caller.identity.tenantId,
    memoryId: caller.memoryId,
    fromEngineId: from,
    toEngineId: from === 'default' ? 'eng_second' : 'default',
  };
}

/** One call of a step; true when the step is done. Registers the memory where that is its turn. */
async function takeOnce(step: Step, move: SpecMove, caller: Caller): Promise<boolean> {
  if (step !== 'receiveMemory') return (await memory.moves[step]({ move }, CALL)).finished;
  caller.engineId = move.toEngineId;
  await memory.moves.receiveMemory({ move }, CALL);
  return true;
}

/** One step until it says that it is done, as tenancy repeats it. */
async function take(step: Step, move: SpecMove, caller: Caller): Promise<void> {
  await eventually(() => takeOnce(step, move, caller), Boolean, 60_000);
}

async function moveAll(caller: Caller): Promise<SpecMove> {
  const move = moveOf(caller);
  for (const step of STEPS) await take(step, move, caller);
  return move;
}

const search = (caller: Caller, query: string, url?: string) =>
  memory.call(caller, 'POST', SEARCH, { query, top_k: 20 }, {}, url);
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

const databaseOf = (engine: string) => (engine === 'eng_second' ? second : memory.database);
const index = createSegmentIndex({ analyser: ANALYSER });

/** Documents as ingestion leaves them, without its processes: what moves is rows, whoever wrote them. */
async function store(caller: Caller, texts: string[]): Promise<string[]> {
  const scope = { tenantId: caller.identity.tenantId, memoryId: caller.memoryId };
  const { app } = databaseOf(caller.engineId);
  const rows = texts.map((body) => {
    const docId = newId('document');
    return {
      chunk_id: newId('chunk'),
      doc_id: docId,
      vault_id: caller.vaultId,
      ordinal: 0,
      title_path: '',
      context_prefix: '',
      body,
      body_sha256: createHash('sha256').update(body).digest(),
      location: {},
      occurred_at: null,
    };
  });
  await app.withTenant(scope.tenantId, async (tx) => {
    for (const row of rows)
      await tx.execute(
        `INSERT INTO documents (tenant_id, memory_id, doc_id, workspace_id, livemode, vault_id, external_id, title, media_type, content_sha256, content_bytes, status, chunk_count)
         VALUES ($1, $2, $3, 'ws', true, $4, $3, 'Note', 'text/plain', $5, $6, 'completed', 1)`,
        [scope.tenantId, scope.memoryId, row.doc_id, row.vault_id, row.body_sha256, row.body.length],
      );
    await insertChunks(tx, scope, rows);
    await index.add(
      tx,
      scope,
      rows.map((row) => ({
        chunkId: row.chunk_id,
        docId: row.doc_id,
        vaultId: row.vault_id,
        titlePath: row.title_path,
        contextPrefix: row.context_prefix,
        body: row.body,
        occurredAtMs: null,
        createdAtMs: 1,
      })),
    );
  });
  return rows.map((row) => row.doc_id);
}

const NAME_NO = 900_000;

/**
 * A memory with names of a graph, a conversation, and deleted words unless it is told not to: those count in what
 * words weigh until their segment is merged, whenever that is.
 */
async function furnished({ deletes = true } = {}): Promise<Caller> {
  const caller = memory.newCaller();
  const { tenantId } = caller.identity;
  const ids = await store(caller, [
    'Alice Martin works for Badger Industries.',
    'The okapi eats nine leaves.',
    'A lost word: qwmove.',
  ]);
  if (deletes) await memory.call(caller, 'DELETE', `${DOCUMENTS}/${ids[2]}`);
  await memory.database.app.withTenant(tenantId, (tx) =>
    tx.execute(
      `INSERT INTO graph_names (tenant_id, memory_id, name_no, norm, class, entity_id) OVERRIDING SYSTEM VALUE
       VALUES ($1, $2, $3, 'alice martin', 'person', 'ent_1')`,
      [tenantId, caller.memoryId, NAME_NO],
    ),
  );
  const { body } = await memory.call(caller, 'POST', '/api/v1/threads', { title: 'Talk' });
  await memory.call(caller, 'POST', SEARCH, { query: 'Who works for Badger Industries?', thread_id: body.thread_id });
  return caller;
}

const QUESTIONS = ['okapi leaves', 'Who works for Badger Industries?', 'qwmove'];
const asked = async (caller: Caller, url?: string) => {
  const answers = [];
  for (const question of QUESTIONS) answers.push(await answerOf(caller, question, url));
  return answers;
};

describe('a memory that moves to another engine', () => {
  it('answers the same before and after, and leaves nothing behind but the note that it was there', async () => {
    const caller = await furnished();
    const other = memory.newMemory(caller);
    await memory.call(other, 'POST', '/api/v1/threads', { title: 'That stays' });
    const seen = async (url?: string) => [
      await asked(caller, url),
      await listed(caller),
      (await memory.call(caller, 'GET', '/api/v1/threads', undefined, {}, url)).body,
    ];
    const scope = { tenantId: caller.identity.tenantId, engineIds: ['default', 'eng_second'] };
    const used = await memory.store.getStorageUse(scope);
    const before = await seen();
    const move = moveOf(caller);
    for (const step of STEPS) {
      await take(step, move, caller);
      // What is on both engines counts once, and so does what is on none.
      if (step !== 'handOverMemory') expect(await memory.store.getStorageUse(scope)).toEqual(used);
    }
    // The second replica asks tenancy for the first time after it has read the old place from its cache.
    for (const url of [undefined, replica.url]) expect(await seen(url)).toEqual(before);
    expect(await traces('default', caller)).toEqual([]);
    expect(await traces('default', other)).not.toEqual([]);
    expect(await ask('default', `SELECT tgname FROM pg_trigger WHERE tgname LIKE 'moving%'`)).toEqual([]);
  }, 200_000);

  it('loses nothing that is written on the way, refuses nothing, and gives new names numbers that are free', async () => {
    const caller = await furnished();
    await moveAll(caller);
    const move = moveOf(caller);
    for (const step of STEPS.slice(0, 2)) await take(step, move, caller);
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
        await new Promise((resolve) => setTimeout(resolve, WRITE_PAUSE_MS));
      }
    };
    const writers = [writer(undefined, 'a'), writer(replica.url, 'b')];
    try {
      await eventually(
        () => acknowledged.length,
        (count) => count > 2,
        60_000,
      );
      for (const step of STEPS.slice(2)) await take(step, move, caller);
      const atSwitch = acknowledged.length;
      await eventually(
        () => acknowledged.length,
        (count) => count > atSwitch + 2,
        60_000,
      );
    } finally {
      isWriting = false;
      await Promise.all(writers);
    }
    expect(refused).toEqual([]);
    const rows = await ask('default', `SELECT doc_id FROM documents WHERE memory_id = '${caller.memoryId}'`);
    const kept = new Set(rows.map((row) => row['doc_id']));
    expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
    expect(await traces('eng_second', caller)).toEqual([]);
    const [numbers] = await ask(
      'eng_second',
      `SELECT nextval(pg_get_serial_sequence('graph_names', 'name_no')) AS free`,
    );
    expect(Number(numbers!['free'])).toBeGreaterThan(NAME_NO);
  }, 300_000);

  it('is on exactly one engine whenever the way is cut, and arrives when the steps are repeated', async () => {
    const caller = await furnished({ deletes: false });
    const before = await asked(caller);
    expect(before.map(({ status, results }) => [status, results.length])).toEqual([
      [200, 1],
      [200, 1],
      [200, 1],
    ]);
    const documents = await listed(caller);
    const move = moveOf(caller);
    for (const step of STEPS) {
      const attempt = takeOnce(step, move, caller).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 20));
      await proxy.cut();
      await attempt;
      await proxy.restore();
      await eventually(
        () =>
          take(step, move, caller).then(
            () => true,
            () => false,
          ),
        Boolean,
        30_000,
      );
      const serving = await Promise.all(
        ['default', 'eng_second'].map(async (engine) => {
          const [row] = await ask(engine, `SELECT phase FROM memory_moves WHERE memory_id = '${caller.memoryId}'`);
          return row === undefined || !['left', 'arriving'].includes(row['phase'] as string) ? engine : null;
        }),
      );
      // Between handing over and receiving none serves it: never both.
      const expected = { prepareMove: 'default', copyMemory: 'default', handOverMemory: null } as Record<
        string,
        string | null
      >;
      expect(serving.filter(Boolean)).toEqual([step in expected ? expected[step] : 'eng_second'].filter(Boolean));
      if (step !== 'handOverMemory') expect(await asked(caller)).toEqual(before);
    }
    expect(await listed(caller)).toEqual(documents);
    expect(await traces('default', caller)).toEqual([]);
  }, 400_000);

  it('stays where it is when the move is given up, and nothing of the copy is left', async () => {
    const caller = await furnished();
    const before = await asked(caller);
    const move = moveOf(caller);
    for (const step of STEPS.slice(0, 2)) await take(step, move, caller);
    await store(caller, ['The walrus was written while it was copied.']);
    await eventually(async () => (await memory.moves.abandonMove({ move }, CALL)).finished, Boolean, 60_000);
    expect(await traces('eng_second', caller)).toEqual([]);
    await expect(memory.moves.handOverMemory({ move })).rejects.toMatchObject({ code: 'conflict' });
    expect((await search(caller, 'walrus')).body.results).toHaveLength(1);
    expect((await asked(caller))[1]).toMatchObject({ answer: before[1]!.answer });
    // Steps of the old move do nothing to a memory that is served, wherever it goes next.
    await moveAll(caller);
    await expect(memory.moves.prepareMove({ move })).rejects.toMatchObject({ code: 'conflict' });
    expect(await memory.moves.leaveEngine({ move })).toMatchObject({ finished: true });
    expect((await search(caller, 'walrus')).body.results).toHaveLength(1);
  }, 200_000);

  it('stays while its index is in a search cluster, and gets none there once its move has begun', async () => {
    const caller = await furnished();
    const move = moveOf(caller);
    const { tenantId, memoryId } = move;
    await ask('default', `DELETE FROM index_placements WHERE memory_id = '${memoryId}'`);
    await ask('default', `INSERT INTO index_placements VALUES ('${tenantId}', '${memoryId}', 'serving')`);
    expect(await memory.moves.prepareMove({ move }, CALL)).toMatchObject({ finished: false, inSearchCluster: true });
    const { inSearchCluster } = await memory.moves.getEngineLoad({ engineId: 'default', withSearchCluster: true });
    expect(inSearchCluster).toContain(memoryId);
    await eventually(async () => (await memory.moves.abandonMove({ move }, CALL)).finished, Boolean, 60_000);
    expect(await traces('eng_second', caller)).toEqual([]);
    await ask('default', `DELETE FROM index_placements WHERE memory_id = '${memoryId}'`);
    const later = moveOf(caller);
    await take('prepareMove', later, caller);
    // A writer that knows a cluster would begin there.
    const placed = await ask('default', `SELECT phase FROM index_placements WHERE memory_id = '${memoryId}'`);
    expect(placed).toEqual([{ phase: 'segments' }]);
    await expect(moveSearch(memory.database.app, later, 'to_opensearch', false)).rejects.toMatchObject({
      code: 'conflict',
    });
    for (const step of STEPS) await take(step, later, caller);
    expect(await traces('default', caller)).toEqual([]);
  }, 200_000);

  it('is watched until its own move ends, whatever a call of an earlier one does late', async () => {
    const caller = await furnished();
    const [early, late] = [moveOf(caller), moveOf(caller)];
    await take('prepareMove', early, caller);
    await eventually(async () => (await memory.moves.abandonMove({ move: early }, CALL)).finished, Boolean, 60_000);
    await take('prepareMove', late, caller);
    await store(caller, ['The walrus was written while it was copied.']);
    const noted = await ask('default', `SELECT * FROM memory_changes WHERE memory_id = '${caller.memoryId}'`);
    expect(noted.length).toBeGreaterThan(0);
    const engine = { workerDatabase: memory.database.worker } as WholeEngine;
    for (const phase of ['here', 'left'] as const)
      await expect(unwatch(engine, early, phase)).rejects.toMatchObject({ code: 'conflict' });
    // Merging segments may add to it.
    const after = await ask('default', `SELECT * FROM memory_changes WHERE memory_id = '${caller.memoryId}'`);
    expect(after).toEqual(expect.arrayContaining(noted));
    for (const step of STEPS.slice(1)) await take(step, late, caller);
    expect((await search(caller, 'walrus')).body.results).toHaveLength(1);
  }, 200_000);

  it('moves although a call of an earlier move came late and nobody ended that', async () => {
    const caller = await furnished();
    const [early, late] = [moveOf(caller), moveOf(caller)];
    await take('prepareMove', early, caller);
    for (const step of STEPS) await take(step, late, caller);
    await expect(memory.moves.prepareMove({ move: early })).rejects.toMatchObject({ code: 'conflict' });
    expect(await traces('default', caller)).toEqual([]);
    expect(await listed(caller)).not.toEqual([]);
  }, 200_000);
});
