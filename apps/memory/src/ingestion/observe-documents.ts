import {
  beginSpan,
  contextOf,
  counter,
  durationHistogram,
  endSpan,
  inSpan,
  isTracing,
  parentOfBatch,
  traceparentOf,
  within,
} from '@cairn/telemetry';
import type { QueuedDocument } from './queue.ts';

const documents = counter('cairn_ingest_documents_total', 'Documents that left an attempt, by how.', ['outcome']);
const durations = durationHistogram(
  'cairn_ingest_duration_seconds',
  'From the moment that a document was queued until it was completed.',
);

// A counter that begins with its first document would look as if nothing had happened.
for (const outcome of ['completed', 'failed', 'retried']) documents.inc({ outcome }, 0);

/** Counts documents that are searchable and linked now. */
export function countCompleted(completed: readonly Pick<QueuedDocument, 'queued_at'>[]): void {
  documents.inc({ outcome: 'completed' }, completed.length);
  for (const { queued_at } of completed) durations.observe(Math.max(0, Date.now() - queued_at.getTime()) / 1_000);
}

export function countAttempt(outcome: 'failed' | 'retried'): void {
  documents.inc({ outcome });
}

/**
 * Runs `work` on documents that each have a span, in the trace of the request that submitted them; what the work writes
 * about a document is to carry the document's `traceparent`. The statements that a single document causes are in its
 * span, those for many in a span of the batch that is linked to each.
 */
export async function traceDocuments(
  claimed: readonly QueuedDocument[],
  work: (traced: readonly QueuedDocument[]) => Promise<void>,
): Promise<void> {
  if (!isTracing() || claimed.every(({ traceparent }) => traceparent === null)) return work(claimed);
  const spans = claimed.map((document) =>
    document.traceparent === null
      ? null
      : beginSpan('ingest document', {
          kind: 'consumer',
          parent: contextOf(document.traceparent),
          attributes: { 'cairn.document_id': document.doc_id, 'cairn.attempt': document.attempts },
        }),
  );
  const traced = claimed.map((document, index) => {
    const span = spans[index] ?? null;
    return span === null ? document : { ...document, traceparent: traceparentOf(span.context) };
  });
  const run = () => {
    const [only] = spans;
    if (claimed.length === 1) return within(only!.context, () => work(traced));
    const attributes = { 'messaging.batch.message_count': claimed.length };
    const batch = parentOfBatch(traced.map(({ traceparent }) => traceparent));
    return inSpan('ingest batch', { kind: 'internal', attributes, ...batch }, () => work(traced));
  };
  try {
    await run();
    for (const each of spans) if (each !== null) endSpan(each.span);
  } catch (error) {
    for (const each of spans) if (each !== null) endSpan(each.span, error);
    throw error;
  }
}
