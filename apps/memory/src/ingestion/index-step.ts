import { createHash } from 'node:crypto';
import { encodeEvent, type EncodedEvent, newId } from '@cairn/contracts';
import { appendAllToOutbox, type Tx } from '@cairn/postgres';
import type { SearchIndex } from '@cairn/search-index';
import {
  chunksOfDocuments,
  type ChunkRow,
  deleteChunks,
  insertChunks,
  updateChunkPositions,
} from '../documents/chunk-store.ts';
import {
  type DocumentRow,
  hasDuplicateIn,
  lockDocuments,
  type ProcessedDocument,
  saveProcessedDocuments,
} from '../documents/document-store.ts';
import { type ClosedVaults, whileOpen } from '../memories/closed-scopes.ts';
import { holdClaims, markLinkOnly } from './queue.ts';
import type { PreparedDocument } from './preparing/prepared-document.ts';
import type { IngestionDeps } from './ingestion-deps.ts';
import type { MemoryScope } from '../memories/memory-scope.ts';
import { countCompleted } from './observe-documents.ts';
import { eventScopeOf } from '../documents/announce-documents.ts';
import { saveOriginals } from '../documents/original-store.ts';
import { dequeue } from '../documents/queue-state.ts';
import { AttemptFailure } from './attempt-failure.ts';
import { indexChunkOf } from '../documents/index-chunk.ts';
import type { RoutedDocument } from './ready-document.ts';

type IndexDeps = Pick<IngestionDeps, 'database' | 'index' | 'owner' | 'linker'>;

interface DocumentChange {
  row: DocumentRow;
  routed: RoutedDocument;
  processed: ProcessedDocument;
  kept: ChunkRow[];
  added: ChunkRow[];
  removed: ChunkRow[];
}

/**
 * Stores and indexes prepared documents of one memory, all in one transaction: after it they are searchable, and
 * after a crash nothing of it is visible. It also deletes the queued payloads. Documents whose claim
 * was lost in the meantime, or that were closed, are skipped. Returns the ids of the others, which are completed, or wait
 * to be linked when there is a linker.
 */
export async function runIndexStep(
  deps: IndexDeps,
  scope: MemoryScope,
  routed: readonly RoutedDocument[],
): Promise<string[]> {
  const byId = new Map(routed.map((each) => [each.document.doc_id, each]));
  const done = await whileOpen(deps.database, scope, async (tx, closedVaults) => {
    const rows = await lockHeld(tx, deps.owner, scope, byId, closedVaults);
    const docIds = rows.map((row) => row.doc_id);
    const existing = Map.groupBy(await chunksOfDocuments(tx, scope, docIds), (chunk) => chunk.doc_id);
    const changes: DocumentChange[] = [];
    for (const row of rows)
      changes.push(
        await planChange(tx, scope, row, byId.get(row.doc_id)!, existing.get(row.doc_id) ?? [], closedVaults),
      );
    await applyChanges(tx, deps.index, scope, changes);
    await saveOriginals(
      tx,
      scope,
      changes.map(({ row, routed: { original } }) => ({
        docId: row.doc_id,
        bytesBefore: row.original_bytes,
        original,
      })),
    );
    const isLinked = deps.linker !== null;
    await saveProcessedDocuments(
      tx,
      scope,
      changes.map(({ processed }) => processed),
      isLinked ? 'linking' : 'completed',
    );
    await appendAllToOutbox(
      tx,
      changes.flatMap((each) => {
        const { traceparent } = each.routed.document;
        return eventsOf(scope, each, isLinked).map((event) => ({ ...event, traceparent }));
      }),
    );
    if (isLinked) await markLinkOnly(tx, scope, docIds);
    else await dequeue(tx, scope, docIds);
    return docIds;
  });
  if (done !== null && deps.linker === null) countCompleted(done.map((docId) => byId.get(docId)!.document));
  return done ?? [];
}

/** Locks in everyone's order: document, queue. */
async function lockHeld(
  tx: Tx,
  owner: string,
  scope: MemoryScope,
  wanted: ReadonlyMap<string, RoutedDocument>,
  closedVaults: ClosedVaults,
): Promise<DocumentRow[]> {
  const found = await lockDocuments(tx, scope, [...wanted.keys()]);
  const open = found.filter((row) => !closedVaults.has(row.vault_id));
  const held = await holdClaims(
    tx,
    scope,
    owner,
    open.map((row) => row.doc_id),
  );
  return open.filter((row) => held.has(row.doc_id));
}

async function planChange(
  tx: Tx,
  scope: MemoryScope,
  row: DocumentRow,
  routed: RoutedDocument,
  before: readonly ChunkRow[],
  closedVaults: ClosedVaults,
): Promise<DocumentChange> {
  const { prepared } = routed;
  const place = await placeIn(tx, scope, row, routed, closedVaults);
  const occurredAt = row.occurred_at ?? (prepared.occurredAt === null ? null : new Date(prepared.occurredAt));
  const processed: ProcessedDocument = {
    docId: row.doc_id,
    title: prepared.title,
    mediaType: prepared.mediaType,
    metadata: prepared.metadata,
    sourceUri: prepared.url,
    occurredAt: prepared.occurredAt,
    masked: prepared.masked,
    ...place,
    chunks: prepared.chunks.length,
  };
  return {
    row,
    routed,
    processed,
    ...differenceOf({ ...row, vault_id: place.vaultId, occurred_at: occurredAt }, prepared, before),
  };
}

type Place = Pick<ProcessedDocument, 'vaultId' | 'spaceId' | 'routingConfidence' | 'needsReview'>;

/** Where routing puts the document, unless somebody assigned it meanwhile or the space is going away. */
async function placeIn(
  tx: Tx,
  scope: MemoryScope,
  row: DocumentRow,
  routed: RoutedDocument,
  closedVaults: ClosedVaults,
): Promise<Place> {
  const stays: Place = {
    vaultId: row.vault_id,
    spaceId: row.space_id,
    routingConfidence: row.routing_confidence,
    needsReview: row.needs_review,
  };
  const { route } = routed;
  if (route === null || row.reviewed_at !== null) return stays;
  const proposed = { ...stays, routingConfidence: route.confidence, needsReview: route.needsReview };
  if (route.space === null || closedVaults.has(route.space.vaultId)) return proposed;
  if (await hasDuplicateIn(tx, scope, row, route.space.vaultId)) {
    const message = 'The same document lies in the space that this one belongs in.';
    throw new AttemptFailure('duplicate', { final: { code: 'duplicate', message } });
  }
  return { ...proposed, vaultId: route.space.vaultId, spaceId: route.space.spaceId };
}

/** Chunks whose text is unchanged stay what they are, with their ids; the rest are new or gone. */
function differenceOf(
  document: Pick<DocumentRow, 'doc_id' | 'vault_id' | 'occurred_at'>,
  prepared: PreparedDocument,
  before: readonly ChunkRow[],
): Pick<DocumentChange, 'kept' | 'added' | 'removed'> {
  const left = Map.groupBy(before, identityOf);
  const [kept, added]: [ChunkRow[], ChunkRow[]] = [[], []];
  for (const [ordinal, chunk] of prepared.chunks.entries()) {
    const row: ChunkRow = {
      chunk_id: newId('chunk'),
      doc_id: document.doc_id,
      vault_id: document.vault_id,
      ordinal,
      title_path: chunk.titlePath,
      context_prefix: chunk.contextPrefix,
      body: chunk.body,
      body_sha256: createHash('sha256').update(chunk.body).digest(),
      location: { ...chunk.location },
      occurred_at: document.occurred_at,
    };
    const same = left.get(identityOf(row))?.shift();
    if (same === undefined) added.push(row);
    else kept.push({ ...row, chunk_id: same.chunk_id });
  }
  return { kept, added, removed: [...left.values()].flat() };
}

function identityOf(chunk: ChunkRow): string {
  return `${chunk.vault_id} ${chunk.occurred_at?.getTime() ?? ''} ${chunk.title_path}\u0000${chunk.context_prefix}\u0000${chunk.body_sha256.toString('hex')}`;
}

async function applyChanges(
  tx: Tx,
  index: SearchIndex,
  scope: MemoryScope,
  changes: readonly DocumentChange[],
): Promise<void> {
  const removed = changes.flatMap((each) => each.removed);
  await deleteChunks(tx, scope, removed);
  await updateChunkPositions(
    tx,
    scope,
    changes.flatMap((each) => each.kept),
  );
  await insertChunks(
    tx,
    scope,
    changes.flatMap((each) => each.added),
  );
  await index.add(
    tx,
    scope,
    changes.flatMap(({ row, added }) => added.map((chunk) => indexChunkOf(chunk, row))),
  );
  // Last, because it takes the memory's lock, which other writers wait for.
  const removedIds = removed.map((chunk) => chunk.chunk_id);
  if (removedIds.length > 0) await index.remove(tx, scope, removedIds);
}

/** The events of the change. Counts only: no value that was masked is ever part of an event. */
function eventsOf(scope: MemoryScope, { row, routed, processed }: DocumentChange, isLinked: boolean): EncodedEvent[] {
  const about = eventScopeOf(scope, row);
  const { docId, vaultId } = processed;
  const events: EncodedEvent[] = [];
  if (processed.masked.length > 0)
    events.push(encodeEvent('dlpFlagged', about, { docId, vaultId, findings: [...processed.masked] }));
  if (routed.route !== null && row.reviewed_at === null) {
    events.push(
      encodeEvent('autoRouted', about, {
        docId,
        vaultId,
        spaceId: processed.spaceId ?? '',
        confidence: processed.routingConfidence ?? 0,
        needsReview: processed.needsReview,
      }),
    );
  }
  if (!isLinked)
    events.push(completedEvent(scope, { ...row, vault_id: vaultId, title: processed.title }, processed.chunks));
  return events;
}

export function completedEvent(
  scope: MemoryScope,
  row: Pick<DocumentRow, 'doc_id' | 'vault_id' | 'title' | 'workspace_id' | 'livemode'>,
  chunks: number,
): EncodedEvent {
  const { doc_id: docId, vault_id: vaultId, title } = row;
  return encodeEvent('ingestCompleted', eventScopeOf(scope, row), { docId, vaultId, title, chunks });
}
