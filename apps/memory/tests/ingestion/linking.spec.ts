import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeEvent, initialMemorySettings, newId } from '@cairn/contracts';
import { createOutbound } from '@cairn/outbound';
import { createDatabase, type Database } from '@cairn/postgres';
import { createLogger, type Running } from '@cairn/service-kit';
import { createTestDatabase, eventually, type TestDatabase } from '@cairn/testing';
import { documentsById, findDocument, insertDocuments } from '../../src/documents/document-store.ts';
import { enqueue, LANES, wakeWorkers } from '../../src/ingestion/queue.ts';
import { startJobRunner } from '../../src/ingestion/jobs/job-runner.ts';
import { findJob, insertJob, problemsOf } from '../../src/ingestion/jobs/job-store.ts';
import { startIngestWorker } from '../../src/ingestion/worker.ts';
import { encryptPayload } from '../../src/ingestion/payload-encryption.ts';
import { createByteCipher } from '@cairn/encryption';
import { createSegmentIndex } from '@cairn/search-index';
import type { DocumentLinker } from '../../src/documents/document-linker.ts';
import { createPreparePool } from '../../src/ingestion/preparing/prepare-pool.ts';
import { MIGRATIONS } from '../../src/runtime/migrate-schema.ts';
import type { MemoryScope } from '../../src/memories/memory-scope.ts';
import { createSpaceRouters } from '../../src/ingestion/routing/space-routers.ts';
import { ANALYSER } from '../../src/text/analyser.ts';

const scope: MemoryScope = { tenantId: newId('tenant'), memoryId: newId('memory') };
const vaultId = newId('vault');
const cipher = createByteCipher([{ kid: 'spec', k: randomBytes(32).toString('base64url') }]);
const pool = createPreparePool({ workers: 2, cpuMaxMs: 60_000, memoryMaxMb: 384 });
const outbound = createOutbound({ allowPrivateNetwork: false, userAgent: 'spec' });
const settings = {
  read: async () => ({ ...initialMemorySettings(), dlp_policy: 'off' as const, spaces: [], limits: NO_LIMITS }),
  limits: async () => NO_LIMITS,
  locate: async () => 'default',
};
const NO_LIMITS = { documents: 1e9, storedBytes: 1e12, plan: 'spec', suggestedPlan: null, upgradeUrl: null };

/** What the linker is asked, and what it does; may be changed at any time. */
const asked: { docId: string; texts: string[] }[] = [];
let answer: () => Promise<void> = async () => undefined;
let crashes = 0;
const linker: DocumentLinker = {
  async prefetch() {
    if (crashes === 0) return linker.linkDocuments;
    crashes -= 1;
    throw new Error('the process that reads has ended');
  },
  async linkDocuments(_tx, memory, documents) {
    expect(memory).toMatchObject({ ...scope, workspaceId: 'ws_spec', livemode: true });
    for (const { document, chunks } of documents)
      asked.push({ docId: document.doc_id, texts: chunks.map((chunk) => chunk.body) });
    await answer();
  },
  unlinkDocuments: async (_tx, _scope, docIds) => {
    if (docIds.some((docId) => docId === stubborn)) throw new Error('the graph does not let go');
  },
};
/** A document that cannot be taken out of the graph. */
let stubborn = '';

let test: TestDatabase;
let [database, workerDatabase]: Database[] = [];
let worker: Running;
beforeAll(async () => {
  test = await createTestDatabase({ service: 'memory', migrations: MIGRATIONS });
  database = createDatabase({ url: test.url, applicationName: 'spec', poolMax: 6 });
  workerDatabase = createDatabase({ url: test.workerUrl, applicationName: 'spec-worker', poolMax: 6 });
  const index = createSegmentIndex({ analyser: ANALYSER });
  const logger = createLogger('test', 'silent');
  worker = await startIngestWorker({
    database,
    workerDatabase,
    index,
    owner: randomUUID(),
    cipher,
    pool,
    settings,
    routers: createSpaceRouters(),
    outbound,
    failedContentRetentionDays: 7,
    linker,
    logger,
  });
}, 60_000);
afterAll(async () => {
  await worker.close();
  await pool.close();
  await outbound.close();
  await database!.close();
  await workerDatabase!.close();
  await test.close();
});

async function hand(content: string): Promise<string> {
  const docId = newId('document');
  const sha = createHash('sha256').update(content).digest();
  await database!.withTenant(scope.tenantId, async (tx) => {
    await insertDocuments(tx, scope, [
      {
        doc_id: docId,
        workspace_id: 'ws_spec',
        livemode: true,
        vault_id: vaultId,
        space_id: null,
        external_id: null,
        media_type: 'text/plain',
        content_sha256: sha,
        content_bytes: content.length,
        occurred_at: null,
        intake_vault_id: null,
        version_sha256: sha,
      },
    ]);
    const about = { title: null, metadata: {}, fileName: '', mediaType: '', url: null };
    const payload = encryptPayload(cipher, scope, docId, { content, about });
    await enqueue(tx, scope, [{ docId, payload, bytes: content.length, lane: LANES.text }]);
    await wakeWorkers(tx);
  });
  return docId;
}

const statusOf = async (docId: string) =>
  (await database!.withTenant(scope.tenantId, (tx) => findDocument(tx, scope, docId)))!.status;
const completedEvents = async (docId: string) => {
  const rows = await workerDatabase!.transaction((tx) => tx.query<{ payload: Buffer }>('SELECT payload FROM outbox'));
  return rows
    .map(({ payload }) => decodeEvent(payload).payload)
    .filter((payload) => payload.case === 'ingestCompleted' && payload.value.docId === docId);
};

describe('linking', () => {
  it('is given the stored chunks, and completes the document with one event', async () => {
    const docId = await hand('The lock keeper opens the gate.');
    await eventually(
      () => statusOf(docId),
      (status) => status === 'completed',
    );
    expect(asked.filter((each) => each.docId === docId)).toEqual([
      { docId, texts: ['The lock keeper opens the gate.'] },
    ]);
    expect(await completedEvents(docId)).toHaveLength(1);
  });

  it('that fails is tried again, and what was handed in is gone by then', async () => {
    let failures = 1;
    answer = async () => {
      if (failures > 0) {
        failures -= 1;
        throw new Error('the graph is away');
      }
    };
    const docId = await hand('Barges wait below.');
    const waiting = await eventually(
      () =>
        workerDatabase!.transaction((tx) =>
          tx.query<{ cause: string | null; payload: Buffer | null }>(
            'SELECT cause, payload FROM ingest_queue WHERE doc_id = $1',
            [docId],
          ),
        ),
      ([row]) => row?.cause === 'linking',
    );
    expect(waiting[0]!.payload).toBeNull();
    expect(await statusOf(docId)).toBe('linking');
    expect(await completedEvents(docId)).toEqual([]);
    await eventually(
      () => statusOf(docId),
      (status) => status === 'completed',
    );
    expect(asked.filter((each) => each.docId === docId)).toHaveLength(2);
    expect(await completedEvents(docId)).toHaveLength(1);
  });

  it('whose reading crashes is tried again, and completes nothing before', async () => {
    crashes = 1;
    const docId = await hand('Ola Nordmann minds the sluice.');
    await eventually(
      () =>
        workerDatabase!.transaction((tx) =>
          tx.query<{ cause: string | null }>('SELECT cause FROM ingest_queue WHERE doc_id = $1', [docId]),
        ),
      ([row]) => row?.cause === 'linking',
    );
    expect(asked.filter((each) => each.docId === docId)).toEqual([]);
    expect(await completedEvents(docId)).toEqual([]);
    await eventually(
      () => statusOf(docId),
      (status) => status === 'completed',
    );
    expect(asked.filter((each) => each.docId === docId)).toHaveLength(1);
  });
});

describe('a job over documents', () => {
  it('passes over the one whose deletion fails again and again, says so, and does the others', async () => {
    const docIds = [await hand('A first text.'), await hand('A second text.'), await hand('A third text.')].sort();
    stubborn = docIds[1]!;
    const jobId = newId('job');
    const logger = createLogger('test', 'silent');
    const queueQuota = { reserve: async () => undefined };
    const index = createSegmentIndex({ analyser: ANALYSER });
    const jobs = await startJobRunner({
      database: database!,
      workerDatabase: workerDatabase!,
      index,
      linker,
      queueQuota,
      logger,
    });
    const about = { job_id: jobId, vault_id: null, kind: 'delete', doc_ids: docIds, filter: null } as const;
    await database!.withTenant(scope.tenantId, (tx) =>
      insertJob(tx, scope, { ...about, doc_ids: docIds, up_to: docIds[2]!, documents: 3 }),
    );
    const read = () => database!.withTenant(scope.tenantId, (tx) => findJob(tx, scope, jobId));
    const ended = await eventually(read, (job) => job?.completed_at !== null);
    await jobs.close();
    expect(ended).toMatchObject({ done: 2, failed: 1, position: docIds[2] });
    const problems = await database!.withTenant(scope.tenantId, (tx) => problemsOf(tx, scope, jobId));
    expect(problems).toMatchObject([{ doc_id: stubborn, code: 'internal' }]);
    const left = await database!.withTenant(scope.tenantId, (tx) => documentsById(tx, scope, docIds));
    expect(left.map(({ doc_id }) => doc_id)).toEqual([stubborn]);
  });
});
