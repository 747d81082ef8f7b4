import type { Database, Tx } from '@cairn/postgres';
import type { Logger, Running } from '@cairn/service-kit';
import { lockDocuments, markFailed, markIndexing, type MemoryScope } from './document-store.ts';
import { isUnavailable } from './engines/away.ts';
import { whileOpen } from './erasure/closed-scopes.ts';
import { indexDocuments, type IndexParts } from './index-documents.ts';
import { claimDue, dequeue, holdClaims, INGEST_CHANNEL, postpone, type QueuedDocument } from './ingest-queue.ts';

export interface WorkerParts extends IndexParts {
  /** Connected as the worker role: claims over all tenants. Everything after runs under the document's tenant. */
  workerDatabase: Database;
  logger: Logger;
}

const BATCH_MAX = 64;
const BATCH_MAX_BYTES = 8 * 1_048_576;
const LEASE_MS = 60_000;
const POLL_MS = 1_000;
const ATTEMPTS_MAX = 5;
/** A document that was begun so often and never ended, not even in an error, takes the process down with it. */
const CRASHES_MAX = 8;
const BACKOFF_MS = [1_000, 5_000, 15_000, 60_000];

/** Works the queue off for as long as the service runs. Any number of replicas may; a claim belongs to one. */
export async function startIngestWorker(parts: WorkerParts): Promise<Running> {
  let closed = false;
  let nudged = false;
  let wake: (() => void) | null = null;
  const nudge = () => {
    nudged = true;
    wake?.();
  };
  const listener = await parts.workerDatabase.listen(INGEST_CHANNEL, nudge);
  const loop = (async () => {
    while (!closed) {
      nudged = false;
      const worked = await workOnce(parts).catch((error: unknown) => {
        if (!closed) parts.logger.warn({ err: error }, 'ingestion waits');
        return 0;
      });
      if (worked > 0 || nudged || closed) continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, POLL_MS);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      wake = null;
    }
  })();
  return {
    async close() {
      closed = true;
      nudge();
      await listener.close();
      await loop;
    },
  };
}

/** Claims one batch and works it off, memory by memory. Returns how many documents it claimed. */
async function workOnce(parts: WorkerParts): Promise<number> {
  const claimed = await parts.workerDatabase.transaction((tx) =>
    claimDue(tx, { owner: parts.owner, leaseMs: LEASE_MS, max: BATCH_MAX, maxBytes: BATCH_MAX_BYTES }),
  );
  const byMemory = Map.groupBy(claimed, (document) => `${document.tenant_id} ${document.memory_id}`);
  for (const documents of byMemory.values()) {
    const scope: MemoryScope = { tenantId: documents[0]!.tenant_id, memoryId: documents[0]!.memory_id };
    await workMemory(
      parts,
      scope,
      documents.filter((document) => document.attempts === 1),
    );
    // What was begun before may be what ended the process: it goes alone, and not for ever.
    for (const document of documents.filter(({ attempts }) => attempts > 1)) {
      if (document.attempts > CRASHES_MAX) await giveUp(parts, scope, document);
      else await workMemory(parts, scope, [document]);
    }
  }
  return claimed.length;
}

async function workMemory(parts: WorkerParts, scope: MemoryScope, documents: QueuedDocument[]): Promise<void> {
  if (documents.length === 0) return;
  const docIds = documents.map((document) => document.doc_id);
  const open = await whileOpen(parts.database, scope, async (tx) => {
    await markIndexing(tx, scope, docIds);
    return true;
  });
  // What was closed is erased with its queue, by whoever closed it.
  if (open === null) return;
  try {
    await indexDocuments(parts, scope, documents);
    return;
  } catch (error) {
    // A database that is gone is nobody's fault here: the lease runs out and somebody tries again.
    if (isUnavailable(error)) throw error;
    if (documents.length === 1) return giveUpOrPostpone(parts, scope, documents[0]!, error);
  }
  // One of them spoils the batch: each by itself shows which.
  for (const document of documents) await workMemory(parts, scope, [document]);
}

async function giveUpOrPostpone(
  parts: WorkerParts,
  scope: MemoryScope,
  document: QueuedDocument,
  error: unknown,
): Promise<void> {
  parts.logger.warn(
    { err: error, doc_id: document.doc_id, attempts: document.attempts },
    'document could not be indexed',
  );
  if (document.attempts >= ATTEMPTS_MAX) return giveUp(parts, scope, document);
  const delayMs = BACKOFF_MS[Math.min(document.attempts, BACKOFF_MS.length) - 1]!;
  await whileHeld(parts, scope, document, (tx) => postpone(tx, scope, parts.owner, document.doc_id, delayMs));
}

async function giveUp(parts: WorkerParts, scope: MemoryScope, document: QueuedDocument): Promise<void> {
  await whileHeld(parts, scope, document, async (tx) => {
    await markFailed(tx, scope, {
      docId: document.doc_id,
      code: 'indexing_failed',
      message: 'The document could not be indexed after several tries. Send it again, or report it with its doc_id.',
    });
    await dequeue(tx, scope, [document.doc_id]);
  });
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
    if (row !== undefined && closedVaults.has(row.vault_id)) return;
    const held = await holdClaims(tx, scope, parts.owner, [document.doc_id]);
    if (held.size > 0) await work(tx);
  });
}
