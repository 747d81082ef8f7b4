import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CairnError } from '@cairn/errors';
import { createOutbound, type Outbound } from '@cairn/outbound';
import { createLogger } from '@cairn/service-kit';
import type { Tx } from '@cairn/postgres';
import { createSegmentIndex } from '@cairn/search-index';
import { eventually } from '@cairn/testing';
import type { MemoryScope } from '../../src/memories/memory-scope.ts';
import { startEngineIndex } from '../../src/runtime/engine-index.ts';
import { openSpecDatabase, type SpecDatabase } from '../spec-database.ts';
import { add, newMemory, openPlaced } from './open-placed.ts';
import { storedIndex } from './stored-index.ts';
import { ANALYSER } from '../../src/text/analyser.ts';

const LIMIT = 100;

let postgres: SpecDatabase;
let opened: ReturnType<typeof openPlaced>;
let outbound: Outbound;
beforeAll(async () => {
  postgres = await openSpecDatabase();
  outbound = createOutbound({ allowPrivateNetwork: true, userAgent: 'spec' });
});
beforeEach(() => {
  opened = openPlaced(postgres, false);
});
afterEach(async () => {
  opened.cluster.release();
  await opened.close();
  // Each has a cluster of its own.
  await postgres.worker.transaction(async (tx) => {
    for (const table of ['search_changes', 'index_placements', 'index_sends', 'search_cluster_index'])
      await tx.execute(`DELETE FROM ${table}`);
  });
});
afterAll(async () => {
  await outbound.close();
  await postgres.close();
});

/** What searches say, one after the other, until they say `expected`; null: unavailable. */
async function answersUntil(memory: MemoryScope, expected: string[], from = opened): Promise<(string[] | null)[]> {
  const answers: (string[] | null)[] = [];
  await eventually(
    async () => {
      const answer = await from.find(memory).catch((error: unknown) => {
        if (error instanceof CairnError && error.code === 'unavailable') return null;
        throw error;
      });
      answers.push(answer);
      return JSON.stringify(answer) === JSON.stringify(expected);
    },
    Boolean,
    20_000,
  );
  return answers;
}

async function placementOf(memory: MemoryScope): Promise<Record<string, unknown> | undefined> {
  const [row] = await postgres.worker.transaction((tx) =>
    tx.query<Record<string, unknown>>('SELECT * FROM index_placements WHERE memory_id = $1', [memory.memoryId]),
  );
  return row;
}

describe('an index that the cluster has lost', () => {
  it('is filled again by itself, and until then its memories are unavailable, not empty', async () => {
    const memory = newMemory();
    await opened.add(memory, 'a', 'b');
    await opened.index.publish(memory);
    opened.cluster.lose();
    const answers = await answersUntil(memory, ['a', 'b']);
    expect(answers[0]).toBeNull();
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(new Set(['null', '["a","b"]']));
    await opened.add(memory, 'c');
    await opened.index.publish(memory);
    expect(await opened.find(memory)).toEqual(['a', 'b', 'c']);
  });

  it('is replaced by the segments meanwhile, where they are kept', async () => {
    const kept = openPlaced(postgres, true, opened.cluster);
    const memory = newMemory();
    await kept.add(memory, 'a');
    await kept.index.publish(memory);
    kept.cluster.lose();
    for (let n = 0; n < 5; n += 1) expect(await kept.find(memory)).toEqual(['a']);
    await eventually(async () => (await placementOf(memory))?.['is_lost'] === true);
    expect(await kept.find(memory)).toEqual(['a']);
    await eventually(async () => (await placementOf(memory))?.['is_lost'] === false);
    expect(await kept.find(memory)).toEqual(['a']);
    await kept.close();
  });

  it('holds nothing of a memory that is moving back, whose copy goes on', async () => {
    const memory = newMemory();
    await opened.add(memory, 'a');
    await opened.index.publish(memory);
    opened.cluster.lose();
    await opened.manage(memory, 'to_postgres');
    const answers = await answersUntil(memory, ['a']);
    expect(answers.filter((answer) => answer?.length === 0)).toEqual([]);
    await eventually(async () => (await placementOf(memory))?.['phase'] === 'segments');
    expect(await opened.find(memory)).toEqual(['a']);
  });
});

describe('what waits to be sent', () => {
  it('is answered from the segments, when it was reported as completed while the cluster was away', async () => {
    const kept = openPlaced(postgres, true, opened.cluster);
    const memory = newMemory();
    await kept.add(memory, 'a');
    await kept.index.publish(memory);
    kept.cluster.isDown = true;
    await kept.add(memory, 'b');
    await kept.index.publish(memory);
    kept.cluster.hold();
    kept.cluster.isDown = false;
    expect(await kept.find(memory)).toEqual(['a', 'b']);
    kept.cluster.release();
    await eventually(async () => (await placementOf(memory))?.['behind_to'] === null);
    expect(await kept.find(memory)).toEqual(['a', 'b']);
    await kept.close();
  });

  it('is sent although other memories fail', async () => {
    // More than are sent side by side, and before all others.
    const failing = Array.from({ length: 6 }, (_none, n) => ({ tenantId: 'ten_000', memoryId: `mem_${n}` }));
    for (const { memoryId } of failing) opened.cluster.away.add(memoryId);
    const others = Array.from({ length: 6 }, newMemory);
    opened.cluster.isDown = true;
    for (const memory of [...failing, ...others]) await opened.add(memory, 'a');
    opened.cluster.isDown = false;
    await Promise.all(others.map((memory) => answersUntil(memory, ['a'])));
  });

  it('keeps no other memory from moving, when it cannot be sent', async () => {
    const stuck = Array.from({ length: 6 }, (_none, n) => ({ tenantId: 'ten_000', memoryId: `mem_stuck_${n}` }));
    const other = newMemory();
    for (const memory of [...stuck, other]) {
      await opened.add(memory, 'a');
      await opened.index.publish(memory);
    }
    for (const { memoryId } of stuck) opened.cluster.away.add(memoryId);
    for (const memory of [...stuck, other]) await opened.manage(memory, 'rebuild');
    await eventually(async () => (await placementOf(other))?.['copied_to'] === null, Boolean, 12_000);
    expect((await placementOf(stuck[0]!))?.['copied_to']).not.toBeNull();
  }, 30_000);

  it('has a later version than what was sent before PostgreSQL was restored to an earlier time', async () => {
    const memory = newMemory();
    await postgres.restartSequence('search_versions', 1_000_000);
    await opened.add(memory, 'a', 'b');
    await opened.index.publish(memory);
    await postgres.restartSequence('search_versions', 1);
    await postgres.app.withTenant(memory.tenantId, (tx) => opened.index.remove(tx, memory, ['a']));
    await eventually(
      () => opened.cluster.list(memory, '', LIMIT),
      (records) => records.every((record) => record.chunkId === 'b'),
    );
  });

  it('does not arrive once the memory was erased', async () => {
    const memory = newMemory();
    opened.cluster.hold();
    await opened.add(memory, 'a');
    await eventually(() => opened.cluster.writes > 0);
    const drop = () => postgres.app.withTenant(memory.tenantId, (tx) => opened.index.drop(tx, memory));
    expect(await drop()).toBe(false);
    opened.cluster.release();
    await eventually(drop);
    await sleep(50);
    expect(await opened.cluster.list(memory, '', LIMIT)).toEqual([]);
  });

  it('is waited for by the erasure of a space that moved to PostgreSQL meanwhile', async () => {
    const memory = newMemory();
    await opened.add(memory, 'a', 'b');
    await opened.index.publish(memory);
    const before = opened.cluster.writes;
    opened.cluster.hold();
    await opened.add(memory, 'c');
    await eventually(() => opened.cluster.writes > before);
    await opened.manage(memory, 'to_postgres');
    await eventually(async () => (await placementOf(memory))?.['phase'] === 'segments');
    const inTenant = <T>(work: (tx: Tx) => Promise<T>) => postgres.app.withTenant(memory.tenantId, work);
    await inTenant((tx) => opened.index.remove(tx, memory, ['a']));
    const mark = await inTenant((tx) => opened.index.expunge(tx, memory));
    expect(mark).not.toBeNull();
    expect(await inTenant((tx) => opened.index.expunged(tx, memory, mark!))).toBe(false);
    opened.cluster.release();
    await eventually(async () => (await placementOf(memory))?.['copied_to'] === null);
  });

  it('does not arrive once the memory moved to PostgreSQL, and a repair that ends late sends nothing', async () => {
    const memory = newMemory();
    await opened.add(memory, 'a');
    await opened.index.publish(memory);
    const before = opened.cluster.writes;
    opened.cluster.hold();
    await opened.add(memory, 'b');
    await eventually(() => opened.cluster.writes > before);
    await opened.manage(memory, 'to_postgres');
    await eventually(async () => (await placementOf(memory))?.['phase'] === 'segments');
    opened.cluster.release();
    await eventually(async () => (await placementOf(memory))?.['copied_to'] === null);
    await opened.manage(memory, 'repair');
    await sleep(50);
    expect(await opened.cluster.list(memory, '', LIMIT)).toEqual([]);
    expect(await opened.find(memory)).toEqual(['a', 'b']);
  });
});

describe('the configuration of an engine', () => {
  it('may name a cluster later on some replicas than on others', async () => {
    const logger = createLogger('spec', 'silent');
    const { app: database, worker: workerDatabase } = postgres;
    const segments = createSegmentIndex({ analyser: ANALYSER });
    const without = startEngineIndex(null, { segments, database, workerDatabase, outbound, logger });
    const [early, memory] = [newMemory(), newMemory()];
    await add(postgres, early, storedIndex(without.index), 'a');
    await opened.add(memory, 'a');
    await add(postgres, memory, storedIndex(without.index), 'b');
    await opened.index.publish(memory);
    expect(await opened.find(memory)).toEqual(['a', 'b']);
    await opened.add(early, 'b');
    expect(await opened.find(early)).toEqual(['a', 'b']);
    // Not wrongly empty: it does not know where to ask.
    await expect(
      database.withTenant(memory.tenantId, (tx) => without.index.search(tx, memory, { text: 'ferry', limit: LIMIT })),
    ).rejects.toMatchObject({ code: 'unavailable' });
    await without.close();
  });

  it('may ask for segments as a fallback later, which memories without them do not get', async () => {
    const memory = newMemory();
    await opened.add(memory, 'a');
    await opened.index.publish(memory);
    const kept = openPlaced(postgres, true, opened.cluster);
    await kept.manage(memory, 'rebuild');
    await eventually(async () => (await placementOf(memory))?.['copied_to'] === null);
    kept.cluster.isDown = true;
    await expect(kept.find(memory)).rejects.toMatchObject({ code: 'unavailable' });
    await kept.close();
  });

  it('lets a memory be erased that was never in a cluster, without one', async () => {
    const { app: database, worker: workerDatabase } = postgres;
    const logger = createLogger('spec', 'silent');
    const segments = createSegmentIndex({ analyser: ANALYSER });
    const { index } = startEngineIndex(null, { segments, database, workerDatabase, outbound, logger });
    const memory = newMemory();
    await add(postgres, memory, storedIndex(index), 'a');
    const drop = () => database.withTenant(memory.tenantId, (tx) => index.drop(tx, memory));
    await eventually(drop);
    expect(await placementOf(memory)).toBeUndefined();
  });
});
