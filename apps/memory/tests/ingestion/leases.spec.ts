import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { initialMemorySettings, newId } from '@cairn/contracts';
import { createByteCipher } from '@cairn/encryption';
import { CairnError } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import { createSegmentIndex } from '@cairn/search-index';
import { createLogger } from '@cairn/service-kit';
import { createTestDatabase, eventually, type TestDatabase } from '@cairn/testing';
import { documentsById, insertDocuments } from '../../src/documents/document-store.ts';
import type { IngestionDeps } from '../../src/ingestion/ingestion-deps.ts';
import { encryptPayload } from '../../src/ingestion/payload-encryption.ts';
import { prepareDocument } from '../../src/ingestion/preparing/prepare-document.ts';
import type { DocumentToPrepare } from '../../src/ingestion/preparing/prepared-document.ts';
import { claimDue, enqueue, extendLeases, LANES, type QueuedDocument, wakeWorkers } from '../../src/ingestion/queue.ts';
import { createSpaceRouters } from '../../src/ingestion/routing/space-routers.ts';
import { takeTenantsInTurn } from '../../src/ingestion/tenants-in-turn.ts';
import { startIngestWorker } from '../../src/ingestion/worker.ts';
import type { MemoryScope } from '../../src/memories/memory-scope.ts';
import { MIGRATIONS } from '../../src/runtime/migrate-schema.ts';
import { ANALYSER } from '../../src/text/analyser.ts';

const scope = { tenantId: newId('tenant'), memoryId: newId('memory') };
const HOUR_MS = 3_600_000;
let test: TestDatabase;
let [database, workerDatabase] = [] as unknown as [Database, Database];
beforeAll(async () => {
  test = await createTestDatabase({ service: 'memory', migrations: MIGRATIONS });
  [database, workerDatabase] = [test.app, test.worker];
}, 60_000);
afterAll(() => test.close());

const claim = (leaseMs: number): Promise<QueuedDocument[]> =>
  workerDatabase.transaction((tx) =>
    claimDue(tx, {
      lane: LANES.text,
      shares: [{ tenantId: scope.tenantId, rows: 10 }],
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
      await database.withTenant(scope.tenantId, async (tx) => {
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
    await database.withTenant(scope.tenantId, (tx) =>
      enqueue(
        tx,
        scope,
        docIds.map((docId) => ({ docId, payload: Buffer.from('sealed'), bytes: 6, lane: LANES.text })),
      ),
    );
    // Leases that are over at once, as after a pause.
    const claimed = await claim(0);
    expect(claimed.map(({ doc_id }) => doc_id).sort()).toEqual([...docIds].sort());
    await database.withTenant(scope.tenantId, async (tx) => {
      await tx.query('SELECT 1 FROM ingest_queue WHERE doc_id = $1 FOR UPDATE', [docIds[0]]);
      await workerDatabase.transaction((other) => extendLeases(other, claimed, HOUR_MS));
      // The held one cannot be claimed, the other has its lease.
      expect(await claim(0)).toEqual([]);
    });
    const left = await claim(0);
    expect(left.map(({ doc_id }) => doc_id)).toEqual([docIds[0]]);
    // Who lost a claim extends nothing.
    await workerDatabase.transaction((tx) => extendLeases(tx, claimed, HOUR_MS));
    expect((await claim(0)).map(({ doc_id }) => doc_id)).toEqual([docIds[0]]);
  });
});

describe('tenants whose documents wait', () => {
  it('have their turns when one claim cannot look at all of them, and are all looked at when it can', async () => {
    const tenantIds = Array.from({ length: 5 }, () => newId('tenant')).sort();
    for (const tenantId of tenantIds) {
      const docId = newId('document');
      await database.withTenant(tenantId, (tx) =>
        enqueue(tx, { ...scope, tenantId }, [{ docId, payload: Buffer.from('sealed'), bytes: 6, lane: LANES.file }]),
      );
    }
    const threeTurns = async (max: number) => {
      const next = takeTenantsInTurn(LANES.file, max);
      const turns: number[][] = [];
      for (let turn = 0; turn < 3; turn += 1) {
        const waiting = await workerDatabase.transaction((tx) => next(tx));
        turns.push(waiting.map((tenantId) => tenantIds.indexOf(tenantId)));
      }
      return turns;
    };
    expect(await threeTurns(2)).toEqual([
      [0, 1],
      [2, 3],
      [4, 0],
    ]);
    for (const max of [5, 6])
      expect((await threeTurns(max)).map((turn) => turn.sort((a, b) => a - b))).toEqual(
        Array.from({ length: 3 }, () => [0, 1, 2, 3, 4]),
      );
  });
});

describe('a claim with documents of several tenants', () => {
  const cipher = createByteCipher([{ kid: 'spec', k: randomBytes(32).toString('base64url') }]);

  async function handIn(to: MemoryScope, contents: readonly string[]): Promise<string[]> {
    const documents = contents.map((content) => ({ content, docId: newId('document') }));
    const about = { title: null, metadata: {}, fileName: '', mediaType: '', url: null };
    await database.withTenant(to.tenantId, async (tx) => {
      const rows = documents.map(({ content, docId }) => ({
        doc_id: docId,
        workspace_id: 'ws_spec',
        livemode: true,
        vault_id: 'vlt_spec',
        space_id: null,
        external_id: null,
        media_type: 'text/plain',
        content_sha256: createHash('sha256').update(content).digest(),
        content_bytes: content.length,
        occurred_at: null,
        intake_vault_id: null,
        version_sha256: createHash('sha256').update(content).digest(),
      }));
      await insertDocuments(tx, to, rows);
      const queued = documents.map(({ content, docId }) => ({
        docId,
        payload: encryptPayload(cipher, to, docId, { content, about }),
        bytes: content.length,
        lane: LANES.text,
      }));
      await enqueue(tx, to, queued);
    });
    return documents.map(({ docId }) => docId);
  }

  const statusesOf = async (of: MemoryScope, docIds: readonly string[]) =>
    (await database.withTenant(of.tenantId, (tx) => documentsById(tx, of, docIds))).map(({ status }) => status);
  const queueOf = ({ tenantId }: MemoryScope) =>
    workerDatabase.transaction((tx) =>
      tx.query<{ attempts: number; owner: string | null; cause: string | null }>(
        'SELECT attempts, owner, cause FROM ingest_queue WHERE tenant_id = $1',
        [tenantId],
      ),
    );
  const newScope = (): MemoryScope => ({ tenantId: newId('tenant'), memoryId: newId('memory') });

  it('does the others when one is unavailable, whose documents wait without an attempt less', async () => {
    const [busy, other] = [newScope(), newScope()];
    // Who has fewest comes first.
    const waiting = await handIn(busy, ['The first.']);
    const others = await handIn(other, ['The second.', 'The third.']);
    let isBusy = true;
    const tenantDatabase: Database = {
      ...database,
      withTenant: (tenantId, work, options) =>
        isBusy && tenantId === busy.tenantId
          ? Promise.reject(new CairnError('unavailable', 'Too many concurrent requests of this tenant.'))
          : database.withTenant(tenantId, work, options),
    };
    const attempts: number[] = [];
    const pool = {
      isWarm: () => true,
      async prepare(tenantId: string, documents: readonly DocumentToPrepare[]) {
        if (tenantId === other.tenantId) attempts.push(...(await queueOf(other)).map((row) => row.attempts));
        return Promise.all(documents.map((document) => prepareDocument(document)));
      },
    };
    const settings = { read: async () => ({ ...initialMemorySettings(), dlp_policy: 'off', spaces: [] }) };
    const worker = await startIngestWorker({
      database: tenantDatabase,
      workerDatabase,
      index: createSegmentIndex({ analyser: ANALYSER }),
      owner: randomUUID(),
      cipher,
      pool,
      settings,
      routers: createSpaceRouters(),
      failedContentRetentionDays: 7,
      linker: null,
      logger: createLogger('test', 'silent'),
    } as unknown as IngestionDeps);
    try {
      const areDone = (statuses: string[]) => statuses.every((status) => status === 'completed');
      await eventually(() => statusesOf(other, others), areDone);
      expect(attempts).toEqual([1, 1]);
      const [released] = await eventually(
        () => queueOf(busy),
        ([row]) => row !== undefined && row.owner === null && row.cause !== null,
      );
      expect(released).toMatchObject({ attempts: 0, cause: 'unavailable' });
      isBusy = false;
      await eventually(() => statusesOf(busy, waiting), areDone);
    } finally {
      await worker.close();
    }
  });
});
