import type { Tx } from '@cairn/postgres';
import { ENDED, type EndStatus, type NewEvent, type RunEventRow, type RunRow } from './run.ts';

export interface NewRun {
  tenantId: string;
  runId: string;
  kind: string;
  input: Record<string, unknown>;
  /** The run expires after this time unless it is released. Without it the run is queued at once. */
  heldForMs?: number;
  events?: readonly NewEvent[];
}

/** Called in the transaction that ends a run, whatever ends it. */
export type OnRunFinished = (tx: Tx, run: RunRow, status: EndStatus) => Promise<void>;

/** Called in the transaction that makes a run running or waiting. */
export type OnStatusChanged = (tx: Tx, run: RunRow, status: 'running' | 'waiting') => Promise<void>;

/** Inserts a run in the caller's transaction. */
export async function createRun(tx: Tx, run: NewRun): Promise<void> {
  const held = run.heldForMs !== undefined;
  await tx.execute(
    `INSERT INTO runs (tenant_id, run_id, kind, status, input, wake_at)
     VALUES ($1, $2, $3, $4, $5, CASE WHEN $6::float8 IS NULL THEN NULL ELSE now() + make_interval(secs => $6::float8 / 1000) END)`,
    [run.tenantId, run.runId, run.kind, held ? 'held' : 'queued', JSON.stringify(run.input), run.heldForMs ?? null],
  );
  await appendEvents(tx, run, run.events ?? []);
  if (!held) await notify(tx, NOTIFICATION.queued, run.runId);
}

export async function findRun(tx: Tx, runId: string): Promise<RunRow | null> {
  return (await tx.query<RunRow>('SELECT * FROM runs WHERE run_id = $1', [runId]))[0] ?? null;
}

/** Locks the run for this transaction. Every change from outside of the runner starts here. */
export async function lockRun(tx: Tx, runId: string): Promise<RunRow | null> {
  return (await tx.query<RunRow>('SELECT * FROM runs WHERE run_id = $1 FOR UPDATE', [runId]))[0] ?? null;
}

/** Queues a held run. Returns false when it was not held. */
export async function releaseRun(tx: Tx, run: RunRow, events: readonly NewEvent[]): Promise<boolean> {
  const released = await tx.execute(
    `UPDATE runs SET status = 'queued', wake_at = NULL WHERE run_id = $1 AND status = 'held'`,
    [run.run_id],
  );
  if (released === 0) return false;
  await appendEvents(tx, { tenantId: run.tenant_id, runId: run.run_id }, events);
  await notify(tx, NOTIFICATION.queued, run.run_id);
  return true;
}

/**
 * Stores a message for a run and wakes it. Returns false when the topic already has a message. The run is locked first,
 * so a run that is suspending itself either sees the message or is seen waiting.
 */
export async function sendMessage(tx: Tx, runId: string, topic: string, body: unknown): Promise<boolean> {
  const run = await lockRun(tx, runId);
  if (run === null) return false;
  const written = await tx.execute(
    `INSERT INTO run_messages (tenant_id, run_id, topic, body) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
    [run.tenant_id, runId, topic, JSON.stringify(body)],
  );
  if (written === 0) return false;
  await tx.execute(`UPDATE runs SET status = 'queued', wake_at = NULL WHERE run_id = $1 AND status = 'waiting'`, [
    runId,
  ]);
  await notify(tx, NOTIFICATION.queued, runId);
  return true;
}

/**
 * Ends a run in any state that is not final. From then on its owner can commit nothing more. Returns false when it had
 * ended.
 */
export async function endRun(
  tx: Tx,
  run: RunRow,
  end: { status: EndStatus; event: NewEvent; result?: unknown; error?: { code: string; message: string } },
  onRunFinished: OnRunFinished,
): Promise<boolean> {
  const ended = await tx.query<RunRow>(
    `UPDATE runs SET status = $2, result = $3, error = $4, owner = NULL, lease_until = NULL, wake_at = NULL,
            epoch = epoch + 1, finished_at = now()
      WHERE run_id = $1 AND NOT status = ANY($5) RETURNING *`,
    [
      run.run_id,
      end.status,
      end.result === undefined ? null : JSON.stringify(end.result),
      end.error === undefined ? null : JSON.stringify(end.error),
      ENDED,
    ],
  );
  if (ended[0] === undefined) return false;
  await onRunFinished(tx, ended[0], end.status);
  await appendEvents(tx, { tenantId: run.tenant_id, runId: run.run_id }, [end.event]);
  await notify(tx, NOTIFICATION.ended, run.run_id);
  return true;
}

/** Queues an ended run again with another input. Its completed steps stay completed. */
export async function extendRun(
  tx: Tx,
  run: RunRow,
  input: Record<string, unknown>,
  events: readonly NewEvent[],
): Promise<void> {
  await tx.execute(
    `UPDATE runs SET status = CASE WHEN status = ANY($3) THEN 'queued' ELSE status END, input = $2, attempts = 0,
            error = CASE WHEN status = ANY($3) THEN NULL ELSE error END,
            finished_at = CASE WHEN status = ANY($3) THEN NULL ELSE finished_at END
      WHERE run_id = $1`,
    [run.run_id, JSON.stringify(input), ENDED],
  );
  await appendEvents(tx, { tenantId: run.tenant_id, runId: run.run_id }, events);
  await notify(tx, NOTIFICATION.queued, run.run_id);
}

/** Appends to the log of a run whose row this transaction has locked or inserted. */
async function appendEvents(
  tx: Tx,
  run: { tenantId: string; runId: string },
  events: readonly NewEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const [{ last_seq: last }] = (await tx.query<{ last_seq: number }>(
    'UPDATE runs SET last_seq = last_seq + $2 WHERE run_id = $1 RETURNING last_seq',
    [run.runId, events.length],
  )) as [{ last_seq: number }];
  await insertEvents(tx, run, last - events.length + 1, events);
}

/** Inserts events under sequence numbers that were taken from the run's row before. */
export async function insertEvents(
  tx: Tx,
  run: { tenantId: string; runId: string },
  firstSeq: number,
  events: readonly NewEvent[],
): Promise<void> {
  if (events.length === 0) return;
  await tx.execute(
    `INSERT INTO run_events (tenant_id, run_id, seq, type, data)
     SELECT $1, $2, $3 + position - 1, type, data
       FROM unnest($4::text[], $5::jsonb[]) WITH ORDINALITY AS event (type, data, position)`,
    [
      run.tenantId,
      run.runId,
      firstSeq,
      events.map((event) => event.type),
      events.map((event) => JSON.stringify(event.data)),
    ],
  );
  await notify(tx, NOTIFICATION.logged, run.runId);
}

/** The log after `seq`, in order. */
export async function readEvents(tx: Tx, runId: string, afterSeq: number, limit: number): Promise<RunEventRow[]> {
  return tx.query<RunEventRow>({
    name: 'ledger_events',
    text: 'SELECT seq, type, data, at FROM run_events WHERE run_id = $1 AND seq > $2 ORDER BY seq LIMIT $3',
    values: [runId, afterSeq, limit],
  });
}

export const RUNS_CHANNEL = 'runs';

/** What a notification on `RUNS_CHANNEL` is about. Its payload is the code, a colon, and the run's id. */
export const NOTIFICATION = {
  /** A run may be due. */
  queued: 'q',
  /** The log of a run has grown. */
  logged: 'e',
  /** A run was ended, so its owner may have lost it. */
  ended: 'c',
} as const;
type NotificationCode = (typeof NOTIFICATION)[keyof typeof NOTIFICATION];

/** Null for an empty payload: notifications may have been lost, so anything may have happened. */
export function parseNotification(payload: string): { code: NotificationCode; runId: string } | null {
  return payload === '' ? null : { code: payload.slice(0, 1) as NotificationCode, runId: payload.slice(2) };
}

async function notify(tx: Tx, code: NotificationCode, runId: string): Promise<void> {
  await tx.query(`SELECT pg_notify($1 || '.' || current_schema(), $2)`, [RUNS_CHANNEL, `${code}:${runId}`]);
}
