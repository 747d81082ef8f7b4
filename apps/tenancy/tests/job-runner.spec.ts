import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { newId } from '@cairn/contracts';
import { createTestDatabase, eventually, type TestDatabase } from '@cairn/testing';
import pino from 'pino';
import { type JobDefinition, startJobRunner } from '../src/jobs/job-runner.ts';
import { MIGRATIONS } from '../src/migrate.ts';
import { JOBS_CHANNEL, startJob } from '../src/stores/job-store.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ service: 'tenancy', migrations: MIGRATIONS });
});
afterAll(() => database.close());

const NONE: JobDefinition = { steps: {} };

function runnerOf(eraseTenant: JobDefinition) {
  return startJobRunner({
    database: database.worker,
    logger: pino({ level: 'silent' }),
    definitions: {
      provisionMemory: NONE,
      moveMemory: NONE,
      eraseMemory: NONE,
      eraseSpace: NONE,
      eraseWorkspace: NONE,
      eraseTenant,
    },
  });
}

describe('a job whose lease ran out during a step', () => {
  it('belongs to the worker that claimed it then, also in the same process: the first one’s result is not recorded', async () => {
    const events: string[] = [];
    let releaseFirst: () => void = () => undefined;
    const firstReleased = new Promise<void>((resolve) => {
      releaseFirst = resolve;
    });
    const runner = await runnerOf({
      steps: {
        begin: async () => {
          events.push('begin');
          if (events.length > 1) return { next: 'rest' };
          await firstReleased;
          return { next: 'overtaken', commit: async () => void events.push('recorded') };
        },
        rest: async (_job, signal) => {
          events.push('rest');
          await once(signal, 'abort');
          throw new Error('the runner is closed');
        },
        overtaken: async () => ({ done: true }),
      },
    });
    const tenantId = newId('tenant');
    await database.worker.transaction((tx) => startJob(tx, { tenantId, kind: 'eraseTenant', subjectId: tenantId }));
    await eventually(() => events.includes('begin'));
    // Repeated, because the first worker renews its lease.
    await eventually(async () => {
      if (!events.includes('rest')) await endFirstLease();
      return events.includes('rest');
    });
    releaseFirst();
    await runner.close();
    const jobs = await database.worker.transaction((tx) => tx.query('SELECT step FROM jobs'));
    expect([events, jobs]).toEqual([['begin', 'begin', 'rest'], [{ step: 'rest' }]]);
  });
});

async function endFirstLease(): Promise<void> {
  await database.worker.transaction(async (tx) => {
    await tx.execute("UPDATE jobs SET lease_until = now() - interval '1 second' WHERE step = 'begin' AND attempts = 1");
    await tx.query(`SELECT pg_notify('${JOBS_CHANNEL}', '')`);
  });
}
