import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import { reaches } from '../memories/visibility.ts';
import { contentPage, presentChunks } from './document-content.ts';
import { findDocument } from './document-store.ts';
import type { ReadDocumentsDeps } from './present-document.ts';

export async function getDocumentContent(
  deps: ReadDocumentsDeps,
  context: RequestContext<typeof operations.getDocumentContent>,
): Promise<JsonResponse<typeof operations.getDocumentContent>> {
  const { memory_id, max_bytes: maxBytes, cursor } = context.query;
  const docId = context.params.doc_id;
  const memory = await deps.memories.resolve(context, { memory_id });
  const read = await deps.engines.read(memory, async ({ tx, closedVaults }) => {
    const row = await findDocument(tx, memory, docId);
    if (row === null || !reaches(memory, closedVaults, row.vault_id)) return null;
    const after = cursor === undefined ? -1 : Number(cursor);
    const { chunks, hasMore } = await contentPage(tx, memory, docId, { after, maxBytes });
    return { row, hasMore, chunks: await presentChunks(tx, memory, docId, chunks) };
  });
  if (read === null) throw notFound('The document');
  const { row, chunks, hasMore } = read;
  return {
    body: {
      doc_id: row.doc_id,
      title: row.title,
      status: row.status,
      media_type: row.media_type,
      source_uri: row.source_uri,
      updated_at: row.updated_at.toISOString(),
      chunks,
      ...(hasMore ? { next_cursor: String(chunks.at(-1)!.ordinal) } : {}),
    },
  };
}
