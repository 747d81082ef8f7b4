import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Database } from '@cairn/postgres';
import { createMerger, type MergerOptions } from '../src/merging/merger.ts';
import { MERGE_LIMITS } from '../src/merging/merge-policy.ts';
import type { IndexChunk, IndexScope } from '../src/search-index.ts';
import { createSegmentIndex } from '../src/segment-index.ts';
import { openSpecDatabase, type SpecDatabase } from './spec-database.ts';
import { SPEC_ANALYSER } from './spec-analyser.ts';

let database: SpecDatabase;
const index = createSegmentIndex({ analyser: SPEC_ANALYSER });
beforeAll(async () => {
  database = await openSpecDatabase();
}, 60_000);
afterAll(() => database.close());

/** Merges only what is overdue: nothing else that a merge is done for comes into these specs' way. */
function merger(options: Partial<MergerOptions> = {}) {
  const limits = { ...MERGE_LIMITS, segmentsPerTier: 1_000, deletedShareMax: 1 };
  return createMerger({
    analyser: SPEC_ANALYSER,
    database: database.worker,
    limits,
    onError: () => undefined,
    ...options,
  });
}

const CHUNKS = 1_200;
const idOf = (i: number) => `chk_${String(i).padStart(5, '0')}`;

/** A memory with one segment large enough to lie in pages. */
async function largeMemory(): Promise<IndexScope> {
  const memory = { tenantId: `ten_${randomUUID()}`, memoryId: 'mem' };
  const chunks = Array.from({ length: CHUNKS }, (_, i): IndexChunk => ({
    chunkId: idOf(i),
    docId: `doc_${i}`,
    vaultId: 'vlt_1',
    titlePath: '',
    contextPrefix: '',
    body: `common words and w${i % 97} of number${i}`,
    occurredAtMs: null,
    createdAtMs: 1,
  }));
  await inTenant(memory, (tx) => index.add(tx, memory, chunks));
  return memory;
}

function inTenant<T>(memory: IndexScope, work: Parameters<Database['withTenant']>[1]): Promise<T> {
  return database.app.withTenant(memory.tenantId, work) as Promise<T>;
}

const remove = (memory: IndexScope, i: number) => inTenant(memory, (tx) => index.remove(tx, memory, [idOf(i)]));
const expunge = (memory: IndexScope) => inTenant<Date>(memory, (tx) => index.expunge(tx, memory));

async function expunged(memory: IndexScope, mark: Date): Promise<void> {
  for (let calls = 0; !(await inTenant<boolean>(memory, (tx) => index.expunged(tx, memory, mark))); calls += 1)
    if (calls > 100) throw new Error('it is never expunged');
}

async function find(memory: IndexScope, text: string): Promise<number> {
  const hits = await database.app.withTenant(
    memory.tenantId,
    (tx) => index.search(tx, memory, { text, limit: CHUNKS }),
    { mode: 'snapshot' },
  );
  return hits.length;
}

/** Segments that pages are stored of, and garbage that waits. */
async function stored(memory: IndexScope): Promise<{ segments: number; inManifest: number; garbage: number }> {
  const rows = await database.worker.transaction((tx) =>
    tx.query<{ segments: number; inManifest: number; garbage: number }>(
      `SELECT (SELECT count(DISTINCT segment_id) FROM index_pages WHERE tenant_id = $1) AS segments,
              (SELECT count(*) FROM index_segments WHERE tenant_id = $1) AS "inManifest",
              (SELECT count(*) FROM index_garbage WHERE tenant_id = $1) AS garbage`,
      [memory.tenantId],
    ),
  );
  return rows[0]!;
}

/** A database that calls back with the number of each transaction that is no snapshot, before it begins. */
function counted(onTransaction: (number: number) => Promise<unknown> | void): Database {
  let number = 0;
  return {
    ...database.worker,
    async transaction(work, options) {
      if (options?.mode !== 'snapshot') await onTransaction(++number);
      return database.worker.transaction(work, options);
    },
  };
}

/** A merge ends by writing its pages, putting them into the manifest and giving its lease back. */
const TRANSACTIONS_FROM_LAST_WRITE = 2;

/** Runs `hook` once, when a merge of `largeMemory()` with one deletion has read all it reads and is about to write. */
async function interrupted(hook: () => Promise<unknown>): Promise<Database> {
  const rehearsed = await largeMemory();
  await remove(rehearsed, 6);
  await expunge(rehearsed);
  let last = 0;
  await merger({
    database: counted((number) => {
      last = number;
    }),
  }).mergeOnce(rehearsed);
  return counted(async (number) => {
    if (number === last - TRANSACTIONS_FROM_LAST_WRITE) await hook();
  });
}

describe('erasure from storage', () => {
  it('expunging rewrites a segment for one deletion, and is finished only when the old pages are deleted too', async () => {
    const memory = await largeMemory();
    await remove(memory, 7);
    expect(await merger().mergeOnce(memory)).toBeNull();
    const mark = await expunge(memory);
    expect(await inTenant(memory, (tx) => index.expunged(tx, memory, mark))).toBe(false);
    expect(await merger().mergeOnce(memory)).toMatchObject({ chunkCount: CHUNKS - 1 });
    // Replaced pages stay a while for readers without a snapshot.
    expect(await stored(memory)).toEqual({ segments: 2, inManifest: 1, garbage: 1 });
    await expunged(memory, mark);
    expect(await stored(memory)).toEqual({ segments: 1, inManifest: 1, garbage: 0 });
    expect([await find(memory, '"number7"'), await find(memory, 'common')]).toEqual([0, CHUNKS - 1]);
  });

  it('expunging does not wait for later deletions', async () => {
    const memory = await largeMemory();
    await remove(memory, 7);
    const mark = await expunge(memory);
    await merger().mergeOnce(memory);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await remove(memory, 8);
    await expunged(memory, mark);
    expect(await merger().mergeOnce(memory)).toBeNull();
  });

  it('expunging is not undone by a merge that read the words before and would write them after it', async () => {
    const memory = await largeMemory();
    await remove(memory, 6);
    const first = await expunge(memory);
    const meanwhile = async () => {
      await remove(memory, 7);
      const mark = await expunge(memory);
      await database.worker.transaction((tx) =>
        tx.execute(`UPDATE index_merge_leases SET until = now() - interval '1 second' WHERE tenant_id = $1`, [
          memory.tenantId,
        ]),
      );
      expect(await merger().mergeOnce(memory)).toMatchObject({ chunkCount: CHUNKS - 2 });
      await expunged(memory, mark);
    };
    expect(await merger({ database: await interrupted(meanwhile) }).mergeOnce(memory)).toBeNull();
    expect(await stored(memory)).toEqual({ segments: 1, inManifest: 1, garbage: 0 });
    await expunged(memory, first);
  });

  it('expunging a memory without an index is finished at once', async () => {
    const memory = { tenantId: `ten_${randomUUID()}`, memoryId: 'mem' };
    expect(await expunge(memory)).toBeNull();
    await expunged(memory, new Date());
  });
});

describe('the end of a memory', () => {
  it('dropping a memory deletes its pages in parts, and a running merge writes none afterwards', async () => {
    const memory = await largeMemory();
    await remove(memory, 6);
    await expunge(memory);
    const drop = async () => {
      let calls = 1;
      while (!(await inTenant<boolean>(memory, (tx) => index.drop(tx, memory)))) calls += 1;
      expect(calls).toBeGreaterThan(1);
    };
    expect(await merger({ database: await interrupted(drop) }).mergeOnce(memory)).toBeNull();
    expect(await stored(memory)).toEqual({ segments: 0, inManifest: 0, garbage: 0 });
    const rows = await database.worker.transaction((tx) =>
      tx.query('SELECT 1 FROM index_merge_leases WHERE tenant_id = $1', [memory.tenantId]),
    );
    expect(rows).toEqual([]);
  });
});
