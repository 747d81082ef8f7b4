import type { Tx } from '@cairn/postgres';
import { pauseAfter } from '@cairn/work-queue';
import { announceFailure } from '../documents/announce-documents.ts';
import { type DocumentRow, lockDocuments, markFailed, markStep } from '../documents/document-store.ts';
import { whileOpen } from '../memories/closed-scopes.ts';
import { holdClaims, releaseForRetry, releaseWithoutAttempt, type QueuedDocument } from './queue.ts';
import { type IngestionDeps } from './ingestion-deps.ts';
import type { MemoryScope } from '../memories/memory-scope.ts';
import { countAttempt } from './observe-documents.ts';
import { dequeue } from '../documents/queue-state.ts';
import { storeFailedContent } from './failed-content.ts';
import { AttemptFailure } from './attempt-failure.ts';

const ATTEMPTS_MAX = 5;
/** A document that was started so often without even an error ends the process each time. */
export const CRASHES_MAX = 8;
const BACKOFF_MS = [1_000, 5_000, 15_000, 60_000];
const UNAVAILABLE_RETRY_MS = 2_000;

/** Why a document failed for good. */
interface FinalFailure {
  code: string;
  message: string;
  title?: string;
  sourceUri?: string | null;
}

/** Marks a document as failed and puts its payload aside. */
export async function fail(
  deps: IngestionDeps,
  scope: MemoryScope,
  document: QueuedDocument,
  failure: FinalFailure,
): Promise<void> {
  await whileHeld(deps, scope, document, async (tx, row) => {
    await markFailed(tx, scope, { docId: document.doc_id, ...failure });
    await storeFailedContent(tx, scope, document.doc_id, deps.failedContentRetentionDays);
    await dequeue(tx, scope, [document.doc_id]);
    await announceFailure(tx, scope, row, failure);
  });
  countAttempt('failed');
}

/** After a failed attempt: schedules the next one with backoff, or fails the document when no attempt is left or none would help. */
export async function retryOrFail(
  deps: IngestionDeps,
  scope: MemoryScope,
  document: QueuedDocument,
  error: unknown,
): Promise<void> {
  const known = error instanceof AttemptFailure ? error : null;
  if (known?.final) return fail(deps, scope, document, known.final);
  const counted = known?.counted ?? true;
  const cause = known?.reason ?? 'internal';
  if (known === null) {
    const { doc_id, attempts } = document;
    deps.logger.warn(
      { err: error, doc_id, attempts },
      'ingestion: processing a document failed; retrying until the last attempt',
    );
  }
  if (counted && document.attempts >= ATTEMPTS_MAX) return fail(deps, scope, document, exhausted(cause));
  const delayMs = counted ? pauseAfter(document.attempts, BACKOFF_MS) : UNAVAILABLE_RETRY_MS;
  await whileHeld(deps, scope, document, async (tx) => {
    await releaseForRetry(tx, document, { delayMs, cause, counted });
    // What only has to be linked stays at that step.
    if (document.payload !== null || document.content !== null)
      await markStep(tx, scope, [document.doc_id], { step: 'queued' });
  });
  countAttempt('retried');
}

/**
 * Has the documents of a memory that is unavailable wait, as the worker: the tenant's own connections may be what is
 * missing.
 */
export async function retryWithoutAttempt(
  deps: Pick<IngestionDeps, 'workerDatabase' | 'owner'>,
  scope: MemoryScope,
  documents: readonly QueuedDocument[],
): Promise<void> {
  const docIds = documents.map((document) => document.doc_id);
  const claim = { owner: deps.owner, docIds, delayMs: UNAVAILABLE_RETRY_MS, cause: 'unavailable' };
  const released = await deps.workerDatabase.transaction((tx) => releaseWithoutAttempt(tx, scope, claim));
  for (let each = 0; each < released; each += 1) countAttempt('retried');
}

function exhausted(cause: string): FinalFailure {
  if (cause.startsWith('fetch:')) {
    const message = `The address could not be fetched in several tries (${cause.slice('fetch:'.length)}).`;
    return { code: 'source_unavailable', message };
  }
  if (cause === 'linking') {
    const message = 'The document is searchable, but could not be linked after several tries. Send it again.';
    return { code: 'linking_failed', message };
  }
  const message = 'The document could not be indexed after several tries. Send it again, or report it with its doc_id.';
  return { code: 'indexing_failed', message };
}

/** Runs `work` unless the claim was lost or the document closed in the meantime; locks in the common order. */
async function whileHeld(
  deps: IngestionDeps,
  scope: MemoryScope,
  document: QueuedDocument,
  work: (tx: Tx, row: DocumentRow) => Promise<void>,
): Promise<void> {
  await whileOpen(deps.database, scope, async (tx, closedVaults) => {
    const [row] = await lockDocuments(tx, scope, [document.doc_id]);
    if (row === undefined || closedVaults.has(row.vault_id)) return;
    const held = await holdClaims(tx, scope, deps.owner, [document.doc_id]);
    if (held.size > 0) await work(tx, row);
  });
}
