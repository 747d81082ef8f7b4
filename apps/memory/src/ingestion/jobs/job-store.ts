import { sqlBuilder, type Tx } from '@cairn/postgres';
import type { DocumentStatus } from '../../documents/document-store.ts';
import type { MemoryScope } from '../../memories/memory-scope.ts';
import type { Visibility } from '../../memories/visibility.ts';
import { isSettled } from '../../memories/moving-memories.ts';

export const JOBS_CHANNEL = 'memory_document_jobs';
const RETENTION_DAYS = 7;
/** All of a job by ids, and the first ones of a job by a filter. */
const PROBLEMS_MAX = 1_000;
const SWEPT_AT_ONCE = 500;

export type ProblemCode = 'not_found' | 'not_failed' | 'content_not_kept' | 'duplicate' | 'internal';

export interface Problem {
  doc_id: string;
  code: ProblemCode;
  message: string;
}

/** Conditions of the list of documents, as they were asked for. */
export interface StoredFilter {
  status?: DocumentStatus[] | undefined;
  external_id?: string | undefined;
  query?: string | undefined;
  needs_review?: boolean | undefined;
}

export interface DocumentJobRow {
  tenant_id: string;
  memory_id: string;
  job_id: string;
  /** Of the space that the job is about; null for the whole memory. */
  vault_id: string | null;
  kind: 'delete' | 'retry';
  /** In order; null for a job by a filter. */
  doc_ids: string[] | null;
  filter: StoredFilter | null;
  up_to: string;
  position: string;
  documents: number;
  done: number;
  failed: number;
  attempts: number;
  created_at: Date;
  updated_at: Date;
  completed_at: Date | null;
}

type NewDocumentJob = Pick<
  DocumentJobRow,
  'job_id' | 'vault_id' | 'kind' | 'doc_ids' | 'filter' | 'up_to' | 'documents'
>;

export async function insertJob(tx: Tx, scope: MemoryScope, job: NewDocumentJob): Promise<DocumentJobRow> {
  const rows = await tx.query<DocumentJobRow>(
    `INSERT INTO document_jobs (tenant_id, memory_id, job_id, vault_id, kind, doc_ids, filter, up_to, documents)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING *`,
    [
      scope.tenantId,
      scope.memoryId,
      job.job_id,
      job.vault_id,
      job.kind,
      job.doc_ids,
      job.filter === null ? null : JSON.stringify(job.filter),
      job.up_to,
      job.documents,
    ],
  );
  await tx.query(`SELECT pg_notify('${JOBS_CHANNEL}', '')`);
  return rows[0]!;
}

export async function countRunningJobs(tx: Tx, scope: MemoryScope): Promise<number> {
  const rows = await tx.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM document_jobs WHERE tenant_id = $1 AND memory_id = $2 AND completed_at IS NULL',
    [scope.tenantId, scope.memoryId],
  );
  return rows[0]!.n;
}

export async function findJob(tx: Tx, scope: MemoryScope, jobId: string): Promise<DocumentJobRow | null> {
  const rows = await tx.query<DocumentJobRow>(
    'SELECT * FROM document_jobs WHERE tenant_id = $1 AND memory_id = $2 AND job_id = $3',
    [scope.tenantId, scope.memoryId, jobId],
  );
  return rows[0] ?? null;
}

interface JobFilter {
  kind: DocumentJobRow['kind'] | undefined;
  status: 'running' | 'completed' | undefined;
  /** Only jobs that were made before this one; empty: from the newest on. */
  before: string;
  /** Null: all of them. */
  fetch: number | null;
}

/** The newest first. */
export async function listJobRows(
  tx: Tx,
  { tenantId, memoryId }: MemoryScope,
  { vaults, hidden }: Visibility,
  filter: JobFilter,
): Promise<DocumentJobRow[]> {
  const query = sqlBuilder('document_jobs')
    .select('*')
    .where({ tenant_id: tenantId, memory_id: memoryId })
    .whereRaw('(vault_id IS NULL OR vault_id <> ALL(?::text[]))', [hidden])
    .orderBy('job_id', 'desc');
  if (vaults !== null) query.whereRaw('vault_id = ANY(?::text[])', [vaults]);
  if (filter.kind !== undefined) query.where('kind', filter.kind);
  if (filter.status === 'running') query.whereNull('completed_at');
  if (filter.status === 'completed') query.whereNotNull('completed_at');
  if (filter.before !== '') query.where('job_id', '<', filter.before);
  if (filter.fetch !== null) query.limit(filter.fetch);
  return tx.run<DocumentJobRow>(query);
}

export async function problemsOf(tx: Tx, scope: MemoryScope, jobId: string): Promise<Problem[]> {
  return tx.query<Problem>(
    `SELECT doc_id, code, message FROM document_job_problems
      WHERE tenant_id = $1 AND memory_id = $2 AND job_id = $3 ORDER BY doc_id LIMIT $4`,
    [scope.tenantId, scope.memoryId, jobId, PROBLEMS_MAX],
  );
}

/** Jobs with a step to do, over all tenants; the one that has waited longest comes first. */
export async function dueJobs(
  tx: Tx,
  max: number,
): Promise<Pick<DocumentJobRow, 'tenant_id' | 'memory_id' | 'job_id'>[]> {
  return tx.query(
    `SELECT tenant_id, memory_id, job_id FROM document_jobs AS job
      WHERE completed_at IS NULL AND due_at <= now() AND ${isSettled('job')} ORDER BY due_at, job_id LIMIT $1`,
    [max],
  );
}

/** The job, held until the transaction ends, so that no other replica does the same step; null when one does, or did. */
export async function holdDueJob(tx: Tx, scope: MemoryScope, jobId: string): Promise<DocumentJobRow | null> {
  const rows = await tx.query<DocumentJobRow>(
    `SELECT * FROM document_jobs
      WHERE tenant_id = $1 AND memory_id = $2 AND job_id = $3 AND completed_at IS NULL AND due_at <= now()
        FOR UPDATE SKIP LOCKED`,
    [scope.tenantId, scope.memoryId, jobId],
  );
  return rows[0] ?? null;
}

/** What a step did. */
export interface StepOutcome {
  done: number;
  problems: Problem[];
  position: string;
  isLast: boolean;
}

/** Records a step in the transaction that did it, so that none counts twice. */
export async function saveStep(tx: Tx, job: DocumentJobRow, { done, problems, ...step }: StepOutcome): Promise<void> {
  const key = [job.tenant_id, job.memory_id, job.job_id];
  const room = Math.max(0, PROBLEMS_MAX - job.failed);
  const listed = problems.slice(0, room);
  if (listed.length > 0)
    await tx.execute(
      `INSERT INTO document_job_problems (tenant_id, memory_id, job_id, doc_id, code, message)
       SELECT $1, $2, $3, * FROM unnest($4::text[], $5::text[], $6::text[])`,
      [...key, listed.map((each) => each.doc_id), listed.map((each) => each.code), listed.map((each) => each.message)],
    );
  await tx.execute(
    `UPDATE document_jobs SET position = $4, done = done + $5, failed = failed + $6, attempts = 0,
            due_at = clock_timestamp(), updated_at = now(), completed_at = CASE WHEN $7 THEN now() END
      WHERE tenant_id = $1 AND memory_id = $2 AND job_id = $3`,
    [...key, step.position, done, problems.length, step.isLast],
  );
}

/** Has the job wait; `failed` counts against the step that comes next. */
export async function postponeJob(
  tx: Tx,
  job: Pick<DocumentJobRow, 'tenant_id' | 'memory_id' | 'job_id'>,
  { delayMs, failed }: { delayMs: number; failed: boolean },
): Promise<void> {
  await tx.execute(
    `UPDATE document_jobs SET due_at = now() + make_interval(secs => $4::float8 / 1000), attempts = attempts + $5
      WHERE tenant_id = $1 AND memory_id = $2 AND job_id = $3`,
    [job.tenant_id, job.memory_id, job.job_id, delayMs, failed ? 1 : 0],
  );
}

/** Deletes jobs that ended long ago. True when there may be more. */
export async function sweepJobs(tx: Tx): Promise<boolean> {
  const swept = await tx.execute(
    `DELETE FROM document_jobs WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM document_jobs WHERE completed_at < now() - make_interval(days => $1) LIMIT $2))`,
    [RETENTION_DAYS, SWEPT_AT_ONCE],
  );
  return swept === SWEPT_AT_ONCE;
}
