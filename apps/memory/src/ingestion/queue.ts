import type { Tx } from '@cairn/postgres';
import { traceparentOf } from '@cairn/telemetry';
import { afterMs, leaseTable, type Share } from '@cairn/work-queue';
import type { MemoryScope } from '../memories/memory-scope.ts';
import { isServedByEngine, isSettled } from '../memories/moving-memories.ts';

export const INGEST_CHANNEL = 'memory_ingest';

const INGEST_QUEUE = leaseTable({
  name: 'ingest_queue',
  key: ['tenant_id', 'memory_id', 'doc_id'],
  owner: 'owner',
  until: 'lease_until',
});

/** Text that is ready goes in batches; what must be fetched or taken apart goes one by one beside it. */
export const LANES = { text: 0, file: 1 } as const;
export type Lane = (typeof LANES)[keyof typeof LANES];

export interface QueuedDocument {
  tenant_id: string;
  memory_id: string;
  doc_id: string;
  /** Plaintext, as versions before the encryption wrote it. */
  content: string | null;
  /** Encrypted. Without payload and content the document is indexed and only has to be linked. */
  payload: Buffer | null;
  bytes: number;
  attempts: number;
  queued_at: Date;
  /** The trace of the request that submitted it, and while it is worked on that of the work. */
  traceparent: string | null;
  /** The claim that has it. */
  owner: string;
}

/** A document as it enters the queue. */
interface ToEnqueue {
  docId: string;
  /** Encrypted. */
  payload: Buffer;
  bytes: number;
  lane: Lane;
}

/** Bytes that one statement puts into the queue: as part of an array they travel as text, twice as long. */
const ENQUEUED_AT_ONCE_BYTES = 4 * 1_048_576;

/**
 * Puts documents into the queue, each in place of an earlier version that still waits; whoever worked on that one
 * loses it. No document may be there twice.
 */
export async function enqueue(tx: Tx, scope: MemoryScope, documents: readonly ToEnqueue[]): Promise<void> {
  const ordered = [...documents].sort((a, b) => (a.docId < b.docId ? -1 : 1));
  let batch: ToEnqueue[] = [];
  let bytes = 0;
  for (const document of ordered) {
    if (batch.length > 0 && bytes + document.payload.length > ENQUEUED_AT_ONCE_BYTES) {
      await enqueueBatch(tx, scope, batch);
      [batch, bytes] = [[], 0];
    }
    batch.push(document);
    bytes += document.payload.length;
  }
  if (batch.length > 0) await enqueueBatch(tx, scope, batch);
}

async function enqueueBatch(tx: Tx, scope: MemoryScope, batch: readonly ToEnqueue[]): Promise<void> {
  const [first] = batch;
  const isAlone = batch.length === 1;
  const column = <T>(read: (document: ToEnqueue) => T) => (isAlone ? read(first!) : batch.map(read));
  await tx.execute({
    name: isAlone ? 'ingest_enqueue' : 'ingest_enqueue_all',
    text: `INSERT INTO ingest_queue (tenant_id, memory_id, doc_id, payload, bytes, lane, traceparent)
           ${isAlone ? 'VALUES ($1, $2, $3, $4, $5, $6, $7)' : 'SELECT $1, $2, *, $7 FROM unnest($3::text[], $4::bytea[], $5::bigint[], $6::smallint[])'}
           ON CONFLICT (tenant_id, memory_id, doc_id) DO UPDATE
             SET payload = excluded.payload, content = NULL, bytes = excluded.bytes, lane = excluded.lane,
                 traceparent = excluded.traceparent, attempts = 0, cause = NULL, owner = NULL, lease_until = NULL, due_at = now()`,
    values: [
      scope.tenantId,
      scope.memoryId,
      column((document) => document.docId),
      column((document) => document.payload),
      column((document) => document.bytes),
      column((document) => document.lane),
      traceparentOf(),
    ],
  });
}

export async function wakeWorkers(tx: Tx): Promise<void> {
  await tx.query(`SELECT pg_notify('${INGEST_CHANNEL}', '')`);
}

/** What a tenant has waiting: documents and their bytes. */
export async function countWaiting(tx: Tx, tenantId: string): Promise<{ documents: number; bytes: number }> {
  const rows = await tx.query<{ documents: number; bytes: number }>({
    name: 'ingest_waiting',
    text: 'SELECT count(*) AS documents, coalesce(sum(bytes), 0)::bigint AS bytes FROM ingest_queue WHERE tenant_id = $1',
    values: [tenantId],
  });
  return rows[0]!;
}

/** Tenants that have something due in the lane; at most `max`, beginning after `after`. */
export async function tenantsWaiting(tx: Tx, lane: Lane, after: string, max: number): Promise<string[]> {
  const rows = await tx.query<{ tenant_id: string }>({
    name: 'ingest_tenants',
    // One look into the index for each tenant, however many documents it has.
    text: `WITH RECURSIVE tenants AS (
             (SELECT tenant_id FROM ingest_queue WHERE lane = $1 AND tenant_id > $2 ORDER BY tenant_id LIMIT 1)
             UNION ALL
             SELECT (SELECT tenant_id FROM ingest_queue WHERE lane = $1 AND tenant_id > tenants.tenant_id ORDER BY tenant_id LIMIT 1)
               FROM tenants WHERE tenants.tenant_id IS NOT NULL)
           SELECT tenant_id FROM tenants
            WHERE tenant_id IS NOT NULL
              AND EXISTS (SELECT 1 FROM ingest_queue AS queued
                           WHERE queued.lane = $1 AND queued.tenant_id = tenants.tenant_id AND queued.due_at <= now()
                             AND (queued.lease_until IS NULL OR queued.lease_until < now())
                             AND ${isSettled('queued')})
            LIMIT $3`,
    values: [lane, after, max],
  });
  return rows.map((row) => row.tenant_id);
}

/**
 * Takes due documents of the tenants, as many of each as its share says, for `owner` until the lease ends; other
 * workers skip them. `maxBytes` bounds what is taken at once; the first document is taken whatever its size.
 */
export async function claimDue(
  tx: Tx,
  claim: { lane: Lane; shares: readonly Share[]; owner: string; leaseMs: number; maxBytes: number },
): Promise<QueuedDocument[]> {
  if (claim.shares.length === 0) return [];
  return tx.query<QueuedDocument>({
    name: 'ingest_claim',
    text: `WITH due AS (
             SELECT taken.* FROM unnest($3::text[], $4::int[]) WITH ORDINALITY AS share (tenant_id, rows, place)
              CROSS JOIN LATERAL (
                SELECT tenant_id, memory_id, doc_id, due_at, bytes, share.place FROM ingest_queue AS queued
                 WHERE queued.lane = $6 AND queued.tenant_id = share.tenant_id AND queued.due_at <= now()
                   AND (queued.lease_until IS NULL OR queued.lease_until < now())
                   AND ${isSettled('queued')}
                 ORDER BY queued.due_at, queued.doc_id LIMIT share.rows FOR UPDATE OF queued SKIP LOCKED) AS taken),
           counted AS (
             SELECT *, sum(bytes) OVER (ORDER BY place, due_at, doc_id ROWS UNBOUNDED PRECEDING) - bytes AS before FROM due)
           UPDATE ingest_queue AS queue
              SET owner = $1, lease_until = ${afterMs('$2')}, attempts = attempts + 1
             FROM counted
            WHERE counted.before < $5
              AND (queue.tenant_id, queue.memory_id, queue.doc_id) = (counted.tenant_id, counted.memory_id, counted.doc_id)
           RETURNING queue.tenant_id, queue.memory_id, queue.doc_id, queue.content, queue.payload, queue.bytes, queue.attempts, queue.owner,
                     queue.queued_at, queue.traceparent`,
    values: [
      claim.owner,
      claim.leaseMs,
      claim.shares.map((share) => share.tenantId),
      claim.shares.map((share) => share.rows),
      claim.maxBytes,
      claim.lane,
    ],
  });
}

/**
 * Puts off the end of the claims' leases, of those that still have their documents. What a transaction holds at the
 * moment is skipped: nobody can claim it, and the other leases would run out while this waited for it.
 */
export async function extendLeases(
  tx: Tx,
  held: readonly Pick<QueuedDocument, 'tenant_id' | 'memory_id' | 'doc_id' | 'owner'>[],
  leaseMs: number,
): Promise<void> {
  if (held.length === 0) return;
  await tx.execute({
    name: 'ingest_extend',
    text: `WITH free AS (
             SELECT queue.tenant_id, queue.memory_id, queue.doc_id
               FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) AS held (tenant_id, memory_id, doc_id, owner)
               JOIN ingest_queue AS queue ON queue.owner = held.owner
                AND (queue.tenant_id, queue.memory_id, queue.doc_id) = (held.tenant_id, held.memory_id, held.doc_id)
              WHERE ${isServedByEngine('queue')}
                FOR UPDATE OF queue SKIP LOCKED)
           UPDATE ingest_queue AS queue SET lease_until = ${afterMs('$1')} FROM free
            WHERE (queue.tenant_id, queue.memory_id, queue.doc_id) = (free.tenant_id, free.memory_id, free.doc_id)`,
    values: [
      leaseMs,
      held.map((row) => row.tenant_id),
      held.map((row) => row.memory_id),
      held.map((row) => row.doc_id),
      held.map((row) => row.owner),
    ],
  });
}

/** Which of the documents `owner` still holds, locked until the transaction ends. */
export async function holdClaims(
  tx: Tx,
  scope: MemoryScope,
  owner: string,
  docIds: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.query<{ doc_id: string }>({
    name: 'ingest_hold',
    text: `SELECT doc_id FROM ingest_queue WHERE tenant_id = $1 AND memory_id = $2 AND owner = $3 AND doc_id = ANY($4)
            ORDER BY doc_id FOR UPDATE`,
    values: [scope.tenantId, scope.memoryId, owner, docIds],
  });
  return new Set(rows.map((row) => row.doc_id));
}

/** Deletes the payloads; the documents stay in the queue for linking. */
export async function markLinkOnly(tx: Tx, scope: MemoryScope, docIds: readonly string[]): Promise<void> {
  await tx.execute({
    name: 'ingest_leave_linking',
    text: `UPDATE ingest_queue SET payload = NULL, content = NULL, bytes = 0, attempts = 1, cause = NULL
            WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = ANY($3)`,
    values: [scope.tenantId, scope.memoryId, docIds],
  });
}

/**
 * Releases what `owner` still holds of the documents as if it had not been claimed, and returns how many those were.
 * What a transaction holds at the moment, and what is moving to another engine, keeps its lease until that ends.
 */
export async function releaseWithoutAttempt(
  tx: Tx,
  scope: MemoryScope,
  claim: { owner: string; docIds: readonly string[]; delayMs: number; cause: string },
): Promise<number> {
  return tx.execute(
    `WITH free AS (
       SELECT queue.doc_id FROM ingest_queue AS queue
        WHERE queue.tenant_id = $1 AND queue.memory_id = $2 AND queue.owner = $3 AND queue.doc_id = ANY($4)
          AND ${isSettled('queue')}
          FOR UPDATE OF queue SKIP LOCKED)
     UPDATE ingest_queue AS queue
        SET owner = NULL, lease_until = NULL, cause = $6, attempts = attempts - 1,
            due_at = ${afterMs('$5')}
       FROM free WHERE queue.tenant_id = $1 AND queue.memory_id = $2 AND queue.doc_id = free.doc_id`,
    [scope.tenantId, scope.memoryId, claim.owner, claim.docIds, claim.delayMs, claim.cause],
  );
}

/** Releases a claim, to be tried again after a delay, and records why. Nothing changes when the claim was lost. */
export async function releaseForRetry(
  tx: Tx,
  document: QueuedDocument,
  { delayMs, cause, counted }: { delayMs: number; cause: string; counted: boolean },
): Promise<void> {
  const set = `owner = NULL, lease_until = NULL, cause = $1, attempts = attempts - $2, due_at = ${afterMs('$3')}`;
  await INGEST_QUEUE.update(tx, document, set, [cause, counted ? 0 : 1, delayMs]);
}
