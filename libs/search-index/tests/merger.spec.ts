import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Database } from '@cairn/postgres';
import { createMerger, type MergerOptions } from '../src/merging/merger.ts';
import { chooseMerge, MERGE_LANES, MERGE_LIMITS } from '../src/merging/merge-policy.ts';
import { createSegmentIndex } from '../src/segment-index.ts';
import type { IndexChunk, IndexScope } from '../src/search-index.ts';
import { openSpecDatabase, type SpecDatabase } from './spec-database.ts';
import { SPEC_ANALYSER } from './spec-analyser.ts';

let database: SpecDatabase;
const index = createSegmentIndex({ analyser: SPEC_ANALYSER });
const EAGER = { ...MERGE_LIMITS, segmentsPerTier: 2 };

beforeAll(async () => {
  database = await openSpecDatabase();
}, 60_000);
afterAll(() => database.close());

function merger(options: Partial<MergerOptions> = {}) {
  return createMerger({
    analyser: SPEC_ANALYSER,
    database: database.worker,
    limits: EAGER,
    onError: () => undefined,
    ...options,
  });
}

function chunk(chunkId: string, body: string): IndexChunk {
  return {
    chunkId,
    docId: `doc_${chunkId}`,
    vaultId: 'vlt_1',
    titlePath: '',
    contextPrefix: '',
    body,
    occurredAtMs: null,
    createdAtMs: 1,
  };
}

/** A memory with one segment per list of chunk ids. */
async function memoryOf(...segments: string[][]): Promise<IndexScope> {
  const memory = { tenantId: `ten_${randomUUID()}`, memoryId: 'mem' };
  for (const ids of segments) await add(memory, ids);
  return memory;
}

function add(memory: IndexScope, ids: readonly string[], body = 'common words'): Promise<void> {
  const chunks = ids.map((id) => chunk(id, body));
  return database.app.withTenant(memory.tenantId, (tx) => index.add(tx, memory, chunks));
}

function remove(memory: IndexScope, ...ids: string[]): Promise<void> {
  return database.app.withTenant(memory.tenantId, (tx) => index.remove(tx, memory, ids));
}

async function find(memory: IndexScope, text = 'common', limit = 100): Promise<string[]> {
  const hits = await database.app.withTenant(memory.tenantId, (tx) => index.search(tx, memory, { text, limit }), {
    mode: 'snapshot',
  });
  return hits.map((hit) => hit.chunkId);
}

async function count(table: string, memory: IndexScope): Promise<number> {
  const rows = await database.worker.transaction((tx) =>
    tx.query<{ n: number }>(`SELECT count(*) AS n FROM ${table} WHERE tenant_id = $1`, [memory.tenantId]),
  );
  return rows[0]!.n;
}

/** Runs `hook` once, right before the merge's commit: its first transaction that is no snapshot and no lease. */
function interrupted(hook: () => Promise<unknown>): Database {
  let writes = 0;
  return {
    ...database.worker,
    async transaction(work, options) {
      if (options?.mode !== 'snapshot' && ++writes === 2) await hook();
      return database.worker.transaction(work, options);
    },
  };
}

describe('the merger', () => {
  it('a merge joins segments and leaves out deleted chunks', async () => {
    const memory = await memoryOf(['a', 'b'], ['c'], ['d']);
    await remove(memory, 'c', 'b');
    const report = await merger().mergeOnce(memory);
    expect(report).toMatchObject({ chunkCount: 2 });
    expect(await count('index_segments', memory)).toBe(1);
    expect(await count('index_tombstones', memory)).toBe(0);
    expect(await find(memory)).toEqual(['a', 'd']);
    expect(await merger().mergeOnce(memory)).toBeNull();
  });

  it('a merge counts the languages of the remaining chunks, so that queries are read as after a rebuild', async () => {
    const memory = await memoryOf(['a', 'b']);
    await add(memory, ['c', 'd'], 'Die Pumpe ist heute nicht in Betrieb');
    await remove(memory, 'd', 'a');
    await merger().mergeOnce(memory);
    const rows = await database.worker.transaction((tx) =>
      tx.query('SELECT languages FROM index_segments WHERE tenant_id = $1', [memory.tenantId]),
    );
    expect(rows).toEqual([{ languages: 'en:1,de:1' }]);
  });

  it('a merge preserves deletes that commit while it runs', async () => {
    const memory = await memoryOf(['a', 'b', 'e'], ['c', 'd']);
    await remove(memory, 'a');
    const hooked = merger({ database: interrupted(() => remove(memory, 'd', 'b')) });
    expect(await hooked.mergeOnce(memory)).toMatchObject({ chunkCount: 4 });
    expect(await find(memory)).toEqual(['c', 'e']);
    while ((await merger().mergeOnce(memory)) !== null);
    expect(await find(memory)).toEqual(['c', 'e']);
  });

  it('a merge preserves a replacement that commits while it runs', async () => {
    const memory = await memoryOf(['a', 'b'], ['c', 'd']);
    const replace = () =>
      database.app.withTenant(memory.tenantId, async (tx) => {
        await index.remove(tx, memory, ['a']);
        await index.add(tx, memory, [chunk('a', 'common words, new ones')]);
      });
    expect(await merger({ database: interrupted(replace) }).mergeOnce(memory)).not.toBeNull();
    expect(await find(memory, 'new')).toEqual(['a']);
    expect(await find(memory)).toEqual(['b', 'c', 'd', 'a']);
  });

  it('a merge changes nothing when another merger has taken its lease', async () => {
    const memory = await memoryOf(['a'], ['b']);
    const takeOver = async () => {
      await database.worker.transaction((tx) =>
        tx.execute(`UPDATE index_merge_leases SET until = now() - interval '1 second' WHERE tenant_id = $1`, [
          memory.tenantId,
        ]),
      );
      expect(await merger().mergeOnce(memory)).toMatchObject({ chunkCount: 2 });
    };
    expect(await merger({ database: interrupted(takeOver) }).mergeOnce(memory)).toBeNull();
    expect(await find(memory)).toEqual(['a', 'b']);
    expect(await count('index_segments', memory)).toBe(1);
  });

  it('a merge is done by only one of two mergers that start at once', async () => {
    const memory = await memoryOf(['a'], ['b'], ['c']);
    const reports = await Promise.all([merger().mergeOnce(memory), merger().mergeOnce(memory)]);
    expect(reports.filter((report) => report !== null)).toHaveLength(1);
    expect(await find(memory)).toEqual(['a', 'b', 'c']);
  });

  it('a merge leaves nothing of a memory that was dropped while it ran', async () => {
    const memory = await memoryOf(['a'], ['b']);
    const drop = () => database.app.withTenant(memory.tenantId, (tx) => index.drop(tx, memory));
    expect(await merger({ database: interrupted(drop) }).mergeOnce(memory)).toBeNull();
    for (const table of ['index_segments', 'index_pages', 'index_memories', 'index_tombstones'])
      expect(await count(table, memory)).toBe(0);
  });

  it('a merge reads and writes segments in pages, and the pages it replaced are swept after the grace period', async () => {
    const ids = Array.from({ length: 4_040 }, (_, i) => `chk_${String(i).padStart(5, '0')}`);
    const memory = await memoryOf();
    for (let part = 0; part < 4; part++) {
      const chunks = ids
        .filter((_, i) => i % 4 === part)
        .map((id, i) => chunk(id, `common words ${'filler '.repeat(i % 30)} w${i % 97} only${id}`));
      await database.app.withTenant(memory.tenantId, (tx) => index.add(tx, memory, chunks));
    }
    await remove(memory, ids[17]!, ids[18]!);
    const patient = merger({ graceMs: 0, leaseMs: 60_000 });
    const before = await find(memory, 'only chk_00020 w5', 20);
    const pagesBefore = await count('index_pages', memory);
    expect(await patient.mergeOnce(memory)).toMatchObject({ chunkCount: 4_038 });
    expect(await find(memory, 'only chk_00020 w5', 20)).toEqual(before);
    expect(await find(memory, '"onlychk_00018"')).toEqual([]);
    expect(await find(memory, '"onlychk_00021"')).toEqual(['chk_00021']);
    expect(await count('index_pages', memory)).toBeGreaterThan(pagesBefore);
    expect(await patient.sweep()).toBeGreaterThan(0);
    expect(await count('index_pages', memory)).toBeLessThanOrEqual(pagesBefore);
    expect(await count('index_garbage', memory)).toBe(0);
    expect(await find(memory, '"onlychk_00021"')).toEqual(['chk_00021']);
  });

  it('a merge removes the words of one deleted chunk from storage when they are overdue, though nothing else is due', async () => {
    const memory = await memoryOf(['a', 'b', 'c', 'd', 'e'], ['f']);
    await add(memory, ['gone'], 'common chinchilla');
    await add(memory, ['g', 'h', 'i', 'j', 'k'], 'common chinchilla');
    await remove(memory, 'gone', 'g');
    const patient = merger({ limits: { ...MERGE_LIMITS, deletedShareMax: 1 } });
    expect(await patient.mergeOnce(memory)).toBeNull();
    const due = merger({ limits: { ...MERGE_LIMITS, deletedShareMax: 1, tombstoneRetentionMs: 0 } });
    expect(await due.mergeOnce(memory)).toMatchObject({ chunkCount: 0, outputIds: [] });
    expect(await due.mergeOnce(memory)).toMatchObject({ chunkCount: 4 });
    expect(await due.mergeOnce(memory)).toBeNull();
    expect(await count('index_tombstones', memory)).toBe(0);
    expect(await find(memory, 'chinchilla')).toEqual(['h', 'i', 'j', 'k']);
  });

  it('a deletion becomes due no later because others were written with it, or because a merge moved it', async () => {
    const memory = await memoryOf(Array.from({ length: 60 }, (_, i) => `n${10 + i}`));
    await remove(memory, 'n10');
    await database.worker.transaction((tx) =>
      tx.execute(`UPDATE index_tombstones SET marked_at = '2001-01-01' WHERE tenant_id = $1`, [memory.tenantId]),
    );
    // The 33rd row makes one of all.
    for (let i = 11; i < 45; i++) await remove(memory, `n${i}`);
    const oldest = () =>
      database.worker.transaction((tx) =>
        tx.query<{ year: number }>(
          'SELECT extract(year FROM min(marked_at))::int AS year FROM index_tombstones WHERE tenant_id = $1',
          [memory.tenantId],
        ),
      );
    expect(await oldest()).toEqual([{ year: 2001 }]);
    const age = () =>
      database.worker.transaction((tx) =>
        tx.execute(`UPDATE index_tombstones SET marked_at = '2002-01-01' WHERE tenant_id = $1`, [memory.tenantId]),
      );
    const hooked = merger({ database: interrupted(() => remove(memory, 'n60').then(age)) });
    expect(await hooked.mergeOnce(memory)).toMatchObject({ chunkCount: 25 });
    expect(await oldest()).toEqual([{ year: 2002 }]);
  });

  it('a killed merge leaves pages that are swept, and changes no answer', async () => {
    const memory = await memoryOf(['a'], ['b']);
    const orphan = randomUUID();
    await database.worker.transaction(async (tx) => {
      await tx.execute(`INSERT INTO index_garbage VALUES ($1, 'mem', $2, now() - interval '1 second')`, [
        memory.tenantId,
        orphan,
      ]);
      await tx.execute(`INSERT INTO index_pages VALUES ($1, 'mem', $2, 4, 0, '\\x00')`, [memory.tenantId, orphan]);
    });
    expect(await find(memory)).toEqual(['a', 'b']);
    await merger().sweep();
    expect(await count('index_pages', memory)).toBe(0);
    expect(await count('index_garbage', memory)).toBe(0);
  });

  it('a started merger merges the memories of which it is notified', async () => {
    const memory = await memoryOf(['a'], ['b'], ['c']);
    const merged = new Promise<number>((resolve) => {
      const background = merger({
        onMerged: (_, report) => void background.close().then(() => resolve(report.chunkCount)),
        lookOverMs: 60_000,
      });
      background.start();
      background.notice(memory);
    });
    expect(await merged).toBeGreaterThan(0);
  });
});

describe('a new analyser', () => {
  it('re-indexing rebuilds segments of an older analyser, and preserves deletes that commit meanwhile', async () => {
    const memory = await memoryOf(['a', 'b', 'c', 'gone']);
    await database.worker.transaction((tx) =>
      tx.execute('UPDATE index_segments SET analyser_version = 0 WHERE tenant_id = $1', [memory.tenantId]),
    );
    const stored = ['a', 'b', 'c'].map((id) => chunk(id, 'fresh words'));
    const report = await merger({
      chunkSource: async (_, ids) => {
        await remove(memory, 'b');
        return stored.filter((held) => ids.includes(held.chunkId));
      },
    }).mergeOnce(memory);
    expect(report).toMatchObject({ chunkCount: 3 });
    expect(await find(memory, 'fresh')).toEqual(['a', 'c']);
    expect(await find(memory, 'common')).toEqual([]);
    expect(await count('index_segments', memory)).toBe(1);
  });
});

describe('the choice of a merge', () => {
  const segment = (segmentId: string, alive: number, deleted = 0, overdue = false) => ({
    segmentId,
    alive,
    deleted,
    byteSize: alive * 500,
    overdue,
  });

  it('the merge policy leaves a few segments of each size alone', () => {
    const segments = [1, 1, 1, 15, 20, 150, 600].map((size, i) => segment(`s${i}`, size));
    expect(chooseMerge(segments, MERGE_LANES.small)).toBeNull();
    expect(chooseMerge(segments, MERGE_LANES.large)).toBeNull();
  });

  it('the merge policy joins the smallest class that has ten segments, and more of them at once when more have accumulated', () => {
    const piled = Array.from({ length: 200 }, (_, i) => segment(`s${i}`, 1));
    expect(chooseMerge([...piled, segment('big', 900)], MERGE_LANES.small)).toHaveLength(MERGE_LIMITS.mergeAtOnceMax);
  });

  it('the merge policy never exceeds the bounds of a merge, and leaves full segments alone', () => {
    const big = Array.from({ length: 12 }, (_, i) => segment(`s${i}`, 90_000));
    expect(chooseMerge(big, MERGE_LANES.large)).toHaveLength(2);
    expect(
      chooseMerge(
        Array.from({ length: 12 }, (_, i) => segment(`s${i}`, 200_000)),
        MERGE_LANES.large,
      ),
    ).toBeNull();
  });

  it('the merge policy rewrites a segment when more than a quarter of it is deleted', () => {
    expect(chooseMerge([segment('full', 200_000, 70_000), segment('s', 5)], MERGE_LANES.large)).toEqual(['full']);
    expect(chooseMerge([segment('full', 200_000, 60_000)], MERGE_LANES.large)).toBeNull();
  });

  it('the merge policy rewrites a segment for one overdue deleted chunk, first and alone', () => {
    const piled = Array.from({ length: 20 }, (_, i) => segment(`s${i}`, 1));
    expect(chooseMerge([...piled, segment('old', 900, 1, true)], MERGE_LANES.small)).toEqual(['old']);
    expect(chooseMerge([segment('old', 240_000, 1, true)], MERGE_LANES.large)).toEqual(['old']);
    expect(chooseMerge([segment('old', 240_000, 1)], MERGE_LANES.large)).toBeNull();
  });
});
