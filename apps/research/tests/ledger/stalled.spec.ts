import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { eventually, type TestDatabase } from '@cairn/testing';
import type { RunRow } from '../../src/ledger/run.ts';
import { createRun, findRun } from '../../src/ledger/run-store.ts';
import { ledgerDatabase, SCHEMA } from './schema.ts';

const TENANT = 'tnt_1';
const SETTLED_MS = 60_000;

let database: TestDatabase;
let replica: ChildProcess;
/** Times that the replica has died. */
let deaths = 0;
let closing = false;

beforeAll(async () => {
  database = await ledgerDatabase();
  start();
});
afterAll(async () => {
  closing = true;
  replica.kill('SIGKILL');
  await database.close();
});

/** Restarts a replica that died, as a supervisor does. */
function start(): void {
  replica = fork(join(import.meta.dirname, 'stalling-process.ts'), [database.workerUrl, SCHEMA], {
    execArgv: [],
    stdio: 'inherit',
  });
  replica.once('exit', () => {
    if (closing) return;
    deaths += 1;
    start();
  });
}

async function begin(name: string, kind: string): Promise<string> {
  const runId = `run_${name}`;
  await database.app.withTenant(TENANT, (tx) => createRun(tx, { tenantId: TENANT, runId, kind, input: {} }));
  return runId;
}

function ended(runIds: readonly string[]): Promise<RunRow[]> {
  return eventually(
    () =>
      database.app.withTenant(TENANT, (tx) => Promise.all(runIds.map(async (runId) => (await findRun(tx, runId))!))),
    (runs) => runs.every(({ status }) => status === 'completed' || status === 'failed'),
    SETTLED_MS,
  );
}

describe('a run that harms its process', () => {
  it.each([
    ['ends it', 'kills'],
    ['blocks its event loop for longer than a lease', 'blocks'],
  ])(
    'and %s fails after three times, while those beside it complete',
    async (_how, kind) => {
      const deathsBefore = deaths;
      const quiet = await Promise.all([1, 2, 3].map((number) => begin(`${kind}_before_${number}`, 'quiet')));
      const poison = await begin(kind, kind);
      quiet.push(await begin(`${kind}_after`, 'quiet'));
      const [harmful, ...others] = await ended([poison, ...quiet]);
      expect(harmful).toMatchObject({ status: 'failed', stalls: 3, error: { code: 'stalled' } });
      expect(others.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed', 'completed']);
      expect(deaths - deathsBefore).toBe(kind === 'kills' ? 3 : 0);
    },
    90_000,
  );
});
