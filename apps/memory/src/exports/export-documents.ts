import type * as operations from '@cairn/contracts';
import type { FileResponse, RequestContext } from '@cairn/service-kit';
import { contentPage, presentChunks } from '../documents/document-content.ts';
import { listDocumentRows } from '../documents/list-document-rows.ts';
import { findDocument } from '../documents/document-store.ts';
import { presentDocument, type ReadDocumentsDeps, waitingOf } from '../documents/present-document.ts';
import type { TargetMemory } from '../memories/memory-scope.ts';
import { reaches } from '../memories/visibility.ts';
import { download, type Line } from './write-lines.ts';

const DOCUMENTS_PER_PAGE = 200;
const TEXT_BYTES_PER_PAGE = 1_000_000;

/** Every document of a memory or space that the caller sees, with its passages. */
export async function exportDocuments(
  deps: ReadDocumentsDeps,
  context: RequestContext<typeof operations.exportDocuments>,
): Promise<FileResponse> {
  const { memory_id, space_id, after } = context.query;
  const memory = await deps.memories.resolve(context, { memory_id, space_id });
  return download(`documents-${memory.memoryId}`, documentLines(deps, memory, after ?? ''));
}

async function* documentLines(deps: ReadDocumentsDeps, memory: TargetMemory, start: string): AsyncGenerator<Line[]> {
  for (let after = start; ;) {
    const ids = await deps.engines.read(memory, async ({ tx, closedVaults }) => {
      const { rows } = await listDocumentRows(tx, memory, {
        vaultId: memory.spaceId === null ? undefined : memory.vaultId,
        closedVaults,
        order: 'oldest',
        after,
        fetch: DOCUMENTS_PER_PAGE,
      });
      return rows.map((row) => row.doc_id);
    });
    for (const docId of ids) yield* linesOfDocument(deps, memory, docId);
    if (ids.length < DOCUMENTS_PER_PAGE) return;
    after = ids.at(-1)!;
  }
}

/** A document and its passages; nothing more of one that was deleted, or moved out of sight, since it was listed. */
async function* linesOfDocument(deps: ReadDocumentsDeps, memory: TargetMemory, docId: string): AsyncGenerator<Line[]> {
  for (let after = -1; ;) {
    const from = after;
    const page = await deps.engines.read(memory, async ({ tx, closedVaults }) => {
      const row = await findDocument(tx, memory, docId);
      if (row === null || !reaches(memory, closedVaults, row.vault_id)) return null;
      const content = await contentPage(tx, memory, docId, { after: from, maxBytes: TEXT_BYTES_PER_PAGE });
      return {
        document: presentDocument(row, (await waitingOf(tx, memory, [row])).get(docId)),
        chunks: await presentChunks(tx, memory, docId, content.chunks),
        hasMore: content.hasMore,
      };
    });
    if (page === null) return;
    const { document, chunks, hasMore } = page;
    if (from === -1) yield [{ type: 'document', document }];
    yield chunks.map(({ facts: _facts, ...chunk }) => ({ type: 'chunk', chunk: { doc_id: docId, ...chunk } }));
    if (!hasMore) return;
    after = chunks.at(-1)!.ordinal;
  }
}
