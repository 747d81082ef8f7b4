import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@cairn/testing';
import { createSegmentIndex } from '../../src/index/segment-index.ts';
import type { MemoryScope } from '../../src/memories/memory-scope.ts';
import type { SearchIndex } from '../../src/memories/search-index.ts';
import { manageSearch } from '../../src/opensearch/manage-search.ts';
import { createOpenSearchIndex } from '../../src/opensearch/open-search-index.ts';
import { createPlacedIndex } from '../../src/opensearch/placed-index.ts';
import { createSearchIndexer } from '../../src/opensearch/search-indexer.ts';
import { startSearchMover } from '../../src/opensearch/search-mover.ts';
import { openSpecDatabase, type SpecDatabase } from '../index/spec-database.ts';
import { InMemoryCluster } from './in-memory-cluster.ts';
import { storedIndex } from './stored-index.ts';

const LIMIT = 1_000;

let postgres: SpecDatabase;
let opened: ReturnType<typeof open>;
beforeAll(async () => {
  postgres = await openSpecDatabase();
  opened = open(false);
});
afterAll(async () => {
  await opened.close();
  await postgres.close();
});

function open(keepsSegments: boolean) {
  const cluster = new InMemoryCluster();
  const deps = { database: postgres.app, workerDatabase: postgres.worker, cluster };
  const indexer = createSearchIndexer({ ...deps, onError: () => undefined });
  const openSearch = createOpenSearchIndex(cluster, indexer);
  const segments = createSegmentIndex();
  const begins = { phase: 'serving', keepsSegments } as const;
  const onFallback = () => undefined;
  const index = createPlacedIndex({ database: postgres.app, segments, openSearch, begins, onFallback });
  const mover = startSearchMover({ ...deps, segments, openSearch, onError: () => undefined });
  indexer.start();
  const wake = () => {
    indexer.wake();
    mover.wake();
  };
  return {
    cluster,
    segments,
    index: storedIndex(index),
    manage: (memory: MemoryScope, action: Parameters<typeof manageSearch>[2]) =>
      manageSearch({ database: postgres.app, cluster, keepsSegments, wake }, memory, action),
    async close() {
      await mover.close();
      await indexer.close();
    },
  };
}

const newMemory = (): MemoryScope => ({ tenantId: `ten_${randomUUID()}`, memoryId: `mem_${randomUUID()}` });

function chunk(chunkId: string) {
  const text = { titlePath: '', contextPrefix: '', body: 'the ferry sails' };
  return { chunkId, docId: `doc_${chunkId}`, vaultId: 'vlt_1', ...text, occurredAtMs: null, createdAtMs: 1_000 };
}

function add(memory: MemoryScope, index: SearchIndex, ...ids: string[]) {
  return postgres.app.withTenant(memory.tenantId, (tx) => index.add(tx, memory, ids.map(chunk)));
}

async function find(memory: MemoryScope, index: SearchIndex): Promise<string[]> {
  const hits = await postgres.app.withTenant(
    memory.tenantId,
    (tx) => index.search(tx, memory, { text: 'ferry', limit: LIMIT }),
    { mode: 'snapshot' },
  );
  return hits.map((hit) => hit.chunkId).sort();
}

describe('the index of an engine with a cluster', () => {
  it('puts a new memory into the cluster alone, and finds what it holds once that is published', async () => {
    const memory = newMemory();
    await add(memory, opened.index, 'a');
    await opened.index.publish(memory);
    expect(await find(memory, opened.index)).toEqual(['a']);
    expect(await find(memory, opened.segments)).toEqual([]);
  });

  it('takes in what comes while the cluster is down, refuses searches as unavailable, and catches up', async () => {
    const memory = newMemory();
    opened.cluster.isDown = true;
    await add(memory, opened.index, 'a');
    await expect(find(memory, opened.index)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(opened.index.publish(memory)).rejects.toMatchObject({ code: 'unavailable' });
    opened.cluster.isDown = false;
    await eventually(
      () => find(memory, opened.index),
      (ids) => ids.length === 1,
    );
  });

  it('answers from the segments while the cluster is down, where they are kept', async () => {
    const kept = open(true);
    const memory = newMemory();
    await add(memory, kept.index, 'a');
    await kept.index.publish(memory);
    kept.cluster.isDown = true;
    await add(memory, kept.index, 'b');
    await kept.index.publish(memory);
    expect(await find(memory, kept.index)).toEqual(['a', 'b']);
    await kept.close();
  });

  it('moves a memory out of the cluster and back into it while it is written to and searched', async () => {
    const memory = newMemory();
    const ids: string[] = [];
    let isWriting = true;
    const write = async () => {
      for (let n = 0; isWriting; n += 1) {
        const id = `c${String(n).padStart(5, '0')}`;
        await add(memory, opened.index, id);
        await opened.index.publish(memory);
        ids.push(id);
        if (n % 3 === 2) {
          const gone = ids.splice(n % ids.length, 1);
          await postgres.app.withTenant(memory.tenantId, (tx) => opened.index.remove(tx, memory, gone));
        }
        const expected = [...ids].sort();
        expect(await find(memory, opened.index)).toEqual(expected);
      }
    };
    const written = write();
    const settled = async (phase: string) => {
      await eventually(
        () => opened.manage(memory, 'state'),
        (state) => state.phase === phase && !state.copying,
      );
    };
    await eventually(() => ids.length > 3);
    await opened.manage(memory, 'to_postgres');
    await settled('segments');
    expect(await opened.cluster.list(memory, '', LIMIT)).toEqual([]);
    await opened.manage(memory, 'to_opensearch');
    await settled('serving');
    await opened.manage(memory, 'rebuild');
    await settled('serving');
    isWriting = false;
    await written;
    await opened.index.publish(memory);
    const { drift } = await opened.manage(memory, 'check');
    expect(drift).toEqual({ chunks: ids.length, missing: 0, surplus: 0, misplaced: 0 });
    await eventually(
      () => find(memory, opened.segments),
      (left) => left.length === 0,
    );
    await expect(opened.manage(memory, 'to_opensearch')).rejects.toMatchObject({ code: 'conflict' });
  });
});
