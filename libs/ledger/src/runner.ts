import { randomUUID } from 'node:crypto';
import type { Database } from '@cairn/postgres';
import { createRunContext, isOutage, type RunContext, RunLost, RunParked } from './run-context.ts';
import { claimDue, claimSuspect, type Claimed, type ClaimOptions, clearSuspicion } from './claim.ts';
import { Probation } from './probation.ts';
import { endRun, type OnEnd, RUNS_CHANNEL } from './run-store.ts';
import { type EndStatus, type NewEvent, RunFailure, type RunRow } from './run.ts';

/** Does the work of one kind of run; called again from the start after a take-over. What it returns is the result. */
export type RunWork = (context: RunContext) => Promise<unknown>;

export interface RunnerOptions {
  /** As the worker role. */
  database: Database;
  schema: string;
  kinds: Readonly<Record<string, RunWork>>;
  /** Runs this process works on at a time. */
  concurrencyMax: number;
  /** And of one tenant's, so that one who starts many leaves room to others; default: all. */
  perTenantMax?: number;
  onEnd: OnEnd;
  /** The last event of a run that completed, from its result. */
  completedEvent: (run: RunRow, result: unknown) => NewEvent;
  /** Told what failed and is tried again, or could not be. */
  onError: (error: unknown, run: { runId?: string }) => void;
  /** Told when a step of a run begins, for whoever wants to know what a process was doing. */
  onStep?: (run: { runId: string; kind: string; key: string }) => void;
  leaseMs?: number;
  /** Times a run may stall or end its process without keeping a step; at the last it fails. */
  stallsMax?: number;
  /** How long a run that stalled before is tried on its own. */
  probationMs?: number;
}

export interface Runner {
  /** Ids of the runs this process works on. */
  active(): string[];
  close(): Promise<void>;
}

const DEFAULT_LEASE_MS = 6_000;
/** Long enough for what stalls a process at once to do so. */
const DEFAULT_PROBATION_MS = 10_000;
const HEARTBEAT_MS = 1_000;
/** Key of the first step of every run, with the leg behind it. */
const STARTED = 'run/started/';
const CLAIM_EVERY_MS = 1_000;
const ATTEMPTS_MAX = 5;
const DEFAULT_STALLS_MAX = 3;
const RETRY_PAUSES_MS = [500, 1_000, 3_000, 10_000, 30_000];
const CLOSE_TIMEOUT_MS = 5_000;

const FAILED_OFTEN = { code: 'internal', message: 'The run failed several times for a reason that is ours.' };

const STALLED = {
  code: 'stalled',
  message: 'The run brought its process to a halt several times and was given up. Change its prompt or its sources.',
};

interface Active {
  run: RunRow;
  abort: AbortController;
  done: Promise<void>;
}

/**
 * Claims runs that are due, works on them, and ends them. A run whose process died is claimed by another when its
 * lease ends; steps that were kept are not done again.
 */
export async function startRunner(options: RunnerOptions): Promise<Runner> {
  const runner = new RunnerLoop(options);
  await runner.start();
  return runner;
}

class RunnerLoop implements Runner {
  private readonly options: RunnerOptions;
  /** Of this boot alone: what a process that died had claimed is never taken for one's own. */
  private readonly owner = randomUUID();
  private readonly leaseMs: number;
  private readonly stallsMax: number;
  private readonly running = new Map<string, Active>();
  private readonly probation: Probation;
  private beatAt = performance.now();
  private timers: NodeJS.Timeout[] = [];
  private listening: { close(): Promise<void> } | null = null;
  private claiming: Promise<void> | null = null;
  private claimAgain = false;
  private beating: Promise<void> | null = null;
  private closed = false;

  constructor(options: RunnerOptions) {
    this.options = options;
    this.leaseMs = options.leaseMs ?? DEFAULT_LEASE_MS;
    this.stallsMax = options.stallsMax ?? DEFAULT_STALLS_MAX;
    this.probation = new Probation(options.probationMs ?? DEFAULT_PROBATION_MS, () => {
      clearSuspicion(this.options.database, this.owner).catch((error: unknown) => this.options.onError(error, {}));
      this.claim();
    });
  }

  async start(): Promise<void> {
    this.listening = await this.options.database.listen(`${RUNS_CHANNEL}.${this.options.schema}`, (payload) => {
      if (payload === '' || payload.startsWith('q:')) this.claim();
      if (payload === '' || (payload.startsWith('c:') && this.running.has(payload.slice(2)))) this.beat();
    });
    this.beatAt = performance.now();
    this.timers = [setInterval(() => this.claim(), CLAIM_EVERY_MS), setInterval(() => this.beat(), HEARTBEAT_MS)];
    this.claim();
  }

  active(): string[] {
    return [...this.running.keys()];
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const timer of this.timers) clearInterval(timer);
    this.probation.close();
    await this.listening?.close();
    await this.claiming;
    await this.beating;
    const left = [...this.running.values()];
    for (const { abort } of left) abort.abort(new RunLost());
    const ended = Promise.all(left.map(({ done }) => done));
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, CLOSE_TIMEOUT_MS).unref())]);
    // Given back at once, so that another need not wait for the lease to end.
    await this.options.database
      .transaction((tx) =>
        tx.query<{ told: unknown }>(
          `WITH given AS (
             UPDATE runs SET status = 'queued', owner = NULL, lease_until = NULL
              WHERE owner = $1 AND status = 'running' RETURNING run_id)
           SELECT pg_notify($2, 'q:' || run_id) AS told FROM given`,
          [this.owner, `${RUNS_CHANNEL}.${this.options.schema}`],
        ),
      )
      .catch((error: unknown) => this.options.onError(error, {}));
  }

  private claim(): void {
    if (this.closed) return;
    if (this.claiming !== null) {
      this.claimAgain = true;
      return;
    }
    this.claiming = this.claimDue()
      .catch((error: unknown) => this.options.onError(error, {}))
      .finally(() => {
        this.claiming = null;
        if (this.claimAgain) {
          this.claimAgain = false;
          this.claim();
        }
      });
  }

  private async claimDue(): Promise<void> {
    const { database, onEnd } = this.options;
    await database.transaction(async (tx) => {
      const late = await tx.query<RunRow>(
        `SELECT * FROM runs WHERE status = 'held' AND wake_at <= now() ORDER BY wake_at LIMIT 50 FOR UPDATE SKIP LOCKED`,
      );
      for (const run of late)
        await endRun(tx, run, { status: 'expired', event: { type: 'run.expired', data: {} } }, onEnd);
    });
    const room = this.options.concurrencyMax - this.running.size;
    if (room <= 0 || this.closed || this.probation.isOn) return;
    const options = this.claimOptions(room);
    // A run that has stalled before is tried first, and alone among those of which little is known yet.
    const suspect = await claimSuspect(database, options, this.probation.canBegin);
    if (suspect === 'later') return;
    if (suspect !== null) {
      if (suspect.run.stalls < this.stallsMax) this.probation.begin(suspect.run.run_id);
      this.begin(suspect);
      return;
    }
    for (const claimed of await claimDue(database, options)) {
      this.probation.observe(claimed.run.run_id);
      this.begin(claimed);
    }
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

  private begin({ run, known }: Claimed): void {
    const abort = new AbortController();
    const done = this.work(run, known, abort)
      .catch((error: unknown) => this.options.onError(error, { runId: run.run_id }))
      .finally(() => {
        if (this.running.get(run.run_id)?.abort === abort) {
          this.running.delete(run.run_id);
          this.probation.forget(run.run_id);
        }
        this.claim();
      });
    this.running.get(run.run_id)?.abort.abort(new RunLost());
    this.running.set(run.run_id, { run, abort, done });
  }

  private async work(run: RunRow, known: Map<string, unknown>, abort: AbortController): Promise<void> {
    const { signal } = abort;
    if (run.stalls >= this.stallsMax) {
      await this.end(run, 'failed', { type: 'run.failed', data: STALLED }, { error: STALLED });
      return;
    }
    const context = createRunContext(this.options.database, run, known, signal, {
      onBegin: (key) => this.options.onStep?.({ runId: run.run_id, kind: run.kind, key }),
      // That it was begun says nothing about the work.
      onKept: (key) => {
        if (!key.startsWith(STARTED)) this.probation.pass(run.run_id);
      },
    });
    try {
      const leg = typeof run.input['leg'] === 'number' ? run.input['leg'] : 0;
      await context.step(`${STARTED}${leg}`, () =>
        Promise.resolve({ result: null, events: [{ type: 'run.started', data: { kind: run.kind } }] }),
      );
      const result = await this.options.kinds[run.kind]!(context);
      await this.end(run, 'completed', this.options.completedEvent(run, result), { result });
    } catch (error) {
      const lost = signal.aborted || error instanceof RunLost || error instanceof RunParked;
      // Lanes that go on beside the one that failed have nothing to go on for.
      abort.abort(new RunLost());
      if (lost) return;
      if (error instanceof RunFailure) {
        const { code, message } = error;
        await this.end(run, 'failed', { type: 'run.failed', data: { code, message } }, { error: { code, message } });
        return;
      }
      this.options.onError(error, { runId: run.run_id });
      await this.retryLater(run, error);
    }
  }

  /** The fence again: who has lost the run does not end it. */
  private async end(
    run: RunRow,
    status: EndStatus,
    event: NewEvent,
    more: { result?: unknown; error?: { code: string; message: string } },
  ): Promise<void> {
    await this.options.database.withTenant(run.tenant_id, async (tx) => {
      const [own] = await tx.query<RunRow>(
        `SELECT * FROM runs WHERE run_id = $1 AND epoch = $2 AND status = 'running' FOR UPDATE`,
        [run.run_id, run.epoch],
      );
      if (own === undefined) return;
      // Extended while its last step ran: there is more to do.
      if (status === 'completed' && JSON.stringify(own.input) !== JSON.stringify(run.input)) {
        await tx.execute(`UPDATE runs SET status = 'queued', owner = NULL, lease_until = NULL WHERE run_id = $1`, [
          run.run_id,
        ]);
        return;
      }
      await endRun(tx, own, { status, event, ...more }, this.options.onEnd);
    });
  }

  /** An outage says nothing about the run, so it is not counted; whatever else fails too often ends it. */
  private async retryLater(run: RunRow, error: unknown): Promise<void> {
    const counted = isOutage(error) ? 0 : 1;
    const attempts = run.attempts + counted;
    if (attempts >= ATTEMPTS_MAX) {
      await this.end(run, 'failed', { type: 'run.failed', data: FAILED_OFTEN }, { error: FAILED_OFTEN });
      return;
    }
    const pauseMs = RETRY_PAUSES_MS[Math.min(attempts, RETRY_PAUSES_MS.length - 1)]!;
    await this.options.database.withTenant(run.tenant_id, (tx) =>
      tx.execute(
        `UPDATE runs SET status = 'queued', owner = NULL, lease_until = NULL, attempts = $3,
                wake_at = now() + make_interval(secs => $4::float8 / 1000)
          WHERE run_id = $1 AND epoch = $2 AND status = 'running'`,
        [run.run_id, run.epoch, attempts, pauseMs],
      ),
    );
  }

  private beat(): void {
    const pausedMs = performance.now() - this.beatAt;
    this.beatAt = performance.now();
    // The event loop stood still for longer than a lease: one of the runs may have caused it, and it counts as if the
    // process had ended.
    if (pausedMs > this.leaseMs) {
      for (const { abort } of this.running.values()) abort.abort(new RunLost());
      for (const runId of this.running.keys()) this.probation.forget(runId);
      this.running.clear();
      return;
    }
    if (this.beating !== null || this.running.size === 0) return;
    this.beating = this.extendLeases()
      .catch((error: unknown) => this.options.onError(error, {}))
      .finally(() => {
        this.beating = null;
      });
  }

  private async extendLeases(): Promise<void> {
    const asked = [...this.running.values()];
    const held = await this.options.database.transaction((tx) =>
      tx.query<{ run_id: string; epoch: number }>(
        `UPDATE runs SET lease_until = now() + make_interval(secs => $2::float8 / 1000)
          WHERE owner = $1 AND status = 'running' AND run_id = ANY($3) RETURNING run_id, epoch`,
        [this.owner, this.leaseMs, asked.map(({ run }) => run.run_id)],
      ),
    );
    const epochs = new Map(held.map(({ run_id, epoch }) => [run_id, epoch]));
    for (const { run, abort } of asked) if (epochs.get(run.run_id) !== run.epoch) abort.abort(new RunLost());
  }
}
