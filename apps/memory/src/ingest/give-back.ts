import type { Tx } from '@cairn/postgres';
import { lockDocuments, markFailed, markStep, type MemoryScope } from '../document-store.ts';
import { whileOpen } from '../erasure/closed-scopes.ts';
import { dequeue, holdClaims, postpone, type QueuedDocument } from '../ingest-queue.ts';
import { AttemptFailure, type WorkerParts } from './worker-parts.ts';

export const ATTEMPTS_MAX = 5;
/** A document that was begun so often and never ended, not even in an error, takes the process down with it. */
export const CRASHES_MAX = 8;
const BACKOFF_MS = [1_000, 5_000, 15_000, 60_000];
const UNAVAILABLE_RETRY_MS = 2_000;

/** How a document ended that could not be read. */
export interface FinalFailure {
  code: string;
  message: string;
  title?: string;
  sourceUri?: string | null;
}

/** Ends a document as failed, and takes what was handed in away with it. */
export async function fail(
  parts: WorkerParts,
  scope: MemoryScope,
  document: QueuedDocument,
  failure: FinalFailure,
): Promise<void> {
  await whileHeld(parts, scope, document, async (tx) => {
    await markFailed(tx, scope, { docId: document.doc_id, ...failure });
    await dequeue(tx, scope, [document.doc_id]);
  });
}

/** After an attempt that threw: another one later, or the end when there were enough or none would help. */
export async function giveBack(
  parts: WorkerParts,
  scope: MemoryScope,
  document: QueuedDocument,
  error: unknown,
): Promise<void> {
  const known = error instanceof AttemptFailure ? error : null;
  if (known?.final) return fail(parts, scope, document, known.final);
  const counted = known?.counted ?? true;
  const cause = known?.reason ?? 'internal';
  if (known === null) {
    const { doc_id, attempts } = document;
    parts.logger.warn({ err: error, doc_id, attempts }, 'document could not be ingested');
  }
  if (counted && document.attempts >= ATTEMPTS_MAX) return fail(parts, scope, document, exhausted(cause));
  const delayMs = counted ? BACKOFF_MS[Math.min(document.attempts, BACKOFF_MS.length) - 1]! : UNAVAILABLE_RETRY_MS;
  await whileHeld(parts, scope, document, async (tx) => {
    await postpone(tx, scope, { owner: parts.owner, docId: document.doc_id, delayMs, cause, counted });
    // What only has to be linked stays at that step.
    if (document.payload !== null || document.content !== null)
      await markStep(tx, scope, [document.doc_id], { step: 'queued' });
  });
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

/** Runs `work` unless the claim was lost or the document closed meanwhile; locks in the order everyone does. */
async function whileHeld(
  parts: WorkerParts,
  scope: MemoryScope,
  document: QueuedDocument,
  work: (tx: Tx) => Promise<void>,
): Promise<void> {
  await whileOpen(parts.database, scope, async (tx, closedVaults) => {
    const [row] = await lockDocuments(tx, scope, [document.doc_id]);
    if (row === undefined || closedVaults.has(row.vault_id)) return;
    const held = await holdClaims(tx, scope, parts.owner, [document.doc_id]);
    if (held.size > 0) await work(tx);
  });
}
