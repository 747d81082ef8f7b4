import type { deleteDocument } from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { chunksOfDocuments, deleteChunks } from './chunk-store.ts';
import { deleteDocumentRow } from './document-store.ts';
import type { Engines } from './engines/engines.ts';
import { unlinkDocuments } from './graph/link-documents.ts';
import { dequeue } from './ingest-queue.ts';
import { type MemoryLookup, reaches } from './memory-lookup.ts';

export interface DeleteParts {
  engines: Engines;
  lookup: MemoryLookup;
}

/** Takes a document, its chunks and its index entries out in one transaction; a worker that holds it finds it gone. */
export async function removeDocument(
  parts: DeleteParts,
  call: Call<typeof deleteDocument>,
): Promise<JsonAnswer<typeof deleteDocument>> {
  const memory = await parts.lookup.find(call, call.query);
  const docId = call.params.doc_id;
  await parts.engines.write(memory, async ({ tx, index, closedVaults }) => {
    // Document, queue, chunks, graph, index: whoever changes a document locks in this order.
    const row = await deleteDocumentRow(tx, memory, docId);
    if (row === null || !reaches(memory, closedVaults, row.vault_id)) throw notFound('The document');
    await dequeue(tx, memory, [docId]);
    const chunks = await chunksOfDocuments(tx, memory, [docId]);
    await deleteChunks(tx, memory, chunks);
    await unlinkDocuments(tx, memory, [docId]);
    await index.remove(
      tx,
      memory,
      chunks.map((chunk) => chunk.chunk_id),
    );
  });
  return { body: { doc_id: docId, deleted: true } };
}
