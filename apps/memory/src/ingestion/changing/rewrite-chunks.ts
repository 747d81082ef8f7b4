import { newId } from '@cairn/contracts';
import { TITLE_SEPARATOR } from '@cairn/documents';
import type { Tx } from '@cairn/postgres';
import type { OpenMemory } from '../../memories/engines.ts';
import type { MemoryScope, TargetMemory } from '../../memories/memory-scope.ts';
import { type ChunkRow, chunksOfDocuments, deleteChunks, insertChunks } from '../../documents/chunk-store.ts';
import type { DocumentLinker, Prefetch } from '../../documents/document-linker.ts';
import { indexChunkOf } from '../../documents/index-chunk.ts';
import type { DocumentRow } from '../../documents/document-store.ts';

export interface ChunkLinker extends Pick<DocumentLinker, 'linkDocuments'> {
  prefetchAgain: Prefetch;
  /** Assigns to chunks that have a new id what was read in them under the one before. */
  moveReadings(
    tx: Tx,
    scope: MemoryScope,
    docId: string,
    moved: readonly { from: string; to: string }[],
  ): Promise<void>;
}

/** The chunks below the document's new title and at its new time, with new ids. */
export function rewritten(
  chunks: readonly ChunkRow[],
  before: Pick<DocumentRow, 'title'>,
  after: Pick<DocumentRow, 'title' | 'occurred_at'>,
): ChunkRow[] {
  return chunks.map((chunk) => ({
    ...chunk,
    chunk_id: newId('chunk'),
    title_path: after.title === before.title ? chunk.title_path : retitled(chunk.title_path, before.title, after.title),
    occurred_at: after.occurred_at,
  }));
}

/** The new title in the place of the one before, or above the headings where that was made up of the text. */
export function retitled(path: string, before: string, title: string): string {
  if (path === '' || path === before) return title;
  const headings = path.startsWith(before + TITLE_SEPARATOR) ? path.slice((before + TITLE_SEPARATOR).length) : path;
  return headings === title || headings.startsWith(title + TITLE_SEPARATOR)
    ? headings
    : title + TITLE_SEPARATOR + headings;
}

/** Replaces a completed document's chunks in index and graph after its title or time changed; lock it before. */
export async function rewriteChunks(
  { tx, index }: OpenMemory,
  memory: TargetMemory,
  { before, after }: { before: DocumentRow; after: DocumentRow },
  linker: Pick<ChunkLinker, 'linkDocuments' | 'moveReadings'>,
): Promise<void> {
  const old = await chunksOfDocuments(tx, memory, [after.doc_id]);
  if (old.length === 0) return;
  const chunks = rewritten(old, before, after);
  await deleteChunks(tx, memory, old);
  await insertChunks(tx, memory, chunks);
  const moved = chunks.map((chunk, at) => ({ from: old[at]!.chunk_id, to: chunk.chunk_id }));
  await linker.moveReadings(tx, memory, after.doc_id, moved);
  const { tenantId, memoryId } = memory;
  const { workspace_id: workspaceId, livemode } = after;
  await linker.linkDocuments(tx, { tenantId, memoryId, workspaceId, livemode }, [{ document: after, chunks }]);
  await index.add(
    tx,
    memory,
    chunks.map((chunk) => indexChunkOf(chunk, after)),
  );
  // Last, because it takes the memory's lock, which other writers wait for.
  await index.remove(
    tx,
    memory,
    old.map((chunk) => chunk.chunk_id),
  );
}
