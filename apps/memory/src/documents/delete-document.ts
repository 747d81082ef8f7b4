import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import { announceDocuments } from './announce-documents.ts';
import { chunksOfDocuments, deleteChunks } from './chunk-store.ts';
import { deleteDocumentRow } from './document-store.ts';
import type { Engines } from '../memories/engines.ts';
import type { DocumentLinker } from './document-linker.ts';
import { type MemoryResolver } from '../memories/resolve-memory.ts';
import { reaches } from '../memories/visibility.ts';
import { dequeue } from './queue-state.ts';
import { eraseResponsesAbout } from './remove-documents.ts';

export interface DeleteDocumentDeps {
  engines: Engines;
  memories: MemoryResolver;
  linker: DocumentLinker;
}

/** Deletes a document, its chunks and its index entries in one transaction; a worker that holds a claim on it finds it gone. */
export async function deleteDocument(
  deps: DeleteDocumentDeps,
  context: RequestContext<typeof operations.deleteDocument>,
): Promise<JsonResponse<typeof operations.deleteDocument>> {
  const memory = await deps.memories.resolve(context, context.query);
  const docId = context.params.doc_id;
  await deps.engines.write(memory, async ({ tx, index, closedVaults }) => {
    // The lock order of everyone who changes a document: document, queue, chunks, graph, index.
    const row = await deleteDocumentRow(tx, memory, docId);
    if (row === null || !reaches(memory, closedVaults, row.vault_id)) throw notFound('The document');
    await dequeue(tx, memory, [docId]);
    const chunks = await chunksOfDocuments(tx, memory, [docId]);
    await deleteChunks(tx, memory, chunks);
    await deps.linker.unlinkDocuments(tx, memory, [docId]);
    await eraseResponsesAbout(tx, memory, [docId]);
    await index.remove(
      tx,
      memory,
      chunks.map((chunk) => chunk.chunk_id),
    );
    await announceDocuments(tx, memory, 'documentsDeleted', [row]);
  });
  return { body: { doc_id: docId, deleted: true } };
}
