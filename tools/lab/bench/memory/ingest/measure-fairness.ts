import type { RunningCairn } from '@cairn/testing';
import { nameDocument } from '../named-text.ts';
import { call, DOCUMENTS, finalDocument, type Target } from './client.ts';
import { waitingDocuments } from './waiting-documents.ts';

export interface Fairness {
  /** Documents that waited when the first single one was sent. */
  waiting: number;
  /** Milliseconds until each single document of the other tenant was completed. */
  singles: number[];
  /** Documents that still waited after the last. */
  left: number;
}

const BATCH = 100;
const SINGLES = 3;
/** Senders at a time, so that documents come faster than they are worked off. */
const SENDERS = 3;

/** Fills the queue with one tenant's documents, then times single ones of the installation's own tenant. */
export async function measureFairness(cairn: RunningCairn, busy: Target, waiting: number): Promise<Fairness> {
  const other: Target = { baseUrl: cairn.baseUrl, apiKey: cairn.apiKey };
  let next = 0;
  let held = 0;
  const send = async () => {
    while (held < waiting) {
      const first = next;
      next += BATCH;
      const documents = Array.from({ length: BATCH }, (_, at) => ({ content: nameDocument(first + at) }));
      await call(busy, 'POST', DOCUMENTS, { documents });
      if (next >= waiting) held = await waitingDocuments(cairn);
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, send));
  const before = await waitingDocuments(cairn);
  const singles: number[] = [];
  for (let at = 0; at < SINGLES; at += 1) {
    const startedMs = performance.now();
    const content = `A single document, number ${at}. ${nameDocument(1_000_000 + at)}`;
    const { documents } = await call<{ documents: { doc_id: string }[] }>(other, 'POST', DOCUMENTS, {
      documents: [{ content }],
    });
    const { status } = await finalDocument(other, documents[0]!.doc_id);
    if (status !== 'completed') throw new Error(`a single document ended ${status}`);
    singles.push(performance.now() - startedMs);
  }
  return { waiting: before, singles, left: await waitingDocuments(cairn) };
}
