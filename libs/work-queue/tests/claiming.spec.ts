import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Tx } from '@cairn/postgres';
import { specCases, type TestDatabase } from '@cairn/testing';
import fc from 'fast-check';
import { addJobs, claimJobs, queueDatabase } from './queue-fixture.ts';

const TENANTS = ['tnt_1', 'tnt_2', 'tnt_3'];
let database: TestDatabase;
const inTransaction = <T>(work: (tx: Tx) => Promise<T>) => database.worker.transaction(work);
const clear = () => inTransaction((tx) => tx.execute('DELETE FROM jobs'));
beforeAll(async () => {
  database = await queueDatabase();
});
afterAll(() => database.close());
afterEach(clear);

const FAIR = { tenant: 'tenant_id', perTenantMax: 3 };

describe('a claim', () => {
  it('takes what is due for longest and nothing that is claimed, not due or done', async () => {
    const jobIds = await inTransaction((tx) => addJobs(tx, 'tnt_1', 5));
    await inTransaction(async (tx) => {
      await tx.execute(`UPDATE jobs SET due_at = now() + interval '1 hour' WHERE job_id = $1`, [jobIds[0]]);
      await tx.execute('UPDATE jobs SET done = true WHERE job_id = $1', [jobIds[1]]);
    });
    const claims: (string | undefined)[] = [];
    for (let round = 0; round < 4; round += 1) claims.push((await inTransaction((tx) => claimJobs(tx)))[0]?.job_id);
    expect(claims).toEqual([...jobIds.slice(2), undefined]);
  });

  it('takes each row once, however many workers claim at the same time', async () => {
    const amounts = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 2, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(amounts, fc.boolean(), async (amountOfEach, isFair) => {
        await clear();
        await inTransaction((tx) => addJobs(tx, 'tnt_1', 10));
        const rows = isFair ? { fair: FAIR } : {};
        const claimed = await Promise.all(
          amountOfEach.map((max) => inTransaction((tx) => claimJobs(tx, { max }, rows))),
        );
        const jobIds = claimed.flat().map(({ job_id }) => job_id);
        expect(new Set(jobIds).size).toBe(jobIds.length);
      }),
      { numRuns: specCases(20) },
    );
  });

  it('divides its rows among the tenants, however many each has waiting and whoever came first', async () => {
    const waiting = fc.tuple(...TENANTS.map(() => fc.integer({ min: 0, max: 12 })));
    await fc.assert(
      fc.asyncProperty(waiting, fc.integer({ min: 1, max: 9 }), async (counts, max) => {
        await clear();
        for (const [n, tenantId] of TENANTS.entries()) await inTransaction((tx) => addJobs(tx, tenantId, counts[n]!));
        const owner = randomUUID();
        const left = [...counts];
        const owned = TENANTS.map(() => 0);
        for (let round = 0; round < 3; round += 1) {
          for (const job of await inTransaction((tx) => claimJobs(tx, { owner, max }, { fair: FAIR }))) {
            owned[TENANTS.indexOf(job.tenant_id)]! += 1;
            left[TENANTS.indexOf(job.tenant_id)]! -= 1;
          }
          // A tenant has fewer than another only when the rows for it were used up, or by the last turn.
          for (const [n, rows] of owned.entries()) {
            expect(rows).toBeLessThanOrEqual(FAIR.perTenantMax);
            if (left[n]! > 0) expect(rows).toBeGreaterThanOrEqual(Math.max(...owned) - 1);
          }
        }
      }),
      { numRuns: specCases(20) },
    );
  });
});
