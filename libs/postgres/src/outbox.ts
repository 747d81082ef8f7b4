import { startLoop } from '@cairn/background';
import { CairnError } from '@cairn/errors';
import { counter, sampledGauge, startSampling, traceparentOf } from '@cairn/telemetry';
import type { Database, Tx } from './tx.ts';
import { OUTBOX_CHANNEL } from './outbox-channel.ts';
import { eraseStoredEvents, storePublished, replayPublished } from './published-events.ts';

/** An event as it waits to be published: bytes and where they go. */
export interface OutboxMessage {
  tenantId: string;
  eventId: string;
  subject: string;
  payload: Uint8Array;
  /** The trace that the event belongs to. Default when it is written: that of the active span. */
  traceparent?: string | null;
}

const rowsWaiting = sampledGauge('cairn_outbox_rows', 'Events that wait to be published, counted up to 100000.', {
  combine: 'sum',
});
const oldestSeconds = sampledGauge(
  'cairn_outbox_oldest_seconds',
  'Age of the oldest event that waits to be published.',
  {
    combine: 'max',
  },
);
const published = counter('cairn_outbox_published_total', 'Events that were published.');

/** Writes an event in the transaction that made it true. The relay publishes it after the commit. */
export async function appendToOutbox(tx: Tx, message: OutboxMessage): Promise<void> {
  await tx.query({
    name: 'outbox_append',
    text: `WITH added AS (INSERT INTO outbox (tenant_id, event_id, subject, payload, traceparent) VALUES ($1, $2, $3, $4, $5))
           SELECT pg_notify($6 || '.' || current_schema(), '')`,
    values: [
      message.tenantId,
      message.eventId,
      message.subject,
      Buffer.from(message.payload),
      traceOf(message),
      OUTBOX_CHANNEL,
    ],
  });
}

/** Writes many events at once, as `appendToOutbox` does one. */
export async function appendAllToOutbox(tx: Tx, messages: readonly OutboxMessage[]): Promise<void> {
  if (messages.length === 0) return;
  await tx.query({
    name: 'outbox_append_all',
    text: `WITH added AS (INSERT INTO outbox (tenant_id, event_id, subject, payload, traceparent)
                          SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[], $5::text[]))
           SELECT pg_notify($6 || '.' || current_schema(), '')`,
    values: [
      messages.map((message) => message.tenantId),
      messages.map((message) => message.eventId),
      messages.map((message) => message.subject),
      messages.map((message) => Buffer.from(message.payload)),
      messages.map(traceOf),
      OUTBOX_CHANNEL,
    ],
  });
}

function traceOf({ traceparent }: OutboxMessage): string | null {
  return traceparent === undefined ? traceparentOf() : traceparent;
}

/**
 * Deletes stored events about a memory; with `mentions`, only those that hold that id. Waits for a relay that is
 * publishing one of them.
 */
export async function eraseFromOutbox(
  tx: Tx,
  scope: { tenantId: string; memoryId: string; mentions?: string },
): Promise<number> {
  return eraseStoredEvents(
    tx,
    scope.tenantId,
    `right(subject, length($2) + 1) = '.' || $2 AND position(convert_to($3, 'UTF8') IN payload) > 0`,
    [scope.memoryId, scope.mentions ?? ''],
  );
}

interface RelayOptions {
  /** Connected as the service's worker role. */
  database: Database;
  /** Schema of the service, for the wake-up channel. */
  schema: string;
  /**
   * Resolves once the broker has stored the message, and gives up after a bounded time: rows are locked for as long. The
   * event id is the message id, so that a repeat is dropped. Rejects with `unavailable` while there is no broker to ask.
   */
  publish: (message: OutboxMessage) => Promise<void>;
  onError: (error: unknown) => void;
  /** How long the broker has to be there before an outage is over. */
  brokerStableMs?: number;
}

const RELAY_BATCH = 200;
const RELAY_POLL_MS = 1_000;
/** A broker that is about to fail may acknowledge what it loses: for longer than the cluster needs to notice. */
const DOUBTED_MS = 30_000;
/** An outage is over when the broker was there for so long: while it comes and goes, nothing is sent again and again. */
const BROKER_STABLE_MS = 5_000;

/**
 * Publishes outbox rows in commit order per batch and takes out those that the broker acknowledged. Several
 * replicas may run it: rows are claimed with SKIP LOCKED. A crash between acknowledgement and commit
 * publishes again under the same message id. While the broker acknowledges nothing, a single row is tried at a time:
 * an election that takes seconds holds neither the rows nor a transaction for as long. Each try takes the next row, so
 * that one which can never be published holds up no other. After an outage, what was acknowledged in the last half
 * minute before it and meanwhile is published once more: a leader whose disk was full has acknowledged events that its
 * followers never had.
 */
export async function startOutboxRelay(options: RelayOptions): Promise<{ close(): Promise<void> }> {
  let batchMax = RELAY_BATCH;
  /** Position behind which the next batch begins. */
  let after = 0;
  let outage: { sinceMs: number; lastMs: number } | null = null;
  const loop = startLoop({
    async work() {
      const beganMs = performance.now();
      const { taken, last, acknowledged, failure } = await relayBatch(options, { batchMax, after });
      const mayBeMore = taken === batchMax;
      const isStuck = acknowledged === 0 && failure !== null;
      after = isStuck && batchMax === 1 ? last : 0;
      batchMax = isStuck ? 1 : RELAY_BATCH;
      if (isOutage(failure)) outage = { sinceMs: outage?.sinceMs ?? beganMs, lastMs: beganMs };
      else if (outage !== null && beganMs - outage.lastMs >= (options.brokerStableMs ?? BROKER_STABLE_MS)) {
        await publishAgain(options.database, { sinceMs: outage.sinceMs - DOUBTED_MS, untilMs: beganMs });
        outage = null;
      }
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
  const sampling = startSampling({ name: 'outbox', read: () => readOutbox(options.database) });
  return {
    async close() {
      await sampling.close();
      await listener.close();
      await loop.close();
    },
  };
}

function isOutage(failure: PromiseRejectedResult | null): boolean {
  return failure?.reason instanceof CairnError && failure.reason.code === 'unavailable';
}

/** Has the events published once more that were acknowledged between two times of this process's own clock. */
async function publishAgain(database: Database, between: { sinceMs: number; untilMs: number }): Promise<void> {
  const [row] = await database.transaction((tx) => tx.query<{ now: Date }>('SELECT clock_timestamp() AS now'));
  // The clock that dates published events is the database's.
  const atMs = (ms: number) => new Date(row!.now.getTime() - (performance.now() - ms));
  const doubted = { since: atMs(between.sinceMs), until: atMs(between.untilMs) };
  while ((await replayPublished(database, doubted)) > 0);
}

const OUTBOX_STATE = {
  name: 'outbox_state',
  text: `SELECT (SELECT count(*) FROM (SELECT FROM outbox LIMIT 100000) AS bounded) AS rows,
                coalesce((SELECT extract(epoch FROM now() - created_at) FROM outbox ORDER BY position LIMIT 1), 0)::float8 AS oldest`,
};

async function readOutbox(database: Database) {
  const [state] = await database.transaction((tx) => tx.query<{ rows: number; oldest: number }>(OUTBOX_STATE));
  return [
    { gauge: rowsWaiting, value: state!.rows },
    { gauge: oldestSeconds, value: Math.max(0, state!.oldest) },
  ];
}

interface RelayedBatch {
  taken: number;
  /** Position of the last row that was taken. */
  last: number;
  acknowledged: number;
  /** Of the first message that was not acknowledged. */
  failure: PromiseRejectedResult | null;
}

async function relayBatch(
  options: RelayOptions,
  { batchMax, after }: { batchMax: number; after: number },
): Promise<RelayedBatch> {
  return options.database.transaction(async (tx) => {
    const rows = await tx.query<{
      position: number;
      tenant_id: string;
      event_id: string;
      subject: string;
      payload: Buffer;
      traceparent: string | null;
    }>(
      'SELECT position, tenant_id, event_id, subject, payload, traceparent FROM outbox WHERE position > $2 ORDER BY position LIMIT $1 FOR UPDATE SKIP LOCKED',
      [batchMax, after],
    );
    const outcomes = await Promise.allSettled(
      rows.map((row) =>
        options.publish({
          tenantId: row.tenant_id,
          eventId: row.event_id,
          subject: row.subject,
          payload: row.payload,
          ...(row.traceparent === null ? {} : { traceparent: row.traceparent }),
        }),
      ),
    );
    const acknowledged = rows.filter((_row, n) => outcomes[n]!.status === 'fulfilled').map((row) => row.position);
    if (acknowledged.length > 0) await storePublished(tx, acknowledged);
    published.inc(acknowledged.length);
    const failure = outcomes.find((outcome) => outcome.status === 'rejected') ?? null;
    return { taken: rows.length, last: rows.at(-1)?.position ?? 0, acknowledged: acknowledged.length, failure };
  });
}
