import { newId } from '@cairn/contracts';
import type { Tx } from '@cairn/postgres';
import { leaseTable } from '@cairn/work-queue';

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
  /** The claim that works on it; each has a name of its own. */
  owner: string | null;
}

export const JOBS = leaseTable({ name: 'jobs', key: ['job_id'], owner: 'owner', until: 'lease_until' });

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

/** Claims the job that is due for longest; null when none is. Needs the worker role. */
export async function claimJob(tx: Tx, claim: { owner: string; leaseMs: number }): Promise<JobRow | null> {
  const due = { due: 'due_at <= now()', values: [], orderBy: 'due_at', set: 'attempts = attempts + 1' };
  const rows = await JOBS.claimDue<JobRow>(tx, { ...claim, max: 1 }, due);
  return rows[0] ?? null;
}

/** Moves the job to a step, and releases it when it waits. False when its lease was lost. */
export async function moveJob(
  tx: Tx,
  job: JobRow,
  move: { step: string; attempts: number; error: string | null; waitMs: number | null },
): Promise<boolean> {
  const set = `step = $1, attempts = $2, error = $3, owner = CASE WHEN $4::float8 IS NULL THEN owner END,
    lease_until = CASE WHEN $4::float8 IS NULL THEN lease_until END,
    due_at = now() + make_interval(secs => coalesce($4::float8, 0) / 1000)`;
  return JOBS.update(tx, job, set, [move.step, move.attempts, move.error, move.waitMs]);
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
