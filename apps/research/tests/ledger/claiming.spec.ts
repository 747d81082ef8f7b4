import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { eventually, type TestDatabase } from '@cairn/testing';
import { createRun, findRun } from '../../src/ledger/run-store.ts';
import { type Runner, type RunnerOptions, type RunWork, startRunner } from '../../src/ledger/runner.ts';
import { ledgerDatabase, SCHEMA } from './schema.ts';

const TENANT = 'tnt_1';
let database: TestDatabase;
const runners: Runner[] = [];
beforeAll(async () => {
  database = await ledgerDatabase();
});
afterAll(async () => {
  await Promise.all(runners.map((runner) => runner.close()));
  await database.close();
});

/** Starts a process's runner for one kind of run. */
async function start(kind: string, work: RunWork, more: Partial<RunnerOptions> = {}): Promise<void> {
  const runner = await startRunner({
    database: database.worker,
    schema: SCHEMA,
    kinds: { [kind]: work },
    concurrencyMax: 10,
    onRunFinished: () => Promise.resolve(),
    completedEvent: () => ({ type: 'run.completed', data: {} }),
    onError: () => undefined,
    ...more,
  });
  runners.push(runner);
}

const begin = (kind: string, runId: string) =>
  database.app.withTenant(TENANT, (tx) => createRun(tx, { tenantId: TENANT, runId, kind, input: {} }));
const find = (runId: string) => database.app.withTenant(TENANT, async (tx) => (await findRun(tx, runId))!);

describe('a run', () => {
  it('is left to other processes by one that cannot begin it yet', async () => {
    const isReady = Promise.withResolvers<void>();
    const warm = jest.fn(() => isReady.promise);
    await start('early', async () => 'cold', { needs: { isWarm: () => false, warm } });
    expect(warm).not.toHaveBeenCalled();
    await begin('early', 'run_early');
    await eventually(() => warm.mock.calls.length > 0);
    expect((await find('run_early')).status).toBe('queued');
    await start('early', async () => 'other');
    const { result } = await eventually(
      () => find('run_early'),
      ({ status }) => status === 'completed',
    );
    expect(result).toBe('other');
    isReady.resolve();
  });

  it('of a burst is claimed when another has completed a step, so that other processes find some', async () => {
    for (let run = 1; run <= 6; run += 1) await begin('burst', `run_burst_${run}`);
    const others = Promise.withResolvers<void>();
    let begun = 0;
    const work: RunWork = (context) =>
      context.step('first', async () => {
        begun += 1;
        if (begun > 1) await others.promise;
        return { result: null };
      });
    await start('burst', work, { startingMs: 60_000 });
    await eventually(() => begun >= 5);
    expect(begun).toBe(5);
    others.resolve();
    await eventually(() => begun === 6);
  });
});
