import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { FOUNDATION_MIGRATIONS, type Tx } from '@cairn/postgres';
import { createTestDatabase, type TestDatabase } from '@cairn/testing';
import { type DueRows, leaseTable } from '../src/index.ts';

export interface Job {
  tenant_id: string;
  job_id: string;
  owner: string;
  attempts: number;
}

export const JOBS = leaseTable({ name: 'jobs', key: ['job_id'], owner: 'owner', until: 'lease_until' });

export function queueDatabase(): Promise<TestDatabase> {
  const tables = join(import.meta.dirname, 'tables');
  return createTestDatabase({ service: 'workqueue', migrations: [FOUNDATION_MIGRATIONS, tables] });
}

/** Adds jobs of a tenant and returns their ids in the order in which they are due. */
export async function addJobs(tx: Tx, tenantId: string, count: number): Promise<string[]> {
  const jobIds = Array.from({ length: count }, () => randomUUID());
  await tx.execute(
    `INSERT INTO jobs (tenant_id, job_id, due_at)
     SELECT $1, job_id, now() - interval '1 hour' + position * interval '1 second'
       FROM unnest($2::text[]) WITH ORDINALITY AS added (job_id, position)`,
    [tenantId, jobIds],
  );
  return jobIds;
}

/** Claims due jobs under a name of its own. */
export function claimJobs(
  tx: Tx,
  { owner = randomUUID(), leaseMs = 60_000, max = 1 }: { owner?: string; leaseMs?: number; max?: number } = {},
  rows: Partial<DueRows> = {},
): Promise<Job[]> {
  const due = { due: 'due_at <= now() AND NOT done', values: [], orderBy: 'due_at', set: 'attempts = attempts + 1' };
  return JOBS.claimDue<Job>(tx, { owner, leaseMs, max }, { ...due, ...rows });
}

/** Ends all leases, as if their time had passed. */
export async function endLeases(tx: Tx): Promise<void> {
  await tx.execute(`UPDATE jobs SET lease_until = now() - interval '1 second' WHERE lease_until IS NOT NULL`);
}

/** Commits the result of a job and completes it. False when the lease was lost. */
export async function complete(tx: Tx, job: Job): Promise<boolean> {
  if (!(await JOBS.hold(tx, job))) return false;
  await tx.execute('INSERT INTO results (tenant_id, job_id, owner) VALUES ($1, $2, $3)', [
    job.tenant_id,
    job.job_id,
    job.owner,
  ]);
  return JOBS.update(tx, job, 'done = true, owner = NULL, lease_until = NULL');
}
