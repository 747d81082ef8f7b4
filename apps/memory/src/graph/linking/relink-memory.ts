import type { Database, Tx } from '@cairn/postgres';
import { chunksOfDocuments } from '../../documents/chunk-store.ts';
import type { DocumentWithChunks } from '../../documents/document-linker.ts';
import { type DocumentRow, lockDocuments } from '../../documents/document-store.ts';
import { whileOpen } from '../../memories/closed-scopes.ts';
import type { AttributedMemory } from '../../memories/memory-scope.ts';
import { linkedDocumentsAfter } from '../store/chunk-contributions.ts';
import { setExtractorVersion } from '../store/graph-lock.ts';
import type { GraphLinker } from './graph-linker.ts';

const BATCH = 16;

/**
 * Links again whatever an older version of the extractor read, a few documents at a time; those that read the same are
 * left as they are. When it is stopped, the next call begins again, and finds what was done done. `onBatch`: called
 * before each batch.
 */
export async function relinkMemory(
  { database, linker }: { database: Database; linker: GraphLinker },
  memory: AttributedMemory,
  signal: AbortSignal,
  onBatch: () => Promise<void>,
): Promise<void> {
  let after = '';
  while (!signal.aborted) {
    await onBatch();
    const docIds = await database.withTenant(memory.tenantId, (tx) => linkedDocumentsAfter(tx, memory, after, BATCH));
    if (docIds.length === 0) {
      await database.withTenant(memory.tenantId, (tx) => setExtractorVersion(tx, memory));
      return;
    }
    await relink({ database, linker }, memory, docIds);
    after = docIds.at(-1)!;
  }
}

async function relink(
  { database, linker }: { database: Database; linker: GraphLinker },
  memory: AttributedMemory,
  docIds: readonly string[],
): Promise<void> {
  const documents = await database.withTenant(memory.tenantId, async (tx) =>
    withChunks(tx, memory, await lockDocuments(tx, memory, docIds)),
  );
  await linker.prefetchAgain(database, memory, documents);
  await whileOpen(database, memory, async (tx, closedVaults) => {
    const found = await lockDocuments(tx, memory, docIds);
    const open = found.filter((row) => !closedVaults.has(row.vault_id));
    await linker.linkDocuments(tx, memory, await withChunks(tx, memory, open));
  });
}

async function withChunks(
  tx: Tx,
  memory: AttributedMemory,
  rows: readonly DocumentRow[],
): Promise<DocumentWithChunks[]> {
  const ids = rows.map((row) => row.doc_id);
  const chunks = Map.groupBy(await chunksOfDocuments(tx, memory, ids), (chunk) => chunk.doc_id);
  return rows.map((document) => ({ document, chunks: chunks.get(document.doc_id) ?? [] }));
}
