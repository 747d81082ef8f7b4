import { appendAllToOutbox } from '@cairn/postgres';
import { chunksOfDocuments } from '../chunk-store.ts';
import { documentsAtWork, lockDocuments, markCompleted, type MemoryScope } from '../document-store.ts';
import { isUnavailable } from '../engines/away.ts';
import { whileOpen, whileReadable } from '../erasure/closed-scopes.ts';
import { dequeue, holdClaims, type QueuedDocument } from '../ingest-queue.ts';
import { completedEvent } from './index-prepared.ts';
import { AttemptFailure, type WorkerParts } from './worker-parts.ts';

/** Before the transaction, and outside of any: what the linker needs of others. */
async function prepareLinking(parts: LinkParts, scope: MemoryScope, docIds: readonly string[]): Promise<void> {
  const prepare = parts.linker?.prepare ?? null;
  if (prepare === null) return;
  const linkable = await whileReadable(parts.database, scope, async (tx) => {
    const rows = await documentsAtWork(tx, scope, docIds);
    const chunks = Map.groupBy(await chunksOfDocuments(tx, scope, docIds), (chunk) => chunk.doc_id);
    return rows.map((document) => ({ document, chunks: chunks.get(document.doc_id) ?? [] }));
  });
  const [first] = linkable ?? [];
  if (linkable === null || first === undefined) return;
  const { workspace_id: workspaceId, livemode } = first.document;
  await prepare(parts.database, { ...scope, workspaceId, livemode }, linkable).catch((error: unknown) => {
    if (isUnavailable(error)) throw error;
    parts.logger.warn({ err: error, doc_ids: docIds }, 'linking could not be prepared');
    throw new AttemptFailure('linking');
  });
}

type LinkParts = Pick<WorkerParts, 'database' | 'linker' | 'owner' | 'logger'>;

/** Links indexed documents and completes them, all in one transaction. */
export async function linkIndexed(
  parts: LinkParts,
  scope: MemoryScope,
  documents: readonly QueuedDocument[],
): Promise<void> {
  const wanted = documents.map((document) => document.doc_id);
  await prepareLinking(parts, scope, wanted);
  await whileOpen(parts.database, scope, async (tx, closedVaults) => {
    const found = await lockDocuments(tx, scope, wanted);
    const open = found.filter((row) => !closedVaults.has(row.vault_id));
    const openIds = open.map((row) => row.doc_id);
    const held = await holdClaims(tx, scope, parts.owner, openIds);
    const rows = open.filter((row) => held.has(row.doc_id));
    if (rows.length === 0) return;
    const docIds = rows.map((row) => row.doc_id);
    const chunks = Map.groupBy(await chunksOfDocuments(tx, scope, docIds), (chunk) => chunk.doc_id);
    const [{ workspace_id: workspaceId, livemode }] = rows as [(typeof rows)[number]];
    const linkable = rows.map((document) => ({ document, chunks: chunks.get(document.doc_id) ?? [] }));
    await parts.linker?.linkDocuments(tx, { ...scope, workspaceId, livemode }, linkable).catch((error: unknown) => {
      if (isUnavailable(error)) throw error;
      parts.logger.warn({ err: error, doc_ids: docIds }, 'documents could not be linked');
      throw new AttemptFailure('linking');
    });
    await markCompleted(tx, scope, docIds);
    await appendAllToOutbox(
      tx,
      rows.map((row) => completedEvent(scope, row, row.chunk_count)),
    );
    await dequeue(tx, scope, docIds);
  });
}
