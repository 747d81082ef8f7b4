import { createHash, randomUUID } from 'node:crypto';
import type { Database, Tx } from '@cairn/postgres';
import type { Analyser } from '../src/analyser.ts';
import { createMerger } from '../src/merging/merger.ts';
import { MERGE_LIMITS } from '../src/merging/merge-policy.ts';
import { createSegmentIndex } from '../src/segment-index.ts';
import type { IndexChunk, IndexScope, SearchIndex } from '../src/search-index.ts';

interface Workload {
  app: Database;
  worker: Database;
  memory: IndexScope;
  analyser: Analyser;
  writers: number;
  mergers: number;
  readers: number;
  /** True when everyone should stop. */
  done: () => boolean;
  /** Called for every write: before its commit is asked for, and again when it was acknowledged. */
  journal?: (entry: JournalEntry) => void;
}

/** One write of one document, as a journal that outlives a killed process keeps it. */
export interface JournalEntry {
  step: 'asked' | 'acknowledged';
  writeId: string;
  docId: string;
  added: string[];
  removed: string[];
}

export interface WorkloadReport {
  writes: number;
  reads: number;
  merges: number;
  /** Everything that must not happen; empty when all is well. */
  violations: string[];
}

/** Words of three languages, so that chunks and queries are read in several. */
const COMMON = ['pump', 'valve', 'pressure', 'motor', 'the', 'of', 'failed', 'replaced', 'und', 'der', 'que'];
const DOCUMENTS_PER_WRITER = 40;
const CHUNKS_MAX = 4;
/** Leases short enough that the lease of a killed process runs out while the others work. */
const LEASE_MS = 2_000;
const GRACE_MS = 1_000;

/** Reads and writes one memory with all its might until `done`, and says what went wrong. */
export async function runWorkload(workload: Workload): Promise<WorkloadReport> {
  const report: WorkloadReport = { writes: 0, reads: 0, merges: 0, violations: [] };
  const index = createSegmentIndex({ analyser: workload.analyser });
  const note = (who: string) => (error: unknown) => {
    report.violations.push(`${who}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  };
  const repeat = async (who: string, work: () => Promise<void>) => {
    while (!workload.done()) await work().catch(note(who));
  };
  const crew: Promise<void>[] = [];
  for (let i = 0; i < workload.writers; i++) {
    const prefix = randomUUID().slice(0, 8);
    crew.push(repeat('writer', () => writeIdempotently(workload, index, prefix).then(() => void report.writes++)));
  }
  for (let i = 0; i < workload.readers; i++) crew.push(repeat('reader', () => readOnce(workload, index, report)));
  for (let i = 0; i < workload.mergers; i++) {
    const merger = createMerger({
      analyser: workload.analyser,
      database: workload.worker,
      onError: note('merger'),
      limits: { ...MERGE_LIMITS, segmentsPerTier: 4 },
      leaseMs: LEASE_MS,
      graceMs: GRACE_MS,
    });
    const work = async () => {
      if ((await merger.mergeOnce(workload.memory)) !== null) report.merges++;
      else await new Promise((resolve) => setTimeout(resolve, 20));
      await merger.sweep();
    };
    crew.push(repeat('merger', work));
  }
  await Promise.all(crew);
  return report;
}

function pick<T>(items: readonly T[]): T {
  return items[Math.floor(Math.random() * items.length)]!;
}

function newChunk(docId: string): IndexChunk {
  const chunkId = `chk_${randomUUID()}`;
  const words = Array.from({ length: 12 }, () => pick(COMMON));
  return {
    chunkId,
    docId,
    vaultId: 'vlt_1',
    titlePath: docId,
    contextPrefix: '',
    body: `${words.join(' ')} ${markerOf(chunkId)}`,
    occurredAtMs: null,
    createdAtMs: 1,
  };
}

/** A word that only this chunk has. */
export function markerOf(chunkId: string): string {
  return `m${createHash('sha256').update(chunkId).digest('hex').slice(0, 20)}`;
}

/** Adds a document, replaces one (keeping some chunks, as the ingest does), or deletes one; table and index together. */
async function writeIdempotently(
  { app, memory, journal }: Workload,
  index: SearchIndex,
  prefix: string,
): Promise<void> {
  const docId = `doc_${prefix}_${Math.floor(Math.random() * DOCUMENTS_PER_WRITER)}`;
  const write = { writeId: randomUUID(), docId };
  const { added, removed } = await app.withTenant(memory.tenantId, async (tx) => {
    const rows = await tx.query<{ chunk_id: string }>(
      'SELECT chunk_id FROM chunks WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = $3 FOR UPDATE',
      [memory.tenantId, memory.memoryId, docId],
    );
    const gone = rows.map((row) => row.chunk_id).filter(() => Math.random() < 0.7);
    const fresh =
      Math.random() < 0.3
        ? []
        : Array.from({ length: 1 + Math.floor(Math.random() * CHUNKS_MAX) }, () => newChunk(docId));
    await tx.execute('DELETE FROM chunks WHERE tenant_id = $1 AND memory_id = $2 AND chunk_id = ANY ($3)', [
      memory.tenantId,
      memory.memoryId,
      gone,
    ]);
    await index.remove(tx, memory, gone);
    for (const chunk of fresh) await insertChunk(tx, memory, chunk);
    await index.add(tx, memory, fresh);
    const changed = { added: fresh.map((chunk) => chunk.chunkId), removed: gone };
    journal?.({ step: 'asked', ...write, ...changed });
    return changed;
  });
  journal?.({ step: 'acknowledged', ...write, added, removed });
}

async function insertChunk(tx: Tx, memory: IndexScope, chunk: IndexChunk): Promise<void> {
  await tx.execute(
    `INSERT INTO chunks (tenant_id, memory_id, chunk_id, doc_id, vault_id, ordinal, title_path, context_prefix, body, body_sha256, location)
     VALUES ($1, $2, $3, $4, $5, 0, $6, $7, $8, '\\x00', '{}')`,
    [
      memory.tenantId,
      memory.memoryId,
      chunk.chunkId,
      chunk.docId,
      chunk.vaultId,
      chunk.titlePath,
      chunk.contextPrefix,
      chunk.body,
    ],
  );
}

/** In one snapshot: a chunk of the table is found, and all hits are chunks of the table, each once. */
async function readOnce({ app, memory }: Workload, index: SearchIndex, report: WorkloadReport): Promise<void> {
  const search = async (tx: Tx) => {
    const sample = await tx.query<{ chunk_id: string }>(
      'SELECT chunk_id FROM chunks WHERE tenant_id = $1 AND memory_id = $2 AND chunk_id >= $3 ORDER BY chunk_id LIMIT 1',
      [memory.tenantId, memory.memoryId, `chk_${randomUUID()}`],
    );
    const wanted = sample[0]?.chunk_id;
    if (wanted !== undefined) {
      const found = await index.search(tx, memory, { text: markerOf(wanted), limit: 10 });
      if (found.length !== 1 || found[0]!.chunkId !== wanted)
        report.violations.push(`${wanted} is stored but the search found ${JSON.stringify(found)}`);
    }
    const hits = await index.search(tx, memory, { text: `${pick(COMMON)} ${pick(COMMON)}`, limit: 50 });
    const ids = hits.map((hit) => hit.chunkId);
    const stored = await tx.query(
      'SELECT chunk_id FROM chunks WHERE tenant_id = $1 AND memory_id = $2 AND chunk_id = ANY ($3)',
      [memory.tenantId, memory.memoryId, ids],
    );
    if (new Set(ids).size !== ids.length) report.violations.push('a chunk was found twice');
    if (stored.length !== ids.length)
      report.violations.push(`${ids.length - stored.length} hits of ${ids.length} are not stored any more`);
  };
  await app.withTenant(memory.tenantId, search, { mode: 'snapshot' });
  report.reads++;
}

/** Merges until no deleted chunk is left, rebuilds the index elsewhere from the stored chunks, and compares the two. */
export async function compareWithRebuild({
  app,
  worker,
  memory,
  analyser,
}: Pick<Workload, 'app' | 'worker' | 'memory' | 'analyser'>): Promise<string[]> {
  const violations: string[] = [];
  const limits = { ...MERGE_LIMITS, segmentsPerTier: 2, deletedShareMax: 0 };
  const merger = createMerger({
    analyser,
    database: worker,
    onError: (error) => violations.push(String(error)),
    limits,
    leaseMs: LEASE_MS,
    graceMs: 0,
  });
  await new Promise((resolve) => setTimeout(resolve, LEASE_MS));
  while ((await merger.mergeOnce(memory)) !== null);
  const rebuilt = { tenantId: memory.tenantId, memoryId: `${memory.memoryId}_rebuilt` };
  const index = createSegmentIndex({ analyser });
  await app.withTenant(memory.tenantId, async (tx) => {
    const rows = await tx.query<{
      chunk_id: string;
      doc_id: string;
      vault_id: string;
      title_path: string;
      context_prefix: string;
      body: string;
    }>('SELECT * FROM chunks WHERE tenant_id = $1 AND memory_id = $2', [memory.tenantId, memory.memoryId]);
    const chunks = rows.map((row) => ({
      chunkId: row.chunk_id,
      docId: row.doc_id,
      vaultId: row.vault_id,
      titlePath: row.title_path,
      contextPrefix: row.context_prefix,
      body: row.body,
      occurredAtMs: null,
      createdAtMs: 1,
    }));
    await index.add(tx, rebuilt, chunks);
  });
  for (const text of [...COMMON, 'pump valve', 'motor failed pressure', ...COMMON.map((word) => `"the ${word}"`)]) {
    const [left, right] = await Promise.all(
      [memory, rebuilt].map((ref) =>
        app.withTenant(
          ref.tenantId,
          (tx) => createSegmentIndex({ analyser }).search(tx, ref, { text, limit: 100_000 }),
          { mode: 'snapshot' },
        ),
      ),
    );
    if (JSON.stringify(left) !== JSON.stringify(right))
      violations.push(`'${text}' gives ${left!.length} hits, a rebuild ${right!.length}, or other scores`);
  }
  for (const sweeps of [1, 2, 3])
    await merger.sweep().catch((error: unknown) => violations.push(`sweep ${sweeps}: ${String(error)}`));
  return violations;
}
