import type { AnswerOf, getDocument, listDocuments } from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import { nextCursorOf, pageOf, type Tx } from '@cairn/postgres';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { type DocumentRow, findDocument, listDocumentRows, type MemoryScope } from './document-store.ts';
import type { Engines } from './engines/engines.ts';
import { queueStates, type QueueState } from './ingest-queue.ts';
import { type MemoryLookup, reaches } from './memory-lookup.ts';

interface ReadParts {
  engines: Engines;
  lookup: MemoryLookup;
}

export async function readDocument(
  parts: ReadParts,
  call: Call<typeof getDocument>,
): Promise<JsonAnswer<typeof getDocument>> {
  const memory = await parts.lookup.find(call, call.query);
  const read = await parts.engines.read(memory, async ({ tx, closedVaults }) => {
    const row = await findDocument(tx, memory, call.params.doc_id);
    if (row === null || !reaches(memory, closedVaults, row.vault_id)) return null;
    return { row, queued: (await waitingOf(tx, memory, [row])).get(row.doc_id) };
  });
  if (read === null) throw notFound('The document');
  return { body: presentDocument(read.row, read.queued) };
}

export async function listMemoryDocuments(
  parts: ReadParts,
  call: Call<typeof listDocuments>,
): Promise<JsonAnswer<typeof listDocuments>> {
  const { memory_id, space_id, status, external_id, needs_review: needsReview, ...paging } = call.query;
  const memory = await parts.lookup.find(call, { memory_id, space_id });
  const vaultId = memory.spaceId === null ? undefined : memory.vaultId;
  const page = pageOf(paging);
  const { rows, queued } = await parts.engines.read(memory, async ({ tx, closedVaults }) => {
    const filter = { status, externalId: external_id, vaultId, needsReview, closedVaults, ...page };
    const found = await listDocumentRows(tx, memory, filter);
    return { rows: found, queued: await waitingOf(tx, memory, found) };
  });
  const { shown, next_cursor } = nextCursorOf(rows, page, (row) => row.doc_id);
  const documents = shown.map((row) => presentDocument(row, queued.get(row.doc_id)));
  return { body: { documents, ...(next_cursor === undefined ? {} : { next_cursor }) } };
}

function waitingOf(tx: Tx, memory: MemoryScope, rows: readonly DocumentRow[]): Promise<Map<string, QueueState>> {
  const waiting = rows.filter((row) => !isSettled(row));
  return queueStates(
    tx,
    memory,
    waiting.map((row) => row.doc_id),
  );
}

function isSettled(row: DocumentRow): boolean {
  return row.status === 'completed' || row.status === 'failed';
}

/** A document as callers see it; `queued` says how it is getting on while it is on its way. */
export function presentDocument(row: DocumentRow, queued: QueueState | undefined): AnswerOf<typeof getDocument> {
  return {
    doc_id: row.doc_id,
    memory_id: row.memory_id,
    vault_id: row.vault_id,
    space_id: row.space_id,
    external_id: row.external_id,
    title: row.title,
    status: row.status,
    error: row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? '' },
    progress: isSettled(row) ? null : presentProgress(row, queued),
    routing: presentRouting(row),
    masked: row.masked,
    metadata: row.metadata,
    media_type: row.media_type,
    bytes: row.content_bytes,
    chunks: row.chunk_count,
    source_uri: row.source_uri,
    occurred_at: row.occurred_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    completed_at: row.completed_at?.toISOString() ?? null,
  };
}

function presentProgress(row: DocumentRow, queued: QueueState | undefined) {
  return {
    step: row.status,
    attempts: queued?.attempts ?? 0,
    cause: queued?.cause ?? null,
    next_attempt_at: queued?.next_attempt_at?.toISOString() ?? null,
  };
}

function presentRouting(row: DocumentRow) {
  if (row.routing_confidence === null && row.reviewed_at === null) return null;
  return {
    confidence: row.routing_confidence ?? 0,
    needs_review: row.needs_review,
    reviewed_at: row.reviewed_at?.toISOString() ?? null,
  };
}
