import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, isConnectionFailure, sqlState, type Tx } from '@cairn/postgres';
import { CairnError } from '@cairn/errors';
import { insertEvents } from './run-store.ts';
import type { NewEvent, RunRow } from './run.ts';

/** The run is another's now, or ended: whatever is going on stops without a word. */
export class RunLost extends Error {
  override readonly name = 'RunLost';
}

/** The run waits for a message and holds nothing meanwhile. */
export class RunParked extends Error {
  override readonly name = 'RunParked';
}

/** What came of a step: kept under its key, with what else becomes true with it. */
export interface StepOutcome<T> {
  /** JSON; small, for it is read again with every take-over. Large things go into tables of their own by `commit`. */
  result: T;
  events?: readonly NewEvent[];
  /** Runs in the transaction that keeps the result, perhaps more than once; gives further events. */
  commit?: (tx: Tx) => Promise<readonly NewEvent[] | void>;
  /** Runs by itself when the outcome is not kept, because the run has ended or is another's: what was spent is spent. */
  lost?: (tx: Tx) => Promise<void>;
}

export interface Question {
  questionId: string;
  question: string;
  /** Taken when nobody answers in time. */
  default: string;
}

export interface Answered {
  answer: string;
  /** True when it is the default, because nobody answered. */
  assumed: boolean;
}

/** What the work of a run is given. Keys name steps, never their order, so lanes may run side by side. */
export interface RunContext {
  readonly runId: string;
  readonly tenantId: string;
  readonly kind: string;
  readonly input: Record<string, unknown>;
  /** Aborts when the run is cancelled or lost. */
  readonly signal: AbortSignal;
  /** The result kept under the key; else does the work, with no transaction held, and keeps what comes of it. */
  step<T>(key: string, work: (signal: AbortSignal) => Promise<StepOutcome<T>>): Promise<T>;
  /** Asks whoever watches; the run is parked until a message or the time comes. */
  ask(key: string, question: () => Question, waitMs: number): Promise<Answered>;
}

const COMMIT_RETRY_PAUSES_MS = [50, 200, 500, 1_000, 2_000];
const UNIQUE_VIOLATION = '23505';

/** Told of the steps of a run as they are worked on. */
export interface StepWatch {
  onBegin?: (key: string) => void;
  onKept?: (key: string) => void;
}

/** The context of one claim of a run. */
export function createRunContext(
  database: Database,
  run: RunRow,
  known: Map<string, unknown>,
  signal: AbortSignal,
  watch: StepWatch = {},
): RunContext {
  const going = new Map<string, Promise<unknown>>();

  /** Lanes that come to the same step at the same time: the first does it, the others get what comes of it. */
  function step<T>(key: string, work: (signal: AbortSignal) => Promise<StepOutcome<T>>): Promise<T> {
    if (known.has(key)) return Promise.resolve(known.get(key) as T);
    const begun = going.get(key);
    if (begun !== undefined) return begun as Promise<T>;
    const done = doStep(key, work).finally(() => going.delete(key));
    going.set(key, done);
    return done;
  }

  async function doStep<T>(key: string, work: (signal: AbortSignal) => Promise<StepOutcome<T>>): Promise<T> {
    signal.throwIfAborted();
    watch.onBegin?.(key);
    const outcome = await work(signal);
    try {
      await keep(key, outcome);
    } catch (error) {
      // Of no use to the run any more; what cannot be written now either is lost with the database.
      if (outcome.lost !== undefined) await database.withTenant(run.tenant_id, outcome.lost).catch(() => undefined);
      throw error;
    }
    // As it will be read after a take-over, so that both ways see the same. A commit may have filled it in.
    const kept = JSON.parse(JSON.stringify(outcome.result ?? null)) as T;
    known.set(key, kept);
    watch.onKept?.(key);
    return kept;
  }

  /** The work may have cost money: the commit is tried again, the work is not. */
  async function keep(key: string, outcome: StepOutcome<unknown>): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      signal.throwIfAborted();
      try {
        await commitStep(database, run, key, outcome);
        return;
      } catch (error) {
        if (sqlState(error) === UNIQUE_VIOLATION && (await isDone(database, run, key))) return;
        const pause = COMMIT_RETRY_PAUSES_MS[attempt];
        if (pause === undefined || !isOutage(error)) throw error;
        await sleep(pause, undefined, { signal });
      }
    }
  }

  async function ask(key: string, question: () => Question, waitMs: number): Promise<Answered> {
    const asked = await step(`${key}/asked`, () => {
      const made = question();
      const until = new Date(Date.now() + waitMs).toISOString();
      const data = { question_id: made.questionId, question: made.question, default: made.default, expires_at: until };
      return Promise.resolve({ result: { ...made, until }, events: [{ type: 'clarification.requested', data }] });
    });
    return step(`${key}/answered`, async () => {
      const answered = await awaitAnswer(database, run, asked);
      const data = { question_id: asked.questionId, ...answered };
      return { result: answered, events: [{ type: 'clarification.answered', data }] };
    });
  }

  return { runId: run.run_id, tenantId: run.tenant_id, kind: run.kind, input: run.input, signal, step, ask };
}

/** What a step makes true, its events and its result, if the run is still this owner's. */
function commitStep(database: Database, run: RunRow, key: string, outcome: StepOutcome<unknown>): Promise<void> {
  return database.withTenant(run.tenant_id, async (tx) => {
    // First, as everyone does who ends a run: rows are locked in one order, and who has lost the run writes nothing.
    const [own] = await tx.query({
      name: 'ledger_hold',
      text: `SELECT 1 FROM runs WHERE run_id = $1 AND epoch = $2 AND status = 'running' FOR NO KEY UPDATE`,
      values: [run.run_id, run.epoch],
    });
    if (own === undefined) throw new RunLost();
    const more = (await outcome.commit?.(tx)) ?? [];
    const events = [...(outcome.events ?? []), ...more];
    const fenced = await tx.query<{ last_seq: number }>({
      name: 'ledger_fence',
      text: `UPDATE runs SET last_seq = last_seq + $3, attempts = 0, stalls = 0
                WHERE run_id = $1 AND epoch = $2 AND status = 'running' RETURNING last_seq`,
      values: [run.run_id, run.epoch, events.length],
    });
    if (fenced[0] === undefined) throw new RunLost();
    const ref = { tenantId: run.tenant_id, runId: run.run_id };
    await insertEvents(tx, ref, fenced[0].last_seq - events.length + 1, events);
    await tx.execute('INSERT INTO run_steps (tenant_id, run_id, step_key, result) VALUES ($1, $2, $3, $4)', [
      run.tenant_id,
      run.run_id,
      key,
      JSON.stringify(outcome.result ?? null),
    ]);
  });
}

/** The message, or the default once its time has come; else parks the run. */
async function awaitAnswer(database: Database, run: RunRow, asked: Question & { until: string }): Promise<Answered> {
  const answered = await database.withTenant(run.tenant_id, async (tx) => {
    const [own] = await tx.query(
      `SELECT 1 FROM runs WHERE run_id = $1 AND epoch = $2 AND status = 'running' FOR UPDATE`,
      [run.run_id, run.epoch],
    );
    if (own === undefined) throw new RunLost();
    const [message] = await tx.query<{ body: { answer: string } }>(
      'SELECT body FROM run_messages WHERE run_id = $1 AND topic = $2',
      [run.run_id, asked.questionId],
    );
    if (message !== undefined) return { answer: message.body.answer, assumed: false };
    if (Date.parse(asked.until) <= Date.now()) return { answer: asked.default, assumed: true };
    await tx.execute(
      `UPDATE runs SET status = 'waiting', wake_at = $2, owner = NULL, lease_until = NULL WHERE run_id = $1`,
      [run.run_id, asked.until],
    );
    return null;
  });
  if (answered === null) throw new RunParked();
  return answered;
}

async function isDone(database: Database, run: RunRow, key: string): Promise<boolean> {
  const rows = await database.withTenant(run.tenant_id, (tx) =>
    tx.query('SELECT 1 FROM run_steps WHERE run_id = $1 AND step_key = $2', [run.run_id, key]),
  );
  return rows.length > 0;
}

/** The database could not be reached: nothing is known to be wrong with the run. */
export function isOutage(error: unknown): boolean {
  return (error instanceof CairnError && error.code === 'unavailable') || isConnectionFailure(error);
}
