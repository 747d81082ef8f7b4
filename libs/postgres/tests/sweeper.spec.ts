import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@cairn/testing';
import { FOUNDATION_MIGRATIONS, sweepExpired } from '../src/index.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ service: 'notes', migrations: [FOUNDATION_MIGRATIONS] });
});
afterAll(() => database.close());

it('deletes answers older than a day and marks older than a month, and nothing younger', async () => {
  await database.worker.transaction(async (tx) => {
    for (const [key, age] of [
      ['old', '25 hours'],
      ['young', '23 hours'],
    ]) {
      await tx.execute(
        `INSERT INTO idempotency_keys (tenant_id, operation, key, body_sha256, status, answer, created_at)
         VALUES ('tnt_1', 'op', $1, '', 200, '{}', now() - $2::interval)`,
        [key, age],
      );
    }
    for (const [event, age] of [
      ['old', '31 days'],
      ['young', '29 days'],
    ]) {
      await tx.execute("INSERT INTO inbox (consumer, event_id, handled_at) VALUES ('c', $1, now() - $2::interval)", [
        event,
        age,
      ]);
    }
  });
  await sweepExpired(database.worker);
  const left = await database.worker.transaction(async (tx) => [
    await tx.query('SELECT key FROM idempotency_keys'),
    await tx.query('SELECT event_id FROM inbox'),
  ]);
  expect(left).toEqual([[{ key: 'young' }], [{ event_id: 'young' }]]);
});
