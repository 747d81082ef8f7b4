import { appendAllToOutbox } from '@cairn/postgres';
import { chunksOfDocuments } from '../documents/chunk-store.ts';
import { unfinishedDocuments, lockDocuments, markCompleted } from '../documents/document-store.ts';
import { whileOpen, whileReadable } from '../memories/closed-scopes.ts';
import { holdClaims, type QueuedDocument } from './queue.ts';
import { completedEvent } from './index-step.ts';
import type { LinkDocuments } from '../documents/document-linker.ts';
import { type IngestionDeps } from './ingestion-deps.ts';
import type { MemoryScope } from '../memories/memory-scope.ts';
import { isUnavailable } from '../memories/unavailable.ts';
import { countCompleted } from './observe-documents.ts';
import { dequeue } from '../documents/queue-state.ts';
import { AttemptFailure } from './attempt-failure.ts';

/** Runs the linker's slow part, such as model calls, while no transaction is held; returns how to link with its result. */
async function prefetchForLinking(
  deps: LinkDeps,
  scope: MemoryScope,
  docIds: readonly string[],
): Promise<LinkDocuments | null> {
  const link = deps.linker?.linkDocuments ?? null;
  const prefetch = deps.linker?.prefetch ?? null;
  if (prefetch === null) return link;
  const linkable = await whileReadable(deps.database, scope, async (tx) => {
    const rows = await unfinishedDocuments(tx, scope, docIds);
    const chunks = Map.groupBy(await chunksOfDocuments(tx, scope, docIds), (chunk) => chunk.doc_id);
    return rows.map((document) => ({ document, chunks: chunks.get(document.doc_id) ?? [] }));
  });
  const [first] = linkable ?? [];
  if (linkable === null || first === undefined) return link;
  const { workspace_id: workspaceId, livemode } = first.document;
  return prefetch(deps.database, { ...scope, workspaceId, livemode }, linkable).catch((error: unknown) => {
    if (isUnavailable(error)) throw error;
    deps.logger.warn({ err: error, doc_ids: docIds }, 'linking: reading the documents failed; retrying');
    throw new AttemptFailure('linking');
  });
}

type LinkDeps = Pick<IngestionDeps, 'database' | 'linker' | 'owner' | 'logger'>;

/** Links indexed documents and completes them, all in one transaction. */
export async function runLinkStep(
  deps: LinkDeps,
  scope: MemoryScope,
  documents: readonly QueuedDocument[],
): Promise<void> {
  const wanted = documents.map((document) => document.doc_id);
  const link = await prefetchForLinking(deps, scope, wanted);
  const byId = new Map(documents.map((document) => [document.doc_id, document]));
  const completed = await whileOpen(deps.database, scope, async (tx, closedVaults) => {
    const found = await lockDocuments(tx, scope, wanted);
    const open = found.filter((row) => !closedVaults.has(row.vault_id));
    const openIds = open.map((row) => row.doc_id);
    const held = await holdClaims(tx, scope, deps.owner, openIds);
    const rows = open.filter((row) => held.has(row.doc_id));
    if (rows.length === 0) return [];
    const docIds = rows.map((row) => row.doc_id);
    const chunks = Map.groupBy(await chunksOfDocuments(tx, scope, docIds), (chunk) => chunk.doc_id);
    const [{ workspace_id: workspaceId, livemode }] = rows as [(typeof rows)[number]];
    const linkable = rows.map((document) => ({ document, chunks: chunks.get(document.doc_id) ?? [] }));
    await link?.(tx, { ...scope, workspaceId, livemode }, linkable).catch((error: unknown) => {
      if (isUnavailable(error)) throw error;
      deps.logger.warn({ err: error, doc_ids: docIds }, 'linking: the transaction failed; retrying each document');
      throw new AttemptFailure('linking');
    });
    await markCompleted(tx, scope, docIds);
    await appendAllToOutbox(
      tx,
      rows.map((row) => ({
        ...completedEvent(scope, row, row.chunk_count),
        traceparent: byId.get(row.doc_id)!.traceparent,
      })),
    );
    await dequeue(tx, scope, docIds);
    return docIds;
  });
  countCompleted((completed ?? []).map((docId) => byId.get(docId)!));
}
