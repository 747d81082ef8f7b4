import type * as operations from '@cairn/contracts';
import { nextCursorOf, pageOf } from '@cairn/postgres';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import { listDocumentRows } from './list-document-rows.ts';
import { waitingOf, presentDocument, type ReadDocumentsDeps } from './present-document.ts';

export async function listDocuments(
  deps: ReadDocumentsDeps,
  context: RequestContext<typeof operations.listDocuments>,
): Promise<JsonResponse<typeof operations.listDocuments>> {
  const { memory_id, space_id, status, external_id, needs_review, query, sort, ...paging } = context.query;
  const memory = await deps.memories.resolve(context, { memory_id, space_id });
  const page = pageOf(paging);
  const { rows, lookedUpTo, queued } = await deps.engines.read(memory, async ({ tx, closedVaults }) => {
    const found = await listDocumentRows(tx, memory, {
      statuses: status,
      externalId: external_id,
      vaultId: memory.spaceId === null ? undefined : memory.vaultId,
      needsReview: needs_review,
      words: query,
      closedVaults,
      order: sort,
      ...page,
    });
    return { ...found, queued: await waitingOf(tx, memory, found.rows) };
  });
  const { shown, next_cursor = lookedUpTo ?? undefined } = nextCursorOf(rows, page, (row) => row.doc_id);
  const documents = shown.map((row) => presentDocument(row, queued.get(row.doc_id)));
  return { body: { documents, ...(next_cursor === undefined ? {} : { next_cursor }) } };
}
