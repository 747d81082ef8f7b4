import type { Tx } from '@cairn/postgres';
import type { MemoryScope } from '../../memories/memory-scope.ts';
import type { HealthFigures } from './measure-health.ts';
import type { HealthScore } from './score-health.ts';

/** How long history is kept. */
const HISTORY_DAYS = 400;
/** Changes that follow each other more closely are one row, which bounds the rows of a day. */
const CHANGES_APART_MINUTES = 10;

interface LastRow {
  assessed_at: Date;
  /** Exactly as the database has it, which a Date cannot hold. */
  assessed: string;
  score: number;
  parts: Record<string, { score: number; affected: number }>;
  documents: number;
  documents_added: number;
  documents_deleted: number;
  is_recent: boolean;
  is_of_today: boolean;
  /** Documents of now that came after it. */
  added: number;
}

/** Keeps an assessment when it says something new, or is the first of its day; what is too old is dropped. */
export async function recordHealth(
  tx: Tx,
  scope: MemoryScope,
  { documents }: HealthFigures,
  health: HealthScore,
): Promise<void> {
  const parts = Object.fromEntries(
    Object.entries(health.parts).map(([name, { score, affected }]) => [name, { score, affected }]),
  );
  const last = await lastRow(tx, scope);
  const added = last === null ? documents : Math.min(last.added, documents);
  const deleted = last === null ? 0 : Math.max(0, last.documents + added - documents);
  const same = last !== null && last.score === health.score && added + deleted === 0 && sameParts(last.parts, parts);
  if (same && last.is_of_today) return;
  const base = [scope.tenantId, scope.memoryId];
  const figures = [health.score, JSON.stringify(parts), documents];
  if (last !== null && last.is_recent && last.is_of_today) {
    await tx.execute(
      `UPDATE health_history SET assessed_at = now(), score = $3, parts = $4::jsonb, documents = $5,
              documents_added = documents_added + $6, documents_deleted = documents_deleted + $7
        WHERE tenant_id = $1 AND memory_id = $2 AND assessed_at = $8::timestamptz`,
      [...base, ...figures, added, deleted, last.assessed],
    );
    return;
  }
  await tx.execute(
    `INSERT INTO health_history (tenant_id, memory_id, assessed_at, score, parts, documents, documents_added, documents_deleted)
     VALUES ($1, $2, now(), $3, $4::jsonb, $5, $6, $7) ON CONFLICT DO NOTHING`,
    [...base, ...figures, added, deleted],
  );
  await tx.execute(
    `DELETE FROM health_history WHERE tenant_id = $1 AND memory_id = $2 AND assessed_at < now() - interval '${HISTORY_DAYS} days'`,
    base,
  );
}

async function lastRow(tx: Tx, scope: MemoryScope): Promise<LastRow | null> {
  const [row] = await tx.query<LastRow>(
    `SELECT last.*, assessed_at::text AS assessed, assessed_at > now() - interval '${CHANGES_APART_MINUTES} minutes' AS is_recent,
            (assessed_at AT TIME ZONE 'UTC')::date = (now() AT TIME ZONE 'UTC')::date AS is_of_today,
            (SELECT count(*)::int FROM documents AS document
              WHERE document.tenant_id = $1 AND document.memory_id = $2 AND document.created_at > last.assessed_at) AS added
       FROM (SELECT assessed_at, score, parts, documents, documents_added, documents_deleted FROM health_history
              WHERE tenant_id = $1 AND memory_id = $2 ORDER BY assessed_at DESC LIMIT 1) AS last`,
    [scope.tenantId, scope.memoryId],
  );
  return row ?? null;
}

/** The database orders the names in its own way. */
function sameParts(before: LastRow['parts'], now: LastRow['parts']): boolean {
  return Object.entries(now).every(
    ([name, { score, affected }]) => before[name]?.score === score && before[name].affected === affected,
  );
}
