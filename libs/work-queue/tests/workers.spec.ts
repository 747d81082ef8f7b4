import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Tx } from '@cairn/postgres';
import { eventually, type TestDatabase } from '@cairn/testing';
import { startWorkers } from '../src/index.ts';
import { addJobs, claimJobs, complete, type Job, queueDatabase } from './queue-fixture.ts';

const CHANNEL = 'work_queue_jobs';
const LONG_MS = 600_000;
let database: TestDatabase;
let workers: { close(): Promise<void> } | null = null;
const inTransaction = <T>(work: (tx: Tx) => Promise<T>) => database.worker.transaction(work);
beforeAll(async () => {
  database = await queueDatabase();
});
afterAll(() => database.close());
afterEach(async () => {
  await workers?.close();
  await inTransaction((tx) => tx.execute('DELETE FROM jobs'));
});

async function start(slots: number, pollMs: number, work: (job: Job) => Promise<void>): Promise<void> {
  workers = await startWorkers({
    database: database.worker,
    channel: CHANNEL,
    lanes: [
      {
        slots,
        async work() {
          const [job] = await inTransaction((tx) => claimJobs(tx));
          if (job === undefined) return false;
          await work(job);
          await inTransaction((tx) => complete(tx, job));
          return true;
        },
      },
    ],
    pollMs,
    failurePauseMs: 100,
    onError: () => undefined,
  });
}

const add = (count: number) => inTransaction((tx) => addJobs(tx, 'tnt_1', count));
const done = async () => (await inTransaction((tx) => tx.query('SELECT 1 FROM jobs WHERE done'))).length;

describe('a worker', () => {
  it('finds jobs that nothing announced, and those of a worker that died, by the next polls', async () => {
    await add(3);
    // A worker that claims and is never heard of again.
    await inTransaction((tx) => claimJobs(tx, { leaseMs: 1_500 }));
    await start(1, 100, async () => undefined);
    await eventually(async () => (await done()) === 3);
  });

  it('is woken by a notification, long before the next poll', async () => {
    await start(2, LONG_MS, async () => undefined);
    await inTransaction(async (tx) => {
      await addJobs(tx, 'tnt_1', 1);
      await tx.query(`SELECT pg_notify('${CHANNEL}', '')`);
    });
    await eventually(async () => (await done()) === 1);
  });

  it('does other jobs while one takes long, and continues after one that fails', async () => {
    const [slow, failing] = await add(6);
    const isOver = Promise.withResolvers<void>();
    let failures = 0;
    await start(2, 100, async (job) => {
      if (job.job_id === slow) await isOver.promise;
      if (job.job_id !== failing) return;
      failures += 1;
      throw new Error('the job fails');
    });
    await eventually(async () => (await done()) === 4);
    expect(failures).toBe(1);
    isOver.resolve();
    await eventually(async () => (await done()) === 5);
  });

  it('polls for all idle slots of its lane, which find jobs that nothing announced beside one another', async () => {
    let running = 0;
    let most = 0;
    const areOver = Promise.withResolvers<void>();
    await start(4, 400, async () => {
      most = Math.max(most, (running += 1));
      await areOver.promise;
    });
    await add(4);
    await eventually(() => most === 4);
    areOver.resolve();
    await eventually(async () => (await done()) === 4);
  });

  it('finishes the work in hand and claims nothing more when it is closed', async () => {
    const isBegun = Promise.withResolvers<void>();
    const isOver = Promise.withResolvers<void>();
    await add(2);
    await start(1, 100, () => {
      isBegun.resolve();
      return isOver.promise;
    });
    await isBegun.promise;
    const closed = workers!.close();
    isOver.resolve();
    await closed;
    expect(await done()).toBe(1);
  });
});
