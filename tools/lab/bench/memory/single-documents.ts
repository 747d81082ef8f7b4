import { createHash } from 'node:crypto';
import { runIndexStep } from '../../../../apps/memory/src/ingestion/index-step.ts';
import type { QueuedDocument } from '../../../../apps/memory/src/ingestion/queue.ts';
import { prepareDocument } from '../../../../apps/memory/src/ingestion/preparing/prepare-document.ts';
import { BENCH_MEMORY, type BenchDeps } from './bench-memory.ts';
import type { Corpus } from './corpus.ts';

/** Who holds the claims; the ingest worker's own name is as random. */
const OWNER = 'bench-worker';
/** Claimed for longer than a bench runs. */
const LEASE_SECONDS = 86_400;

/**
 * Puts documents `first` to `first + count` of the corpus into the queue, claimed as the worker claims, in one
 * transaction. Each is one chunk of 100 words under a title.
 */
export async function queueDocuments(
  deps: BenchDeps,
  corpus: Corpus,
  first: number,
  count: number,
): Promise<QueuedDocument[]> {
  const { tenantId, memoryId } = BENCH_MEMORY;
  const rows = Array.from({ length: count }, (_, i) => {
    const { titlePath, body } = corpus.chunk(first + i);
    const content = `${body}\n`;
    return { docId: `doc_single_${first + i}`, title: titlePath, content };
  });
  await deps.app.withTenant(tenantId, async (tx) => {
    await tx.execute(
      `INSERT INTO documents (tenant_id, memory_id, doc_id, workspace_id, livemode, vault_id, title, media_type, content_sha256, content_bytes, status)
       SELECT $1, $2, doc_id, 'wsp_bench', true, 'vlt_bench', title, 'text/plain', sha, bytes, 'indexing'
         FROM unnest($3::text[], $4::text[], $5::bytea[], $6::bigint[]) AS queued (doc_id, title, sha, bytes)`,
      [
        tenantId,
        memoryId,
        rows.map((row) => row.docId),
        rows.map((row) => row.title),
        rows.map((row) => createHash('sha256').update(row.content).digest()),
        rows.map((row) => row.content.length),
      ],
    );
    await tx.execute(
      `INSERT INTO ingest_queue (tenant_id, memory_id, doc_id, content, attempts, owner, lease_until)
       SELECT $1, $2, doc_id, content, 1, $3, now() + make_interval(secs => $4)
         FROM unnest($5::text[], $6::text[]) AS queued (doc_id, content)`,
      [tenantId, memoryId, OWNER, LEASE_SECONDS, rows.map((row) => row.docId), rows.map((row) => row.content)],
    );
  });
  return rows.map(({ docId, content }) => ({
    tenant_id: tenantId,
    memory_id: memoryId,
    doc_id: docId,
    content,
    payload: null,
    queued_at: new Date(),
    traceparent: null,
    bytes: content.length,
    attempts: 1,
    owner: OWNER,
  }));
}

/** Reads and indexes one queued document in a transaction of its own, by the functions that the ingest worker calls. */
export async function indexOne(deps: BenchDeps, document: QueuedDocument): Promise<void> {
  const about = { title: null, metadata: {}, fileName: '', mediaType: '', url: null, withTerms: false };
  const prepared = await prepareDocument({ content: document.content!, ...about, policy: 'secrets' });
  if (!prepared.ok) throw new Error(`${document.doc_id}: ${prepared.message}`);
  const done = await runIndexStep({ database: deps.app, index: deps.index, owner: OWNER, linker: null }, BENCH_MEMORY, [
    { document, prepared, isToBeRouted: false, original: null, route: null },
  ]);
  if (done.length !== 1) throw new Error(`${document.doc_id} was not completed`);
}
