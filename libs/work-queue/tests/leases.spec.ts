import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Tx } from '@cairn/postgres';
import { specCases, type TestDatabase } from '@cairn/testing';
import fc from 'fast-check';
import { addJobs, claimJobs, complete, endLeases, type Job, JOBS, queueDatabase } from './queue-fixture.ts';

const TENANT = 'tnt_1';
const SCHEDULES = specCases(40);
const WORKERS = 4;
let database: TestDatabase;
const inTransaction = <T>(work: (tx: Tx) => Promise<T>) => database.worker.transaction(work);
beforeAll(async () => {
  database = await queueDatabase();
});
afterAll(() => database.close());
afterEach(() =>
  inTransaction(async (tx) => {
    await tx.execute('DELETE FROM jobs');
    await tx.execute('DELETE FROM results');
  }),
);

const WRITES = {
  extend: (tx: Tx, job: Job) => JOBS.extend(tx, job, 60_000),
  hold: (tx: Tx, job: Job) => JOBS.hold(tx, job),
  update: (tx: Tx, job: Job) => JOBS.update(tx, job, 'attempts = $1', [0]),
  release: (tx: Tx, job: Job) => JOBS.update(tx, job, 'owner = NULL, lease_until = NULL'),
} as const;

const step = fc.record({
  worker: fc.integer({ min: 0, max: WORKERS - 1 }),
  action: fc.constantFrom('claim', 'expire', ...(Object.keys(WRITES) as (keyof typeof WRITES)[])),
});

describe('a lease', () => {
  it('lets only the last claim write, in every order of claims, expiries, extensions and releases', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 24 }), async (schedule) => {
        await inTransaction((tx) => tx.execute('DELETE FROM jobs'));
        await inTransaction((tx) => addJobs(tx, TENANT, 1));
        /** What each worker claimed last, whether or not it still holds it. */
        const claims = new Map<number, Job>();
        let holder: number | null = null;
        let isExpired = false;
        for (const { worker, action } of schedule) {
          if (action === 'expire') {
            await inTransaction(endLeases);
            isExpired = true;
          } else if (action === 'claim') {
            const [job] = await inTransaction((tx) => claimJobs(tx));
            expect(job !== undefined).toBe(holder === null || isExpired);
            if (job === undefined) continue;
            claims.set(worker, job);
            [holder, isExpired] = [worker, false];
          } else {
            const job = claims.get(worker);
            if (job === undefined) continue;
            expect(await inTransaction((tx) => WRITES[action](tx, job))).toBe(worker === holder);
            if (worker !== holder) continue;
            if (action === 'extend') isExpired = false;
            if (action === 'release') holder = null;
          }
        }
      }),
      { numRuns: SCHEDULES },
    );
  });

  it('cannot be taken over while its owner commits, and not be used afterwards', async () => {
    await inTransaction((tx) => addJobs(tx, TENANT, 1));
    const [first] = await inTransaction((tx) => claimJobs(tx, { leaseMs: 0 }));
    await inTransaction(async (tx) => {
      expect(await JOBS.hold(tx, first!)).toBe(true);
      expect(await inTransaction((other) => claimJobs(other))).toEqual([]);
    });
    const [second] = await inTransaction((tx) => claimJobs(tx));
    expect(second!.attempts).toBe(2);
    expect(await inTransaction((tx) => complete(tx, first!))).toBe(false);
    expect(await inTransaction((tx) => JOBS.delete(tx, first!))).toBe(false);
    expect(await inTransaction((tx) => JOBS.delete(tx, second!))).toBe(true);
  });

  it('has each job committed exactly once by workers that overrun their leases and take over from each other', async () => {
    const jobIds = await inTransaction((tx) => addJobs(tx, TENANT, 12));
    let lost = 0;
    const isLeft = async () => (await inTransaction((tx) => tx.query('SELECT 1 FROM jobs WHERE NOT done'))).length > 0;
    const work = async () => {
      while (await isLeft()) {
        const [job] = await inTransaction((tx) => claimJobs(tx, { leaseMs: 20 }));
        await sleep(Math.random() * 60);
        if (job !== undefined && !(await inTransaction((tx) => complete(tx, job)))) lost += 1;
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, work));
    const results = await inTransaction((tx) => tx.query<{ job_id: string }>('SELECT job_id FROM results'));
    expect(results.map(({ job_id }) => job_id).sort()).toEqual([...jobIds].sort());
    expect(lost).toBeGreaterThan(0);
  });
});
