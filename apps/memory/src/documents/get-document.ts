import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import { findDocument } from './document-store.ts';
import { reaches } from '../memories/visibility.ts';
import { waitingOf, presentDocument, type ReadDocumentsDeps } from './present-document.ts';

export async function getDocument(
  deps: ReadDocumentsDeps,
  context: RequestContext<typeof operations.getDocument>,
): Promise<JsonResponse<typeof operations.getDocument>> {
  const memory = await deps.memories.resolve(context, context.query);
  const read = await deps.engines.read(memory, async ({ tx, closedVaults }) => {
    const row = await findDocument(tx, memory, context.params.doc_id);
    if (row === null || !reaches(memory, closedVaults, row.vault_id)) return null;
    return { row, queued: (await waitingOf(tx, memory, [row])).get(row.doc_id) };
  });
  if (read === null) throw notFound('The document');
  return { body: presentDocument(read.row, read.queued) };
}
