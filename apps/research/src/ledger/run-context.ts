import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, isConnectionFailure, sqlState, type Tx } from '@cairn/postgres';
import { CairnError } from '@cairn/errors';
import { LeaseLostError } from '@cairn/work-queue';
import { RUNS } from './claim.ts';
import { insertEvents, type OnStatusChanged } from './run-store.ts';
import type { NewEvent, RunRow } from './run.ts';

/** The run waits for a message and holds no resources meanwhile. */
export class RunSuspendedError extends Error {
  override readonly name = 'RunSuspendedError';
}

/** The outcome of a step: stored under its key, in one transaction with its effects. */
export interface StepOutcome<T> {
  /** JSON. Keep it small: it is read again on every take-over. Large data goes into tables of its own, by `commit`. */
  result: T;
  events?: readonly NewEvent[];
  /** Runs in the transaction that stores the result, possibly more than once. Returns further events. */
  commit?: (tx: Tx) => Promise<readonly NewEvent[] | void>;
  /**
   * Runs in a transaction of its own when the outcome is discarded because the lease was lost, so that costs are
   * recorded.
   */
  onDiscarded?: (tx: Tx) => Promise<void>;
}

interface Question {
  questionId: string;
  question: string;
  /** Used when nobody answers in time. */
  default: string;
  /** What may be answered, beside other words. */
  choices?: readonly string[];
}

interface ClarificationAnswer {
  answer: string;
  /** True when nobody answered and the default was used. */
  assumed: boolean;
}

/** What the work of a run receives. Steps are identified by keys, never by order, so they may run in parallel. */
export interface RunContext {
  readonly runId: string;
  readonly tenantId: string;
  readonly kind: string;
  readonly input: Record<string, unknown>;
  /** Aborts when the run is cancelled or its lease is lost. */
  readonly signal: AbortSignal;
  /**
   * Returns the result stored under the key. Without one, does the work outside of any transaction and stores its
   * outcome.
   */
  step<T>(key: string, work: (signal: AbortSignal) => Promise<StepOutcome<T>>): Promise<T>;
  /** Asks the watchers of the run, which is suspended until an answer arrives or the time is up. */
  ask(key: string, question: () => Question, waitMs: number): Promise<ClarificationAnswer>;
}

const COMMIT_RETRY_PAUSES_MS = [50, 200, 500, 1_000, 2_000];
const UNIQUE_VIOLATION = '23505';

/** Observes the steps of a run. */
interface StepObserver {
  onStatusChanged?: OnStatusChanged;
  onStarted?: (key: string) => void;
  onCommitted?: (key: string) => void;
}

/** The context of one claim of a run. */
export function createRunContext(
  database: Database,
  run: RunRow,
  known: Map<string, unknown>,
  signal: AbortSignal,
  observer: StepObserver = {},
): RunContext {
  const running = new Map<string, Promise<unknown>>();

  /** Concurrent calls with the same key share one execution. */
  function step<T>(key: string, work: (signal: AbortSignal) => Promise<StepOutcome<T>>): Promise<T> {
    if (known.has(key)) return Promise.resolve(known.get(key) as T);
    const shared = running.get(key);
    if (shared !== undefined) return shared as Promise<T>;
    const done = executeStep(key, work).finally(() => running.delete(key));
    running.set(key, done);
    return done;
  }

  async function executeStep<T>(key: string, work: (signal: AbortSignal) => Promise<StepOutcome<T>>): Promise<T> {
    signal.throwIfAborted();
    observer.onStarted?.(key);
    const outcome = await work(signal);
    try {
      await commitWithRetries({ database, run, signal }, key, outcome);
    } catch (error) {
      // The outcome is discarded. If this fails too, the cost is lost together with the database.
      if (outcome.onDiscarded !== undefined)
        await database.withTenant(run.tenant_id, outcome.onDiscarded).catch(() => undefined);
      throw error;
    }
    // Serialised as it will be after a take-over, so that both paths return the same. A commit may have completed it.
    const stored = JSON.parse(JSON.stringify(outcome.result ?? null)) as T;
    known.set(key, stored);
    observer.onCommitted?.(key);
    return stored;
  }

  async function ask(key: string, question: () => Question, waitMs: number): Promise<ClarificationAnswer> {
    const asked = await step(`${key}/asked`, () => {
      const created = question();
      const until = new Date(Date.now() + waitMs).toISOString();
      const data = {
        question_id: created.questionId,
        question: created.question,
        default: created.default,
        choices: created.choices ?? [],
        expires_at: until,
      };
      return Promise.resolve({
        result: { ...created, until },
        events: [{ type: 'clarification.requested', data }],
        commit: async (tx: Tx) => observer.onStatusChanged?.(tx, run, 'waiting'),
      });
    });
    return step(`${key}/answered`, async () => {
      const answered = await awaitAnswer(database, run, asked);
      const data = { question_id: asked.questionId, ...answered };
      return {
        result: answered,
        events: [{ type: 'clarification.answered', data }],
        commit: async (tx: Tx) => observer.onStatusChanged?.(tx, run, 'running'),
      };
    });
  }

  return { runId: run.run_id, tenantId: run.tenant_id, kind: run.kind, input: run.input, signal, step, ask };
}

interface Claim {
  database: Database;
  run: RunRow;
  signal: AbortSignal;
}

/** The work may have cost money, so the commit is retried and the work is not. */
async function commitWithRetries(
  { database, run, signal }: Claim,
  key: string,
  outcome: StepOutcome<unknown>,
): Promise<void> {
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

/** Commits a step's effects, events and result, if this owner still holds the run. */
function commitStep(database: Database, run: RunRow, key: string, outcome: StepOutcome<unknown>): Promise<void> {
  return database.withTenant(run.tenant_id, async (tx) => {
    // The run's row is locked first, as by everything that ends a run: one lock order, and nothing is written without
    // the lease.
    if (!(await RUNS.hold(tx, run))) throw new LeaseLostError();
    const more = (await outcome.commit?.(tx)) ?? [];
    const events = [...(outcome.events ?? []), ...more];
    const fenced = await tx.query<{ last_seq: number }>({
      name: 'ledger_fence',
      text: `UPDATE runs SET last_seq = last_seq + $3, attempts = 0, stalls = 0
                WHERE run_id = $1 AND epoch = $2 AND status = 'running' RETURNING last_seq`,
      values: [run.run_id, run.epoch, events.length],
    });
    if (fenced[0] === undefined) throw new LeaseLostError();
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

/** Returns the message, or the default once the time is up. Otherwise suspends the run. */
async function awaitAnswer(
  database: Database,
  run: RunRow,
  asked: Question & { until: string },
): Promise<ClarificationAnswer> {
  const answered = await database.withTenant(run.tenant_id, async (tx) => {
    if (!(await RUNS.hold(tx, run))) throw new LeaseLostError();
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
  if (answered === null) throw new RunSuspendedError();
  return answered;
}

async function isDone(database: Database, run: RunRow, key: string): Promise<boolean> {
  const rows = await database.withTenant(run.tenant_id, (tx) =>
    tx.query('SELECT 1 FROM run_steps WHERE run_id = $1 AND step_key = $2', [run.run_id, key]),
  );
  return rows.length > 0;
}

/** The database was unreachable, which says nothing about the run. */
export function isOutage(error: unknown): boolean {
  return (error instanceof CairnError && error.code === 'unavailable') || isConnectionFailure(error);
}
