import { availableParallelism } from 'node:os';
import type { DocumentWithChunks } from '../../../../apps/memory/src/documents/document-linker.ts';
import type { ChunkRow } from '../../../../apps/memory/src/documents/chunk-store.ts';
import { createGraphLinker } from '../../../../apps/memory/src/graph/linking/graph-linker.ts';
import { readIn } from '../../../../apps/memory/src/graph/linking/windows.ts';
import { createPreparePool } from '../../../../apps/memory/src/ingestion/preparing/prepare-pool.ts';
import { BENCH_MEMORY, type BenchDeps } from './bench-memory.ts';

/** As config.ts has them. */
const CPU_MAX_MS = 60_000;
const MEMORY_MAX_MB = 512;

/**
 * Ingestion's last step over batches of documents, given by their chunks: read in worker processes, as in the service,
 * several batches at a time.
 */
export async function linkBatches(
  { app }: BenchDeps,
  batches: Iterable<readonly ChunkRow[]>,
  onLinked: (documents: number) => void,
): Promise<void> {
  const memory = { ...BENCH_MEMORY, workspaceId: 'wsp_bench', livemode: true };
  const lanes = availableParallelism();
  // One more than there are lanes: no tenant gets all processes.
  const pool = createPreparePool({ workers: lanes + 1, cpuMaxMs: CPU_MAX_MS, memoryMaxMb: MEMORY_MAX_MB });
  const linker = createGraphLinker(readIn(pool), null);
  const waiting = batches[Symbol.iterator]();
  let linked = 0;
  const lane = async () => {
    for (let next = waiting.next(); next.done !== true; next = waiting.next()) {
      const documents = [...Map.groupBy(next.value, (chunk) => chunk.doc_id).values()].map(documentOf);
      const link = await linker.prefetch(app, memory, documents);
      await app.withTenant(memory.tenantId, (tx) => link(tx, memory, documents));
      linked += documents.length;
      onLinked(linked);
    }
  };
  try {
    await Promise.all(Array.from({ length: lanes }, lane));
  } finally {
    await pool.close();
  }
}

function documentOf(chunks: readonly ChunkRow[]): DocumentWithChunks {
  const [first] = chunks;
  return {
    document: { doc_id: first!.doc_id, vault_id: first!.vault_id, occurred_at: null } as DocumentWithChunks['document'],
    chunks,
  };
}
