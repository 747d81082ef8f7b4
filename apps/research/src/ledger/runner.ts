import { randomUUID } from 'node:crypto';
import { startLoop } from '@cairn/background';
import type { Database } from '@cairn/postgres';
import { afterMs, LeaseLostError, pauseAfter } from '@cairn/work-queue';
import { createRunContext, isOutage, type RunContext, RunSuspendedError } from './run-context.ts';
import {
  claimRuns,
  claimStalledRun,
  type ClaimedRun,
  type ClaimOptions,
  endProbation,
  isAnyDue,
  RUNS,
} from './claim.ts';
import { Probation } from './probation.ts';
import {
  endRun,
  findRun,
  NOTIFICATION,
  type OnRunFinished,
  type OnStatusChanged,
  parseNotification,
  RUNS_CHANNEL,
} from './run-store.ts';
import { StartingRuns } from './starting-runs.ts';
import { type EndStatus, type NewEvent, RunFailure, type RunRow } from './run.ts';

/** The work of one kind of run, called again from the start after a take-over. Its return value is the run's result. */
export type RunWork = (context: RunContext) => Promise<unknown>;

export interface RunnerOptions {
  /** Connected as the worker role. */
  database: Database;
  schema: string;
  kinds: Readonly<Record<string, RunWork>>;
  /** Most runs that this process works on at a time. */
  concurrencyMax: number;
  /** Most runs of one tenant, so that a tenant with many leaves room for others. Default: no limit of its own. */
  perTenantMax?: number;
  /** What runs need of this process: while it is not ready, due runs are left to others. Default: nothing. */
  needs?: { isWarm(): boolean; warm(signal: AbortSignal): Promise<void> };
  onRunFinished: OnRunFinished;
  onStatusChanged?: OnStatusChanged;
  /** The last event of a completed run, derived from its result. */
  completedEvent: (run: RunRow, result: unknown) => NewEvent;
  /** Receives errors that are retried, and errors of the runner itself. */
  onError: (error: unknown, run: { runId?: string }) => void;
  /** Called when a step begins, to record what the process was doing. */
  onStep?: (run: { runId: string; kind: string; key: string }) => void;
  leaseMs?: number;
  /** Times a run may stall or end its process without completing a step; then it fails. */
  stallsMax?: number;
  /** How long a run that has completed no step counts as starting, of which there are few at a time. */
  startingMs?: number;
  /** How long a run that has stalled before runs on probation. */
  probationMs?: number;
}

export interface Runner {
  /** Ids of the runs that this process works on. */
  active(): string[];
  close(): Promise<void>;
}

const DEFAULT_LEASE_MS = 6_000;
/** Long enough for a run that stalls its process at once to do so. */
const DEFAULT_PROBATION_MS = 10_000;
/** A run whose first step takes longer, such as a model call, does not keep others from being claimed. */
const DEFAULT_STARTING_MS = 1_000;
/** Heartbeats in the time of a lease: some may be late, and the lease is still extended in time. */
const HEARTBEATS_PER_LEASE = 6;
/** Key of the first step of every run, followed by the number of the continuation. */
const STARTED = 'run/started/';
const CLAIM_EVERY_MS = 1_000;
const ATTEMPTS_MAX = 5;
const DEFAULT_STALLS_MAX = 3;
const RETRY_PAUSES_MS = [500, 1_000, 3_000, 10_000, 30_000];
const CLOSE_TIMEOUT_MS = 5_000;
const RELEASED = `status = 'queued', owner = NULL, lease_until = NULL`;

const FAILED_REPEATEDLY = { code: 'internal', message: 'The run failed repeatedly because of an internal error.' };

const STALLED = {
  code: 'stalled',
  message: 'The run stalled its process repeatedly and was stopped. Change its prompt or its sources.',
};

interface Active {
  run: RunRow;
  abort: AbortController;
  done: Promise<void>;
}

/**
 * Claims due runs, executes them, and ends them. When a process dies, another claims its runs as their leases expire;
 * completed steps are not repeated.
 */
export async function startRunner(options: RunnerOptions): Promise<Runner> {
  const runner = new RunnerLoop(options);
  await runner.start();
  return runner;
}

class RunnerLoop implements Runner {
  private readonly options: RunnerOptions;
  /** Unique to this boot, so that claims of a process that died are never mistaken for its own. */
  private readonly owner = randomUUID();
  private readonly leaseMs: number;
  private readonly stallsMax: number;
  private readonly running = new Map<string, Active>();
  private readonly probation: Probation;
  private readonly starting: StartingRuns;
  private lastHeartbeat = performance.now();
  private heartbeats: NodeJS.Timeout | undefined;
  private listening: { close(): Promise<void> } | null = null;
  private claiming: ReturnType<typeof startLoop> | null = null;
  private heartbeating: Promise<void> | null = null;

  constructor(options: RunnerOptions) {
    this.options = options;
    this.leaseMs = options.leaseMs ?? DEFAULT_LEASE_MS;
    this.stallsMax = options.stallsMax ?? DEFAULT_STALLS_MAX;
    this.starting = new StartingRuns(options.startingMs ?? DEFAULT_STARTING_MS, () => this.claim());
    this.probation = new Probation(options.probationMs ?? DEFAULT_PROBATION_MS, () => {
      endProbation(this.options.database, this.owner).catch((error: unknown) => this.options.onError(error, {}));
      this.claim();
    });
  }

  async start(): Promise<void> {
    this.listening = await this.options.database.listen(`${RUNS_CHANNEL}.${this.options.schema}`, (payload) => {
      const notification = parseNotification(payload);
      if (notification === null || notification.code === NOTIFICATION.queued) this.claim();
      const mayHaveLost = notification?.code === NOTIFICATION.ended && this.running.has(notification.runId);
      if (notification === null || mayHaveLost) this.heartbeat();
    });
    this.lastHeartbeat = performance.now();
    this.heartbeats = setInterval(() => this.heartbeat(), this.leaseMs / HEARTBEATS_PER_LEASE);
    this.claiming = startLoop({
      // There is more to claim only when a run makes room, which wakes the loop.
      work: async (signal) => {
        await this.claimDue(signal);
        return false;
      },
      pollMs: CLAIM_EVERY_MS,
      onError: (error) => this.options.onError(error, {}),
      backoffMs: CLAIM_EVERY_MS,
      backoffMaxMs: CLAIM_EVERY_MS,
    });
  }

  active(): string[] {
    return [...this.running.keys()];
  }

  async close(): Promise<void> {
    const claimed = this.claiming?.close();
    clearInterval(this.heartbeats);
    this.probation.close();
    this.starting.close();
    await this.listening?.close();
    await claimed;
    await this.heartbeating;
    const left = [...this.running.values()];
    for (const { abort } of left) abort.abort(new LeaseLostError());
    const ended = Promise.all(left.map(({ done }) => done));
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, CLOSE_TIMEOUT_MS).unref())]);
    // Released at once, so that another process need not wait for the leases to expire.
    await this.options.database
      .transaction((tx) =>
        tx.query(
          `WITH released AS (
             UPDATE runs SET ${RELEASED}
              WHERE owner = $1 AND status = 'running' RETURNING run_id)
           SELECT pg_notify($2, $3 || ':' || run_id) FROM released`,
          [this.owner, `${RUNS_CHANNEL}.${this.options.schema}`, NOTIFICATION.queued],
        ),
      )
      .catch((error: unknown) => this.options.onError(error, {}));
  }

  private claim(): void {
    this.claiming?.wake();
  }

  private async claimDue(closing: AbortSignal): Promise<void> {
    const { database, kinds, onRunFinished } = this.options;
    await database.transaction(async (tx) => {
      const late = await tx.query<RunRow>(
        `SELECT * FROM runs WHERE status = 'held' AND wake_at <= now() ORDER BY wake_at LIMIT 50 FOR UPDATE SKIP LOCKED`,
      );
      for (const run of late)
        await endRun(tx, run, { status: 'expired', event: { type: 'run.expired', data: {} } }, onRunFinished);
    });
    const room = Math.min(this.options.concurrencyMax - this.running.size, this.starting.room);
    if (room <= 0 || closing.aborted || this.probation.isOn || !(await this.isReadyFor(Object.keys(kinds), closing)))
      return;
    const options = this.claimOptions(room);
    // A run that has stalled before goes first, and only when all others have proved themselves.
    const suspect = await claimStalledRun(database, options, this.probation.canStart);
    if (suspect === 'later') return;
    if (suspect !== null) {
      if (suspect.run.stalls < this.stallsMax) this.probation.start(suspect.run.run_id);
      this.begin(suspect);
      return;
    }
    for (const claimed of await claimRuns(database, options)) {
      this.probation.observe(claimed.run.run_id);
      this.begin(claimed);
    }
  }

  /** Gets ready when there are runs; false when there are none. */
  private async isReadyFor(kinds: readonly string[], closing: AbortSignal): Promise<boolean> {
    const { needs, database } = this.options;
    if (needs === undefined || needs.isWarm()) return true;
    if (!(await isAnyDue(database, kinds))) return false;
    await needs.warm(closing);
    if (closing.aborted) return false;
    if (!needs.isWarm())
      this.options.onError(new Error('no process can load its model; runs are claimed all the same'), {});
    return true;
  }

  private claimOptions(room: number): ClaimOptions {
    return {
      owner: this.owner,
      leaseMs: this.leaseMs,
      kinds: Object.keys(this.options.kinds),
      room,
      perTenantMax: this.options.perTenantMax ?? this.options.concurrencyMax,
    };
  }

  private begin({ run, known }: ClaimedRun): void {
    const abort = new AbortController();
    const done = this.work(run, known, abort)
      .catch((error: unknown) => this.options.onError(error, { runId: run.run_id }))
      .finally(() => {
        if (this.running.get(run.run_id)?.abort === abort) {
          this.running.delete(run.run_id);
          this.probation.forget(run.run_id);
          this.starting.remove(run.run_id);
        }
        this.claim();
      });
    this.running.get(run.run_id)?.abort.abort(new LeaseLostError());
    this.running.set(run.run_id, { run, abort, done });
    this.starting.add(run.run_id);
  }

  private async work(run: RunRow, known: Map<string, unknown>, abort: AbortController): Promise<void> {
    const { signal } = abort;
    if (run.stalls >= this.stallsMax) {
      await this.end(run, 'failed', { type: 'run.failed', data: STALLED }, { error: STALLED });
      return;
    }
    const { onStatusChanged } = this.options;
    const context = createRunContext(this.options.database, run, known, signal, {
      ...(onStatusChanged === undefined ? {} : { onStatusChanged }),
      onStarted: (key) => this.options.onStep?.({ runId: run.run_id, kind: run.kind, key }),
      // That a run was started proves nothing about its work.
      onCommitted: (key) => {
        if (key.startsWith(STARTED)) return;
        this.probation.pass(run.run_id);
        this.starting.remove(run.run_id);
      },
    });
    try {
      const continuation = typeof run.input['leg'] === 'number' ? run.input['leg'] : 0;
      await context.step(`${STARTED}${continuation}`, () =>
        Promise.resolve({
          result: null,
          events: [{ type: 'run.started', data: { kind: run.kind } }],
          commit: async (tx) => onStatusChanged?.(tx, run, 'running'),
        }),
      );
      const result = await this.options.kinds[run.kind]!(context);
      await this.end(run, 'completed', this.options.completedEvent(run, result), { result });
    } catch (error) {
      const hasLostLease = signal.aborted || error instanceof LeaseLostError || error instanceof RunSuspendedError;
      // Work that goes on in parallel to what failed is aborted.
      abort.abort(new LeaseLostError());
      if (hasLostLease) return;
      if (error instanceof RunFailure) {
        const { code, message } = error;
        await this.end(run, 'failed', { type: 'run.failed', data: { code, message } }, { error: { code, message } });
        return;
      }
      this.options.onError(error, { runId: run.run_id });
      await this.retryLater(run, error);
    }
  }

  /** Ends the run if this owner still holds it. */
  private async end(
    run: RunRow,
    status: EndStatus,
    event: NewEvent,
    more: { result?: unknown; error?: { code: string; message: string } },
  ): Promise<void> {
    await this.options.database.withTenant(run.tenant_id, async (tx) => {
      if (!(await RUNS.hold(tx, run))) return;
      const own = (await findRun(tx, run.run_id))!;
      // The run was extended while its last step was executing, so there is more to do.
      if (status === 'completed' && JSON.stringify(own.input) !== JSON.stringify(run.input)) {
        await RUNS.update(tx, run, RELEASED);
        return;
      }
      await endRun(tx, own, { status, event, ...more }, this.options.onRunFinished);
    });
  }

  /** An outage says nothing about the run and is not counted; any other error that repeats too often fails the run. */
  private async retryLater(run: RunRow, error: unknown): Promise<void> {
    const counted = isOutage(error) ? 0 : 1;
    const attempts = run.attempts + counted;
    if (attempts >= ATTEMPTS_MAX) {
      await this.end(run, 'failed', { type: 'run.failed', data: FAILED_REPEATEDLY }, { error: FAILED_REPEATEDLY });
      return;
    }
    const pauseMs = pauseAfter(attempts + 1, RETRY_PAUSES_MS);
    const set = `${RELEASED}, attempts = $1, wake_at = ${afterMs('$2')}`;
    await this.options.database.withTenant(run.tenant_id, (tx) => RUNS.update(tx, run, set, [attempts, pauseMs]));
  }

  private heartbeat(): void {
    const pausedMs = performance.now() - this.lastHeartbeat;
    this.lastHeartbeat = performance.now();
    // The event loop was blocked for longer than a lease. One of the runs may be the cause, so this counts as if the
    // process had died.
    if (pausedMs > this.leaseMs) {
      for (const { abort } of this.running.values()) abort.abort(new LeaseLostError());
      for (const runId of this.running.keys()) {
        this.probation.forget(runId);
        this.starting.remove(runId);
      }
      this.running.clear();
      return;
    }
    if (this.heartbeating !== null || this.running.size === 0) return;
    this.heartbeating = this.extendLeases()
      .catch((error: unknown) => this.options.onError(error, {}))
      .finally(() => {
        this.heartbeating = null;
      });
  }

  private async extendLeases(): Promise<void> {
    const asked = [...this.running.values()];
    const held = await this.options.database.transaction((tx) =>
      tx.query<{ run_id: string; epoch: number }>(
        `UPDATE runs SET lease_until = ${afterMs('$2')}
          WHERE owner = $1 AND status = 'running' AND run_id = ANY($3) RETURNING run_id, epoch`,
        [this.owner, this.leaseMs, asked.map(({ run }) => run.run_id)],
      ),
    );
    const epochs = new Map(held.map(({ run_id, epoch }) => [run_id, epoch]));
    for (const { run, abort } of asked) if (epochs.get(run.run_id) !== run.epoch) abort.abort(new LeaseLostError());
  }
}
