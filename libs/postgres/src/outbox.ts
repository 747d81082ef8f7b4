import { startLoop } from '@cairn/background';
import type { Database, Tx } from './database.ts';

/** An event as it waits to be published: bytes and where they go. */
export interface OutboxMessage {
  tenantId: string;
  eventId: string;
  subject: string;
  payload: Uint8Array;
}

const OUTBOX_CHANNEL = 'outbox';

/** Writes an event in the transaction that made it true. The relay publishes it after the commit. */
export async function appendToOutbox(tx: Tx, message: OutboxMessage): Promise<void> {
  await tx.query({
    name: 'outbox_append',
    text: `WITH added AS (INSERT INTO outbox (tenant_id, event_id, subject, payload) VALUES ($1, $2, $3, $4))
           SELECT pg_notify($5 || '.' || current_schema(), '')`,
    values: [message.tenantId, message.eventId, message.subject, Buffer.from(message.payload), OUTBOX_CHANNEL],
  });
}

/** Writes many events at once, as `appendToOutbox` does one. */
export async function appendAllToOutbox(tx: Tx, messages: readonly OutboxMessage[]): Promise<void> {
  if (messages.length === 0) return;
  await tx.query({
    name: 'outbox_append_all',
    text: `WITH added AS (INSERT INTO outbox (tenant_id, event_id, subject, payload)
                          SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[]))
           SELECT pg_notify($5 || '.' || current_schema(), '')`,
    values: [
      messages.map((message) => message.tenantId),
      messages.map((message) => message.eventId),
      messages.map((message) => message.subject),
      messages.map((message) => Buffer.from(message.payload)),
      OUTBOX_CHANNEL,
    ],
  });
}

/**
 * Deletes events about a memory that still wait; with `mentions`, only those that hold that id. Waits for a relay
 * that is publishing one of them.
 */
export async function eraseFromOutbox(
  tx: Tx,
  scope: { tenantId: string; memoryId: string; mentions?: string },
): Promise<number> {
  return tx.execute(
    `DELETE FROM outbox WHERE tenant_id = $1 AND right(subject, length($2) + 1) = '.' || $2
        AND position(convert_to($3, 'UTF8') IN payload) > 0`,
    [scope.tenantId, scope.memoryId, scope.mentions ?? ''],
  );
}

interface RelayOptions {
  /** Connected as the service's worker role. */
  database: Database;
  /** Schema of the service, for the wake-up channel. */
  schema: string;
  /**
   * Resolves once the broker has stored the message, and gives up after a bounded time: rows are locked for as long. The
   * event id is the message id, so that a repeat is dropped.
   */
  publish: (message: OutboxMessage) => Promise<void>;
  onError: (error: unknown) => void;
}

const RELAY_BATCH = 200;
const RELAY_POLL_MS = 1_000;

/**
 * Publishes outbox rows in commit order per batch and deletes those that the broker acknowledged. Several
 * replicas may run it: rows are claimed with SKIP LOCKED. A crash between acknowledgement and commit
 * publishes again under the same message id. While the broker acknowledges nothing, a single row is tried at a time:
 * an election that takes seconds holds neither the rows nor a transaction for as long.
 */
export async function startOutboxRelay(options: RelayOptions): Promise<{ close(): Promise<void> }> {
  let batchMax = RELAY_BATCH;
  const loop = startLoop({
    async work() {
      const { taken, acknowledged, failure } = await relayBatch(options, batchMax);
      const mayBeMore = taken === batchMax;
      batchMax = acknowledged === 0 && failure !== null ? 1 : RELAY_BATCH;
      if (failure !== null) throw failure.reason;
      return mayBeMore;
    },
    pollMs: RELAY_POLL_MS,
    onError: options.onError,
  });
  const listener = await options.database
    .listen(`${OUTBOX_CHANNEL}.${options.schema}`, loop.wake)
    .catch(async (error: unknown) => {
      await loop.close();
      throw error;
    });
  return {
    async close() {
      await listener.close();
      await loop.close();
    },
  };
}

interface RelayedBatch {
  taken: number;
  acknowledged: number;
  /** Of the first message that was not acknowledged. */
  failure: PromiseRejectedResult | null;
}

async function relayBatch(options: RelayOptions, batchMax: number): Promise<RelayedBatch> {
  return options.database.transaction(async (tx) => {
    const rows = await tx.query<{
      position: number;
      tenant_id: string;
      event_id: string;
      subject: string;
      payload: Buffer;
    }>(
      'SELECT position, tenant_id, event_id, subject, payload FROM outbox ORDER BY position LIMIT $1 FOR UPDATE SKIP LOCKED',
      [batchMax],
    );
    const outcomes = await Promise.allSettled(
      rows.map((row) =>
        options.publish({ tenantId: row.tenant_id, eventId: row.event_id, subject: row.subject, payload: row.payload }),
      ),
    );
    const acknowledged = rows.filter((_row, n) => outcomes[n]!.status === 'fulfilled').map((row) => row.position);
    if (acknowledged.length > 0)
      await tx.execute('DELETE FROM outbox WHERE position = ANY($1::bigint[])', [acknowledged]);
    const failure = outcomes.find((outcome) => outcome.status === 'rejected') ?? null;
    return { taken: rows.length, acknowledged: acknowledged.length, failure };
  });
}
