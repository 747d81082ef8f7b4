import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tx } from '@cairn/postgres';
import { eventually, type TestDatabase } from '@cairn/testing';
import { startRunFeed } from '../../src/ledger/feed.ts';
import { RunFailure } from '../../src/ledger/run.ts';
import {
  createRun,
  endRun,
  extendRun,
  findRun,
  lockRun,
  type NewRun,
  readEvents,
  releaseRun,
  sendMessage,
} from '../../src/ledger/run-store.ts';
import { type Runner, type RunWork, startRunner } from '../../src/ledger/runner.ts';
import { ledgerDatabase, SCHEMA } from './schema.ts';

const TENANT = 'tnt_1';
let database: TestDatabase;
let count = 0;
const runners: Runner[] = [];
const ends: string[] = [];

beforeAll(async () => {
  database = await ledgerDatabase();
});
afterAll(async () => {
  await Promise.all(runners.map((runner) => runner.close()));
  await database.close();
});

const onRunFinished = async (_tx: unknown, run: { run_id: string }, status: string) => {
  ends.push(`${run.run_id} ${status}`);
};

/** Starts a runner for a unique kind, so that specs do not claim each other's runs. */
async function runnerFor(work: RunWork): Promise<string> {
  const kind = `kind_${(count += 1)}`;
  runners.push(
    await startRunner({
      database: database.worker,
      schema: SCHEMA,
      kinds: { [kind]: work },
      concurrencyMax: 10,
      onRunFinished,
      completedEvent: (_run, result) => ({ type: 'run.completed', data: { result } }),
      onError: () => undefined,
      leaseMs: 2_000,
    }),
  );
  return kind;
}

async function begin(kind: string, more: Partial<NewRun> = {}): Promise<string> {
  const runId = `run_${(count += 1)}`;
  await database.app.withTenant(TENANT, (tx) =>
    createRun(tx, { tenantId: TENANT, runId, kind, input: {}, events: [{ type: 'run.queued', data: {} }], ...more }),
  );
  return runId;
}

const read = (runId: string) =>
  database.app.withTenant(TENANT, async (tx) => ({
    run: (await findRun(tx, runId))!,
    types: (await readEvents(tx, runId, 0, 1_000)).map(({ type }) => type),
  }));
const until = (runId: string, status: string) =>
  eventually(
    () => read(runId),
    ({ run }) => run.status === status,
  );

describe('a run', () => {
  it('executes steps in parallel, stores each under its key, and logs them in one sequence', async () => {
    const kind = await runnerFor(async (context) => {
      const both = await Promise.all(
        ['x', 'y'].map((lane) =>
          context.step(`lane/${lane}`, async () => ({ result: lane, events: [{ type: 'lane', data: { lane } }] })),
        ),
      );
      return both.join('');
    });
    const runId = await begin(kind);
    const { run, types } = await until(runId, 'completed');
    expect(run.result).toBe('xy');
    expect(types.toSorted()).toEqual(['lane', 'lane', 'run.completed', 'run.queued', 'run.started']);
    expect(types.at(-1)).toBe('run.completed');
  });

  it('executes a step once that two branches reach at the same time', async () => {
    let worked = 0;
    const kind = await runnerFor(async (context) => {
      const shared = () =>
        context.step('shared', async () => {
          worked += 1;
          await sleep(50);
          return { result: worked };
        });
      return Promise.all([shared(), shared()]);
    });
    const { run } = await until(await begin(kind), 'completed');
    expect(run.result).toEqual([1, 1]);
  });

  it('that is held does nothing until it is released, and expires otherwise', async () => {
    const kind = await runnerFor(() => Promise.resolve('done'));
    const [released, left] = [await begin(kind, { heldForMs: 60_000 }), await begin(kind, { heldForMs: 1 })];
    await until(left, 'expired');
    expect((await read(left)).types.at(-1)).toBe('run.expired');
    expect((await read(released)).run.status).toBe('held');
    await database.app.withTenant(TENANT, async (tx) => releaseRun(tx, (await lockRun(tx, released))!, []));
    await until(released, 'completed');
    expect(ends).toEqual(expect.arrayContaining([`${left} expired`, `${released} completed`]));
  });

  it('is suspended while it waits for an answer, and resumes with it', async () => {
    const kind = await runnerFor((context) =>
      context.ask('q', () => ({ questionId: `qst_${context.runId}`, question: 'Which?', default: 'all' }), 60_000),
    );
    const runId = await begin(kind);
    const { run } = await until(runId, 'waiting');
    expect(run.owner).toBeNull();
    const send = (answer: string) =>
      database.app.withTenant(TENANT, (tx) => sendMessage(tx, runId, `qst_${runId}`, { answer }));
    expect(await send('this one')).toBe(true);
    expect(await send('another')).toBe(false);
    const ended = await until(runId, 'completed');
    expect(ended.run.result).toEqual({ answer: 'this one', assumed: false });
    expect(ended.types).toEqual([
      'run.queued',
      'run.started',
      'clarification.requested',
      'clarification.answered',
      'run.completed',
    ]);
  });

  it('takes the default when nobody answers in time', async () => {
    const kind = await runnerFor((context) =>
      context.ask('q', () => ({ questionId: 'qst_d', question: 'Which?', default: 'all' }), 300),
    );
    const { run } = await until(await begin(kind), 'completed');
    expect(run.result).toEqual({ answer: 'all', assumed: true });
  });

  it('ends at once when it is cancelled in the middle of a step, whose result comes too late', async () => {
    let begun = false;
    let aborted = false;
    const kind = await runnerFor((context) =>
      context.step('long', async (signal) => {
        begun = true;
        await sleep(60_000, undefined, { signal }).catch(() => {
          aborted = true;
        });
        return { result: 'late', events: [{ type: 'late', data: {} }] };
      }),
    );
    const runId = await begin(kind);
    // It is running from when it is claimed, before its first step.
    await eventually(() => begun);
    await database.app.withTenant(TENANT, async (tx) => {
      const run = (await lockRun(tx, runId))!;
      const end = { status: 'cancelled', event: { type: 'run.cancelled', data: {} } } as const;
      expect(await endRun(tx, run, end, onRunFinished)).toBe(true);
      expect(await endRun(tx, run, end, onRunFinished)).toBe(false);
    });
    expect((await read(runId)).run.status).toBe('cancelled');
    await eventually(() => aborted);
    await sleep(200);
    expect((await read(runId)).types).toEqual(['run.queued', 'run.started', 'run.cancelled']);
    expect(ends.filter((end) => end.startsWith(`${runId} `))).toEqual([`${runId} cancelled`]);
  });

  it('that fails for good reports why; other failures are retried', async () => {
    let tries = 0;
    const failing = await runnerFor(() => Promise.reject(new RunFailure('no_sources', 'Nothing can be read.')));
    const flaky = await runnerFor(async (context) => {
      tries += 1;
      await context.step('first', async () => ({ result: null }));
      if (tries < 3) throw new Error('a passing fault');
      return tries;
    });
    const [bad, good] = [await begin(failing), await begin(flaky)];
    expect((await until(bad, 'failed')).run.error).toEqual({ code: 'no_sources', message: 'Nothing can be read.' });
    expect((await until(good, 'completed')).run.result).toBe(3);
  });

  it('that ended can be extended, and its completed steps stay completed', async () => {
    const worked: string[] = [];
    const kind = await runnerFor(async (context) => {
      for (let n = 1; n <= Number(context.input['target']); n += 1)
        await context.step(`row/${n}`, async () => {
          worked.push(`row/${n}`);
          return { result: n };
        });
      return context.input['target'];
    });
    const runId = await begin(kind, { input: { target: 2, leg: 0 } });
    await until(runId, 'completed');
    await database.app.withTenant(TENANT, async (tx) =>
      extendRun(tx, (await lockRun(tx, runId))!, { target: 4, leg: 1 }, [{ type: 'run.queued', data: {} }]),
    );
    const { run } = await eventually(
      () => read(runId),
      (now) => now.run.result === 4,
    );
    expect(run.status).toBe('completed');
    expect(worked).toEqual(['row/1', 'row/2', 'row/3', 'row/4']);
  });

  it('is not seen by another tenant', async () => {
    const runId = await begin(await runnerFor(() => Promise.resolve(null)));
    await until(runId, 'completed');
    const seen = await database.app.withTenant('tnt_2', async (tx) => {
      const run = await findRun(tx, runId);
      return [run, await readEvents(tx, runId, 0, 10)];
    });
    expect(seen).toEqual([null, []]);
  });
});

describe('an owner that has lost a run', () => {
  it('writes nothing of a step any more, except what was spent', async () => {
    const gate = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const kind = await runnerFor((context) =>
      context.step('paid', async () => {
        started.resolve();
        await gate.promise;
        const record = (word: string) => (tx: Tx) =>
          tx.execute(`INSERT INTO run_messages (tenant_id, run_id, topic, body) VALUES ($1, $2, $3, '{}')`, [
            TENANT,
            context.runId,
            word,
          ]);
        return {
          result: 1,
          commit: async (tx) => void (await record('kept')(tx)),
          onDiscarded: async (tx) => void (await record('spent')(tx)),
        };
      }),
    );
    const runId = await begin(kind);
    await started.promise;
    await database.app.withTenant(TENANT, async (tx) => {
      const end = { status: 'cancelled', event: { type: 'run.cancelled', data: {} } } as const;
      await endRun(tx, (await lockRun(tx, runId))!, end, onRunFinished);
    });
    gate.resolve();
    const topics = () =>
      database.app.withTenant(TENANT, (tx) =>
        tx.query<{ topic: string }>('SELECT topic FROM run_messages WHERE run_id = $1', [runId]),
      );
    const written = await eventually(topics, (rows) => rows.length > 0);
    expect(written).toEqual([{ topic: 'spent' }]);
  });
});

describe('a run whose lease has ended again and again', () => {
  it('fails at the third stall, and completing a step resets the count', async () => {
    const kind = await runnerFor((context) => context.step('only', () => Promise.resolve({ result: 'done' })));
    const takenOver = (times: number) => (runId: string) =>
      database.worker.transaction((tx) =>
        tx.execute(
          `UPDATE runs SET status = 'running', owner = 'dead', epoch = 1, lease_until = now() - interval '1 s', stalls = $2
            WHERE run_id = $1`,
          [runId, times],
        ),
      );
    const [poison, unlucky] = [await begin(kind, { heldForMs: 60_000 }), await begin(kind, { heldForMs: 60_000 })];
    await Promise.all([takenOver(2)(poison), takenOver(1)(unlucky)]);
    expect((await until(poison, 'failed')).run.error?.code).toBe('stalled');
    expect((await until(unlucky, 'completed')).run.stalls).toBe(0);
  });
});

describe('a runner', () => {
  it('works on no more than its share of one tenant’s runs, so that others’ runs start', async () => {
    const gate = Promise.withResolvers<void>();
    const working: string[] = [];
    const kind = `kind_${(count += 1)}`;
    const runner = await startRunner({
      database: database.worker,
      schema: SCHEMA,
      kinds: {
        [kind]: async ({ tenantId }) => {
          working.push(tenantId);
          await gate.promise;
        },
      },
      concurrencyMax: 4,
      perTenantMax: 3,
      onRunFinished,
      completedEvent: () => ({ type: 'run.completed', data: {} }),
      onError: () => undefined,
    });
    runners.push(runner);
    const start = (tenantId: string) =>
      database.app.withTenant(tenantId, (tx) =>
        createRun(tx, { tenantId, runId: `run_${(count += 1)}`, kind, input: {} }),
      );
    for (let run = 0; run < 8; run += 1) await start('tnt_many');
    await eventually(() => working.length === 3);
    await start('tnt_few');
    await eventually(() => working.length === 4);
    expect(working.toSorted()).toEqual(['tnt_few', 'tnt_many', 'tnt_many', 'tnt_many']);
    expect(runner.active()).toHaveLength(4);
    gate.resolve();
    await eventually(() => working.length === 9);
  });

  it('that is closed releases its runs at once, without counting an attempt', async () => {
    const kind = `kind_${(count += 1)}`;
    let worked = 0;
    const start = () =>
      startRunner({
        database: database.worker,
        schema: SCHEMA,
        kinds: {
          [kind]: (context) =>
            context.step('long', async (signal) => {
              worked += 1;
              if (worked === 1) await sleep(60_000, undefined, { signal });
              return { result: worked };
            }),
        },
        concurrencyMax: 4,
        onRunFinished,
        completedEvent: () => ({ type: 'run.completed', data: {} }),
        onError: () => undefined,
      });
    const first = await start();
    const runId = await begin(kind);
    await eventually(() => worked === 1);
    await first.close();
    expect((await read(runId)).run).toMatchObject({ status: 'queued', owner: null, attempts: 0 });
    runners.push(await start());
    expect((await until(runId, 'completed')).run.result).toBe(2);
  });
});

describe('a feed', () => {
  it('wakes only followers of the run whose log has grown', async () => {
    const feed = await startRunFeed(database.app, SCHEMA);
    const gate = Promise.withResolvers<void>();
    const kind = await runnerFor(async () => {
      await gate.promise;
      return 1;
    });
    const [mine, other] = [await begin(kind), await begin(kind)];
    await until(mine, 'running');
    await until(other, 'running');
    let woken = 0;
    const unfollow = feed.follow('run_of_nobody', () => (woken += 100));
    feed.follow(mine, () => (woken += 1));
    gate.resolve();
    await eventually(() => woken % 100 > 0);
    expect(woken).toBeLessThan(100);
    unfollow();
    await feed.close();
  });
});
