import { eraseResponsesOf, type Tx } from '@cairn/postgres';
import type { SearchIndex } from '@cairn/search-index';
import type { MemoryScope } from '../memories/memory-scope.ts';
import { chunksOfDocuments, deleteChunks } from './chunk-store.ts';
import type { DocumentLinker } from './document-linker.ts';
import { dequeue } from './queue-state.ts';

/** A document with more chunks goes alone. */
const CHUNKS_AT_ONCE = 1_000;

/** Operations whose answers tell what a document is called or says. That of an ingestion is ids: a repeat stays one. */
const TELLING_OF_DOCUMENTS = ['routeDocument', 'resolveContradiction', 'reopenContradiction', 'splitEntity'];

/** The first of the documents that one transaction removes in a short time. */
export function removableAtOnce<Row extends { chunk_count: number }>(rows: readonly Row[]): Row[] {
  const some: Row[] = [];
  let chunks = 0;
  for (const row of rows) {
    chunks += row.chunk_count;
    if (some.length > 0 && chunks > CHUNKS_AT_ONCE) break;
    some.push(row);
  }
  return some;
}

/**
 * Deletes what was kept for repeats of answers about the documents. After the documents and the graph are locked: whoever
 * was writing such an answer has been waited for.
 */
export async function eraseResponsesAbout(tx: Tx, scope: MemoryScope, docIds: readonly string[]): Promise<void> {
  const { tenantId, memoryId } = scope;
  await eraseResponsesOf(tx, { tenantId, memoryId, operations: TELLING_OF_DOCUMENTS, mentions: docIds });
}

/** Removes documents that the transaction has locked, in everyone's order: document, queue, chunks, graph, index. */
export async function removeDocuments(
  tx: Tx,
  index: Pick<SearchIndex, 'remove'>,
  scope: MemoryScope,
  docIds: readonly string[],
  unlinkDocuments: DocumentLinker['unlinkDocuments'],
): Promise<void> {
  await dequeue(tx, scope, docIds);
  const chunks = await chunksOfDocuments(tx, scope, docIds);
  await deleteChunks(tx, scope, chunks);
  await unlinkDocuments(tx, scope, docIds);
  await eraseResponsesAbout(tx, scope, docIds);
  await tx.execute('DELETE FROM documents WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = ANY($3)', [
    scope.tenantId,
    scope.memoryId,
    docIds,
  ]);
  await index.remove(
    tx,
    scope,
    chunks.map((chunk) => chunk.chunk_id),
  );
}
