import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { eventually, type TestDatabase } from '@cairn/testing';
import type { RunRow } from '../../src/ledger/run.ts';
import { createRun, findRun } from '../../src/ledger/run-store.ts';
import { ledgerDatabase, SCHEMA } from './schema.ts';

const TENANT = 'tnt_1';
const SETTLED_MS = 80_000;
const KINDS = ['kills', 'blocks'] as const;

/** One harmful run among quiet ones, with a replica and a database of their own. */
interface Trial {
  harmful: string;
  quiet: string[];
  database: TestDatabase;
  /** Times that the replica has died. */
  deaths(): number;
  close(): Promise<void>;
}

// Leases take seconds to expire, so both trials run at the same time.
let trials: Record<(typeof KINDS)[number], Trial>;
beforeAll(async () => {
  const [kills, blocks] = await Promise.all(KINDS.map(startTrial));
  trials = { kills: kills!, blocks: blocks! };
});
afterAll(() => Promise.all(Object.values(trials).map((trial) => trial.close())));

async function startTrial(kind: string): Promise<Trial> {
  const database = await ledgerDatabase();
  const begin = async (runId: string, runKind: string) => {
    await database.app.withTenant(TENANT, (tx) => createRun(tx, { tenantId: TENANT, runId, kind: runKind, input: {} }));
    return runId;
  };
  const replica = superviseReplica(database.workerUrl);
  const before = await Promise.all([1, 2, 3].map((number) => begin(`run_before_${number}`, 'quiet')));
  const harmful = await begin(`run_${kind}`, kind);
  const quiet = [...before, await begin('run_after', 'quiet')];
  return {
    harmful,
    quiet,
    database,
    deaths: replica.deaths,
    async close() {
      await replica.end();
      await database.close();
    },
  };
}

/** Restarts a replica that died, as a supervisor does. */
function superviseReplica(url: string): { deaths(): number; end(): Promise<void> } {
  let deaths = 0;
  let closing = false;
  let replica: ChildProcess;
  const start = () => {
    replica = fork(join(import.meta.dirname, 'stalling-process.ts'), [url, SCHEMA], { execArgv: [], stdio: 'inherit' });
    replica.once('exit', () => {
      if (closing) return;
      deaths += 1;
      start();
    });
  };
  start();
  return {
    deaths: () => deaths,
    async end() {
      closing = true;
      const exited = new Promise((resolve) => replica.once('exit', resolve));
      replica.kill('SIGKILL');
      await exited;
    },
  };
}

function ended({ database, harmful, quiet }: Trial): Promise<RunRow[]> {
  const runIds = [harmful, ...quiet];
  return eventually(
    () =>
      database.app.withTenant(TENANT, (tx) => Promise.all(runIds.map(async (runId) => (await findRun(tx, runId))!))),
    (runs) => runs.every(({ status }) => status === 'completed' || status === 'failed'),
    SETTLED_MS,
  );
}

describe('a run that harms its process', () => {
  it.each([
    ['ends it', 'kills', 3],
    ['blocks its event loop for longer than a lease', 'blocks', 0],
  ] as const)(
    'and %s fails after three times, while those beside it complete',
    async (_how, kind, deaths) => {
      const [harmful, ...others] = await ended(trials[kind]);
      expect(harmful).toMatchObject({ status: 'failed', stalls: 3, error: { code: 'stalled' } });
      expect(others.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed', 'completed']);
      expect(trials[kind].deaths()).toBe(deaths);
    },
    90_000,
  );
});
