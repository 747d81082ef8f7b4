import type { DocumentJobRow } from './job-store.ts';

export function presentJob(row: DocumentJobRow) {
  return {
    job_id: row.job_id,
    memory_id: row.memory_id,
    kind: row.kind,
    status: row.completed_at === null ? ('running' as const) : ('completed' as const),
    documents: row.documents,
    done: row.done,
    failed: row.failed,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    completed_at: row.completed_at?.toISOString() ?? null,
  };
}
