import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { type Database, type Tx } from '@cairn/postgres';
import { createSegmentIndex } from '@cairn/search-index';
import { createLogger } from '@cairn/service-kit';
import { createTestDatabase, eventually, type TestDatabase } from '@cairn/testing';
import { insertDocuments } from '../../src/documents/document-store.ts';
import { startJobRunner } from '../../src/ingestion/jobs/job-runner.ts';
import { findJob, insertJob, problemsOf } from '../../src/ingestion/jobs/job-store.ts';
import { takeDocuments } from '../../src/ingestion/jobs/take-documents.ts';
import type { MemoryScope } from '../../src/memories/memory-scope.ts';
import { MIGRATIONS } from '../../src/runtime/migrate-schema.ts';
import { ANALYSER } from '../../src/text/analyser.ts';

let test: TestDatabase;
let [database, workerDatabase] = [] as unknown as [Database, Database];
beforeAll(async () => {
  test = await createTestDatabase({ service: 'memory', migrations: MIGRATIONS });
  [database, workerDatabase] = [test.app, test.worker];
}, 60_000);
afterAll(() => test.close());

const newScope = (): MemoryScope => ({ tenantId: newId('tenant'), memoryId: newId('memory') });
const newIds = (length: number) => Array.from({ length }, () => newId('document')).sort();
const within = <T>(scope: MemoryScope, work: (tx: Tx) => Promise<T>) => database.withTenant(scope.tenantId, work);

/** Documents as they are accepted. */
async function put(scope: MemoryScope, docIds: readonly string[]): Promise<void> {
  const rows = docIds.map((docId) => ({
    doc_id: docId,
    workspace_id: 'ws_spec',
    livemode: true,
    vault_id: 'vlt_spec',
    space_id: null,
    external_id: null,
    media_type: 'text/plain',
    content_sha256: createHash('sha256').update(docId).digest(),
    content_bytes: 6,
    occurred_at: null,
    intake_vault_id: null,
    version_sha256: createHash('sha256').update(docId).digest(),
  }));
  await within(scope, (tx) => insertDocuments(tx, scope, rows));
}

/** Has them failed, with what was sent kept. */
async function failAll(scope: MemoryScope, docIds: readonly string[]): Promise<void> {
  await within(scope, async (tx) => {
    await tx.execute("UPDATE documents SET status = 'failed' WHERE doc_id = ANY($1)", [docIds]);
    await tx.execute(
      `INSERT INTO failed_content (tenant_id, memory_id, doc_id, payload, bytes, lane)
       SELECT $1, $2, doc_id, 'sealed'::bytea, 6, 0 FROM unnest($3::text[]) AS doc_id`,
      [scope.tenantId, scope.memoryId, docIds],
    );
  });
}

const retryJob = (docIds: string[] | null, upTo: string) => ({
  job_id: newId('job'),
  vault_id: null,
  kind: 'retry' as const,
  doc_ids: docIds,
  filter: docIds === null ? {} : null,
  up_to: upTo,
  documents: 5,
});

describe('a job that tries documents again', () => {
  it('goes on with those that the queue had no room for, each and what is missing told once', async () => {
    const scope = newScope();
    const ids = newIds(7);
    const failed = ids.filter((_docId, at) => at !== 1 && at !== 6);
    await put(scope, failed);
    await failAll(scope, failed);
    const reserved = new WeakMap<Tx, number>();
    const queueQuota = {
      async reserve(tx: Tx) {
        const before = reserved.get(tx) ?? 0;
        if (before === 2) throw new CairnError('queue_full', 'Too many documents wait.');
        reserved.set(tx, before + 1);
      },
    };
    const runner = await startJobRunner({
      database: database,
      workerDatabase: workerDatabase,
      index: createSegmentIndex({ analyser: ANALYSER }),
      linker: { unlinkDocuments: async () => undefined },
      queueQuota,
      logger: createLogger('test', 'silent'),
    });
    try {
      const job = await within(scope, (tx) => insertJob(tx, scope, retryJob(ids, ids[6]!)));
      const ended = await eventually(
        () => within(scope, (tx) => findJob(tx, scope, job.job_id)),
        (found) => found?.completed_at !== null,
      );
      expect(ended).toMatchObject({ done: 5, failed: 2, position: ids[6] });
      const problems = await within(scope, (tx) => problemsOf(tx, scope, job.job_id));
      expect(problems.map(({ doc_id, code }) => [doc_id, code])).toEqual([
        [ids[1], 'not_found'],
        [ids[6], 'not_found'],
      ]);
      const queued = await within(scope, (tx) =>
        tx.query<{ doc_id: string }>('SELECT doc_id FROM ingest_queue ORDER BY doc_id'),
      );
      expect(queued.map(({ doc_id }) => doc_id)).toEqual(failed);
    } finally {
      await runner.close();
    }
  });
});

describe('a step of a job by a filter', () => {
  it('takes all that it read and locked, also when a document before them begins to match meanwhile', async () => {
    const scope = newScope();
    const [early, ...ids] = newIds(4);
    await put(scope, [early!, ...ids]);
    await failAll(scope, ids);
    const job = await within(scope, (tx) => insertJob(tx, scope, retryJob(null, ids[2]!)));
    const taken = await within(scope, (tx) => {
      const changing: Tx = {
        ...tx,
        query: async <Row extends object>(...[text, values]: Parameters<Tx['query']>) => {
          if (typeof text === 'string' && text.includes('FOR UPDATE')) await failAll(scope, [early!]);
          return tx.query<Row>(text, values);
        },
      };
      return takeDocuments(changing, scope, job, { closedVaults: new Set(), max: 3 });
    });
    expect(taken.rows.map(({ doc_id }) => doc_id)).toEqual(ids);
    expect(taken).toMatchObject({ position: ids[2], isLast: true });
  });
});
