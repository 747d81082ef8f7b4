import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cairn/contracts';
import { createDatabase, type Database } from '@cairn/postgres';
import { createTestDatabase, eventually, type TestDatabase } from '@cairn/testing';
import type { IngestionDeps } from '../../src/ingestion/ingestion-deps.ts';
import { claimDue, enqueue, extendLeases, LANES, type QueuedDocument, wakeWorkers } from '../../src/ingestion/queue.ts';
import { startIngestWorker } from '../../src/ingestion/worker.ts';
import { MIGRATIONS } from '../../src/runtime/migrate-schema.ts';

const scope = { tenantId: newId('tenant'), memoryId: newId('memory') };
const HOUR_MS = 3_600_000;
let test: TestDatabase;
let [database, workerDatabase]: Database[] = [];
beforeAll(async () => {
  test = await createTestDatabase({ service: 'memory', migrations: MIGRATIONS });
  database = createDatabase({ url: test.url, applicationName: 'spec', poolMax: 3 });
  workerDatabase = createDatabase({ url: test.workerUrl, applicationName: 'spec-worker', poolMax: 3 });
}, 60_000);
afterAll(async () => {
  await database!.close();
  await workerDatabase!.close();
  await test.close();
});

const claim = (leaseMs: number): Promise<QueuedDocument[]> =>
  workerDatabase!.transaction((tx) =>
    claimDue(tx, {
      lane: LANES.text,
      shares: [{ tenantId: scope.tenantId, documents: 10 }],
      owner: randomUUID(),
      leaseMs,
      maxBytes: 1_000_000,
    }),
  );

describe('a worker that cannot read yet', () => {
  it('gets ready when something waits, and leaves it to other processes until then', async () => {
    const isReady = Promise.withResolvers<void>();
    let isWarm = false;
    let warmed = 0;
    const warm = () => {
      warmed += 1;
      return isReady.promise;
    };
    const pool = { isWarm: () => isWarm, warm };
    const worker = await startIngestWorker({ workerDatabase, pool, owner: 'cold' } as unknown as IngestionDeps);
    try {
      expect(warmed).toBe(0);
      const docId = newId('document');
      await database!.withTenant(scope.tenantId, async (tx) => {
        await enqueue(tx, scope, [{ docId, payload: Buffer.from('sealed'), bytes: 6, lane: LANES.text }]);
        await wakeWorkers(tx);
      });
      await eventually(() => warmed > 0);
      expect((await claim(HOUR_MS)).map(({ doc_id }) => doc_id)).toEqual([docId]);
    } finally {
      isWarm = true;
      isReady.resolve();
      await worker.close();
    }
  });
});

describe('leases of claims', () => {
  it('are extended while a transaction holds other documents of the same process, which nobody can claim meanwhile', async () => {
    const docIds = [newId('document'), newId('document')];
    await database!.withTenant(scope.tenantId, (tx) =>
      enqueue(
        tx,
        scope,
        docIds.map((docId) => ({ docId, payload: Buffer.from('sealed'), bytes: 6, lane: LANES.text })),
      ),
    );
    // Leases that are over at once, as after a pause.
    const claimed = await claim(0);
    expect(claimed.map(({ doc_id }) => doc_id).sort()).toEqual([...docIds].sort());
    await database!.withTenant(scope.tenantId, async (tx) => {
      await tx.query('SELECT 1 FROM ingest_queue WHERE doc_id = $1 FOR UPDATE', [docIds[0]]);
      await workerDatabase!.transaction((other) => extendLeases(other, claimed, HOUR_MS));
      // The held one cannot be claimed, the other has its lease.
      expect(await claim(0)).toEqual([]);
    });
    const left = await claim(0);
    expect(left.map(({ doc_id }) => doc_id)).toEqual([docIds[0]]);
    // Who lost a claim extends nothing.
    await workerDatabase!.transaction((tx) => extendLeases(tx, claimed, HOUR_MS));
    expect((await claim(0)).map(({ doc_id }) => doc_id)).toEqual([docIds[0]]);
  });
});
