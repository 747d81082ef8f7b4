import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Database } from '@cairn/postgres';
import { createTestDatabase, type TestDatabase } from '@cairn/testing';
import pino from 'pino';
import { MIGRATIONS } from '../src/migrate.ts';
import { checkNightly } from '../src/rollups/check-nightly.ts';

const NIGHT = new Date('2026-11-25T02:30:00Z');

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ service: 'usage', migrations: MIGRATIONS });
});
afterAll(() => database.close());

it('the nightly check is done again when it failed or was killed, and once it has ended no more', async () => {
  const { worker } = database;
  let compared = 0;
  let isBroken = true;
  const maintenanceDatabase: Database = Object.assign(Object.create(worker) as Database, {
    transaction: (...given: Parameters<Database['transaction']>) => {
      compared += 1;
      return isBroken ? Promise.reject(new Error('terminating connection')) : worker.transaction(...given);
    },
  });
  const check = () =>
    checkNightly({ workerDatabase: worker, maintenanceDatabase, now: () => NIGHT, logger: pino({ level: 'silent' }) });
  await expect(check()).rejects.toThrow('terminating connection');
  // Another replica is at it.
  await worker.transaction((tx) => tx.execute("INSERT INTO rollup_checks (night) VALUES ('2026-11-25')"));
  isBroken = false;
  compared = 0;
  await check();
  expect(compared).toBe(0);
  // It was killed.
  await worker.transaction((tx) => tx.execute("UPDATE rollup_checks SET begun_at = now() - interval '3 hours'"));
  await check();
  expect(compared).toBeGreaterThan(0);
  compared = 0;
  await worker.transaction((tx) => tx.execute("UPDATE rollup_checks SET begun_at = now() - interval '3 hours'"));
  await check();
  expect(compared).toBe(0);
});
