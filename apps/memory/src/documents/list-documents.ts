import type * as operations from '@cairn/contracts';
import { nextCursorOf, pageOf } from '@cairn/postgres';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import { listDocumentRows } from './document-store.ts';
import { waitingOf, presentDocument, type ReadDocumentsDeps } from './present-document.ts';

export async function listDocuments(
  deps: ReadDocumentsDeps,
  context: RequestContext<typeof operations.listDocuments>,
): Promise<JsonResponse<typeof operations.listDocuments>> {
  const { memory_id, space_id, status, external_id, needs_review: needsReview, ...paging } = context.query;
  const memory = await deps.memories.resolve(context, { memory_id, space_id });
  const vaultId = memory.spaceId === null ? undefined : memory.vaultId;
  const page = pageOf(paging);
  const { rows, queued } = await deps.engines.read(memory, async ({ tx, closedVaults }) => {
    const filter = { status, externalId: external_id, vaultId, needsReview, closedVaults, ...page };
    const found = await listDocumentRows(tx, memory, filter);
    return { rows: found, queued: await waitingOf(tx, memory, found) };
  });
  const { shown, next_cursor } = nextCursorOf(rows, page, (row) => row.doc_id);
  const documents = shown.map((row) => presentDocument(row, queued.get(row.doc_id)));
  return { body: { documents, ...(next_cursor === undefined ? {} : { next_cursor }) } };
}
