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
    const page = await deps.engines.read(memory, async ({ tx, closedVaults }) => {
      const { rows } = await listDocumentRows(tx, memory, {
        vaultId: memory.spaceId === null ? undefined : memory.vaultId,
        closedVaults,
        order: 'oldest',
        after,
        fetch: DOCUMENTS_PER_PAGE,
      });
      const waiting = await waitingOf(tx, memory, rows);
      return rows.map((row) => ({ docId: row.doc_id, document: presentDocument(row, waiting.get(row.doc_id)) }));
    });
    for (const { docId, document } of page) {
      yield [{ type: 'document', document }];
      yield* passageLines(deps, memory, docId);
    }
    if (page.length < DOCUMENTS_PER_PAGE) return;
    after = page.at(-1)!.docId;
  }
}

/** None of a document that was deleted, or moved out of sight, since it was listed. */
async function* passageLines(deps: ReadDocumentsDeps, memory: TargetMemory, docId: string): AsyncGenerator<Line[]> {
  for (let after = -1; ;) {
    const { chunks, hasMore } = await deps.engines.read(memory, async ({ tx, closedVaults }) => {
      const row = await findDocument(tx, memory, docId);
      if (row === null || !reaches(memory, closedVaults, row.vault_id)) return { chunks: [], hasMore: false };
      const content = await contentPage(tx, memory, docId, { after, maxBytes: TEXT_BYTES_PER_PAGE });
      return { chunks: await presentChunks(tx, memory, docId, content.chunks), hasMore: content.hasMore };
    });
    yield chunks.map(({ facts: _facts, ...chunk }) => ({ type: 'chunk', chunk: { doc_id: docId, ...chunk } }));
    if (!hasMore) return;
    after = chunks.at(-1)!.ordinal;
  }
}
