import type { ResponseOf } from '@cairn/contracts';
import type * as operations from '@cairn/contracts';
import { type Tx } from '@cairn/postgres';
import { type DocumentRow } from './document-store.ts';
import type { MemoryScope } from '../memories/memory-scope.ts';
import { queueStates, type QueueState } from './queue-state.ts';
import type { Engines } from '../memories/engines.ts';
import type { MemoryResolver } from '../memories/resolve-memory.ts';

/** What reading documents uses. */
export interface ReadDocumentsDeps {
  engines: Engines;
  memories: MemoryResolver;
}

/** A document as callers see it; `queued` says how it is getting on while it is on its way. */
export function presentDocument(
  row: DocumentRow,
  queued: QueueState | undefined,
): ResponseOf<typeof operations.getDocument> {
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
    original: row.original_bytes === null ? null : { bytes: row.original_bytes },
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

export function waitingOf(tx: Tx, memory: MemoryScope, rows: readonly DocumentRow[]): Promise<Map<string, QueueState>> {
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
