import { CairnError } from '@cairn/errors';
import type { Tx } from '@cairn/postgres';
import type { SearchIndex } from '@cairn/search-index';
import { announceDocuments } from '../../documents/announce-documents.ts';
import type { DocumentLinker } from '../../documents/document-linker.ts';
import { type DocumentRow, lockDuplicate, type NewDocumentRow } from '../../documents/document-store.ts';
import { removeDocuments } from '../../documents/remove-documents.ts';
import type { MemoryScope } from '../../memories/memory-scope.ts';
import { type FailedContent, failedContentOf, queueAgain } from '../failed-content.ts';
import type { QueueQuota } from '../queue-quota.ts';
import type { Problem, ProblemCode, StepOutcome } from './job-store.ts';
import type { TakenDocuments } from './take-documents.ts';

export interface StepDeps {
  index: Pick<SearchIndex, 'remove'>;
  linker: Pick<DocumentLinker, 'unlinkDocuments'>;
  queueQuota: QueueQuota;
}

export async function deleteStep(
  { index, linker }: StepDeps,
  tx: Tx,
  scope: MemoryScope,
  { rows, missing, ...place }: TakenDocuments,
): Promise<StepOutcome> {
  const docIds = rows.map((row) => row.doc_id);
  if (docIds.length > 0) await removeDocuments(tx, index, scope, docIds, linker.unlinkDocuments);
  await announceDocuments(tx, scope, 'documentsDeleted', rows);
  return { ...place, done: docIds.length, problems: missing.map((docId) => problem(docId, 'not_found')) };
}

/**
 * One after the other: of two with the same content only one can be tried again. What the queue has no room for is left
 * to the next step, as all of them may never fit at once; throws `queue_full` when it has none for the first.
 */
export async function retryStep(
  { queueQuota }: StepDeps,
  tx: Tx,
  scope: MemoryScope,
  { rows, missing, ...place }: TakenDocuments,
): Promise<StepOutcome> {
  const kept = await failedContentOf(
    tx,
    scope,
    rows.map((row) => row.doc_id),
  );
  const problems: Problem[] = [];
  const again: DocumentRow[] = [];
  let reached: Pick<StepOutcome, 'position' | 'isLast'> = place;
  for (const [at, row] of rows.entries()) {
    const content = kept.get(row.doc_id);
    const code = await whyNot(tx, scope, row, content);
    if (code !== null || content === undefined) {
      problems.push(problem(row.doc_id, code ?? 'content_not_kept'));
      continue;
    }
    try {
      await queueQuota.reserve(tx, scope.tenantId, { documents: 1, bytes: content.bytes });
    } catch (error) {
      const before = rows[at - 1];
      if (before === undefined || !isQueueFull(error)) throw error;
      reached = { position: before.doc_id, isLast: false };
      break;
    }
    await queueAgain(tx, scope, row, content);
    again.push(row);
  }
  await announceDocuments(tx, scope, 'documentsQueued', again);
  for (const docId of missing) if (docId <= reached.position) problems.push(problem(docId, 'not_found'));
  return { ...reached, done: again.length, problems };
}

async function whyNot(
  tx: Tx,
  scope: MemoryScope,
  row: DocumentRow,
  content: FailedContent | undefined,
): Promise<ProblemCode | null> {
  if (row.status !== 'failed') return 'not_failed';
  if (content === undefined) return 'content_not_kept';
  // A failed document does not stand in the way of the same content without an id; by now this may be there.
  if (row.external_id !== null) return null;
  const same = await lockDuplicate(tx, scope, row as NewDocumentRow);
  return same === null ? null : 'duplicate';
}

/** Passes over documents whose step fails again and again. */
export function giveUp({ rows, missing, ...place }: TakenDocuments): StepOutcome {
  const problems = [
    ...rows.map((row) => problem(row.doc_id, 'internal')),
    ...missing.map((docId) => problem(docId, 'not_found')),
  ];
  return { ...place, done: 0, problems };
}

const MESSAGES: Record<ProblemCode, string> = {
  not_found: 'There is no such document, or not any more.',
  not_failed: 'The document did not fail, or is being tried again already.',
  content_not_kept: 'What was sent is not kept any more. Send it again.',
  duplicate: 'The same content was sent again in the meantime.',
  internal: 'It could not be done in several tries. Try again, or report it with the doc_id.',
};

function problem(docId: string, code: ProblemCode): Problem {
  return { doc_id: docId, code, message: MESSAGES[code] };
}

export function isQueueFull(error: unknown): boolean {
  return error instanceof CairnError && error.code === 'queue_full';
}
