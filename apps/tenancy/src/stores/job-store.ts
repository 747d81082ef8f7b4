import { newId } from '@cairn/contracts';
import type { Tx } from '@cairn/postgres';

export const JOBS_CHANNEL = 'tenancy_jobs';

const JOB_KINDS = [
  'provisionMemory',
  'moveMemory',
  'eraseMemory',
  'eraseSpace',
  'eraseWorkspace',
  'eraseTenant',
] as const;
export type JobKind = (typeof JOB_KINDS)[number];
/** The step that a job of any kind begins with. */
const FIRST_STEP = 'begin';

export interface JobRow {
  tenant_id: string;
  job_id: string;
  kind: JobKind;
  subject_id: string;
  detail: Record<string, unknown>;
  step: string;
  attempts: number;
  error: string | null;
}

/** Enqueues a job in the transaction that makes it necessary. One job of a kind for each subject: a repeat does nothing. */
export async function startJob(
  tx: Tx,
  job: { tenantId: string; kind: JobKind; subjectId: string; detail?: Record<string, unknown> },
): Promise<void> {
  await tx.execute(
    `INSERT INTO jobs (tenant_id, job_id, kind, subject_id, detail, step) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (kind, subject_id) DO NOTHING`,
    [job.tenantId, newId('job'), job.kind, job.subjectId, JSON.stringify(job.detail ?? {}), FIRST_STEP],
  );
  await tx.query(`SELECT pg_notify('${JOBS_CHANNEL}', '')`);
}

/** Claims one due job for `owner` until the lease expires; others skip it. Needs the worker role. */
export async function claimJob(tx: Tx, claim: { owner: string; leaseMs: number }): Promise<JobRow | null> {
  const rows = await tx.query<JobRow>(
    `UPDATE jobs SET owner = $1, lease_until = now() + make_interval(secs => $2::float8 / 1000), attempts = attempts + 1
      WHERE job_id = (SELECT job_id FROM jobs
                       WHERE due_at <= now() AND (lease_until IS NULL OR lease_until < now())
                       ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING *`,
    [claim.owner, claim.leaseMs],
  );
  return rows[0] ?? null;
}

/** Renews the lease; false when another owner has claimed the job. */
export async function renewLease(tx: Tx, jobId: string, claim: { owner: string; leaseMs: number }): Promise<boolean> {
  const updated = await tx.execute(
    `UPDATE jobs SET lease_until = now() + make_interval(secs => $3::float8 / 1000) WHERE job_id = $1 AND owner = $2`,
    [jobId, claim.owner, claim.leaseMs],
  );
  return updated > 0;
}

/** Moves the job to a step if `owner` still has the lease; false when another owner has claimed it. */
export async function moveJob(
  tx: Tx,
  job: Pick<JobRow, 'job_id'>,
  move: { owner: string; step: string; attempts: number; error: string | null; waitMs: number | null },
): Promise<boolean> {
  const updated = await tx.execute(
    `UPDATE jobs SET step = $3, attempts = $4, error = $5,
            owner = CASE WHEN $6::float8 IS NULL THEN owner END,
            lease_until = CASE WHEN $6::float8 IS NULL THEN lease_until END,
            due_at = now() + make_interval(secs => coalesce($6::float8, 0) / 1000)
      WHERE job_id = $1 AND owner = $2`,
    [job.job_id, move.owner, move.step, move.attempts, move.error, move.waitMs],
  );
  return updated > 0;
}

/** Jobs that move memories, oldest first; of one memory, or of all. Needs the worker role. */
export async function listMoveJobs(tx: Tx, memoryId: string | null): Promise<JobRow[]> {
  return tx.query<JobRow>(
    `SELECT * FROM jobs WHERE kind = 'moveMemory' AND ($1::text IS NULL OR subject_id = $1) ORDER BY created_at, job_id`,
    [memoryId],
  );
}

/** Has a move given up at its next step, unless it was handed over by then; false when the memory does not move. */
export async function cancelMove(tx: Tx, memoryId: string): Promise<boolean> {
  const updated = await tx.execute(
    `UPDATE jobs SET detail = detail || '{"cancelled": true}' WHERE kind = 'moveMemory' AND subject_id = $1`,
    [memoryId],
  );
  return updated > 0;
}

/** Deletes a finished job if `owner` still has the lease. */
export async function deleteJob(tx: Tx, job: Pick<JobRow, 'job_id'>, owner: string): Promise<boolean> {
  return (await tx.execute('DELETE FROM jobs WHERE job_id = $1 AND owner = $2', [job.job_id, owner])) > 0;
}
