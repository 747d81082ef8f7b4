import { sqlBuilder, type Tx } from '@cairn/postgres';
import { RETENTION_DAYS_DEFAULT } from '@cairn/contracts';
import type { MemoryScope } from '../../memories/memory-scope.ts';
import type { Visibility } from '../../memories/visibility.ts';

export interface SearchLogRow {
  memory_id: string;
  search_id: string;
  space_id: string | null;
  asked_at: Date;
  question: string;
  answered: boolean;
  generated: boolean;
  confidence: number;
  citations: { doc_id: string; chunk_id: string }[];
  took_ms: number;
  credential_id: string;
  helpful: boolean | null;
  comment: string | null;
  rated_at: Date | null;
}

/** A search as it is kept at first, in a vault. */
export type NewSearch = Omit<SearchLogRow, 'memory_id' | 'helpful' | 'comment' | 'rated_at'> & { vault_id: string };

interface SearchLogSettings {
  enabled: boolean;
  keep_days: number;
}

interface SearchFilter {
  unanswered?: boolean | undefined;
  /** Null: not rated. */
  helpful?: boolean | null | undefined;
  since?: string | undefined;
  until?: string | undefined;
  /** Only searches before this one; empty for all. */
  before: string;
  fetch: number | null;
}

const SWEPT_AT_ONCE = 500;
const COLUMNS =
  'memory_id, search_id, space_id, asked_at, question, answered, generated, confidence, citations, took_ms, credential_id, helpful, comment, rated_at';
const IS_STORED = `EXISTS (SELECT 1 FROM search_log_settings AS s
   WHERE s.tenant_id = search_log.tenant_id AND s.memory_id = search_log.memory_id
     AND search_log.asked_at > now() - make_interval(days => s.keep_days))`;

export async function readSettings(tx: Tx, scope: MemoryScope): Promise<SearchLogSettings> {
  const rows = await tx.query<SearchLogSettings>(
    'SELECT enabled, keep_days FROM search_log_settings WHERE tenant_id = $1 AND memory_id = $2',
    [scope.tenantId, scope.memoryId],
  );
  return rows[0] ?? { enabled: false, keep_days: RETENTION_DAYS_DEFAULT };
}

/** Changes what is given; what is not stays as it is, also under changes at the same time. */
export async function saveSettings(
  tx: Tx,
  scope: MemoryScope,
  change: { enabled?: boolean | undefined; keep_days?: number | undefined },
): Promise<SearchLogSettings> {
  const rows = await tx.query<SearchLogSettings>(
    `INSERT INTO search_log_settings AS s (tenant_id, memory_id, enabled, keep_days)
     VALUES ($1, $2, coalesce($3, false), coalesce($4, ${RETENTION_DAYS_DEFAULT}))
     ON CONFLICT (tenant_id, memory_id) DO UPDATE
       SET enabled = coalesce($3, s.enabled), keep_days = coalesce($4, s.keep_days), updated_at = now()
     RETURNING enabled, keep_days`,
    [scope.tenantId, scope.memoryId, change.enabled ?? null, change.keep_days ?? null],
  );
  return rows[0]!;
}

/** Keeps a search, unless its memory keeps none any more. */
export async function insertSearch(tx: Tx, scope: MemoryScope, search: NewSearch): Promise<void> {
  await tx.execute(
    `INSERT INTO search_log (tenant_id, memory_id, search_id, vault_id, space_id, asked_at, question, answered,
                             generated, confidence, citations, took_ms, credential_id)
     SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13
      WHERE EXISTS (SELECT 1 FROM search_log_settings WHERE tenant_id = $1 AND memory_id = $2 AND enabled)`,
    [
      scope.tenantId,
      scope.memoryId,
      search.search_id,
      search.vault_id,
      search.space_id,
      search.asked_at,
      search.question,
      search.answered,
      search.generated,
      search.confidence,
      JSON.stringify(search.citations),
      search.took_ms,
      search.credential_id,
    ],
  );
}

/** The newest first. */
export async function listSearchRows(
  tx: Tx,
  scope: MemoryScope,
  visible: Visibility,
  filter: SearchFilter,
): Promise<SearchLogRow[]> {
  const query = visibleSearches(scope, visible).orderBy('search_id', 'desc');
  if (filter.before !== '') query.where('search_id', '<', filter.before);
  if (filter.unanswered !== undefined) query.where('answered', !filter.unanswered);
  if (filter.helpful === null) query.whereNull('helpful');
  else if (filter.helpful !== undefined) query.where('helpful', filter.helpful);
  if (filter.since !== undefined) query.where('asked_at', '>=', filter.since);
  if (filter.until !== undefined) query.where('asked_at', '<', filter.until);
  if (filter.fetch !== null) query.limit(filter.fetch);
  return tx.run<SearchLogRow>(query);
}

export async function findSearch(
  tx: Tx,
  scope: MemoryScope,
  visible: Visibility,
  searchId: string,
): Promise<SearchLogRow | null> {
  const rows = await tx.run<SearchLogRow>(visibleSearches(scope, visible).where('search_id', searchId));
  return rows[0] ?? null;
}

function visibleSearches({ tenantId, memoryId }: MemoryScope, { vaults, hidden }: Visibility) {
  const query = sqlBuilder('search_log')
    .select(sqlBuilder.raw(COLUMNS))
    .where({ tenant_id: tenantId, memory_id: memoryId })
    .whereRaw(IS_STORED)
    .whereRaw('vault_id <> ALL(?::text[])', [hidden]);
  if (vaults !== null) query.whereRaw('vault_id = ANY(?::text[])', [vaults]);
  return query;
}

/** Keeps what was said last. */
export async function saveFeedback(
  tx: Tx,
  scope: MemoryScope,
  searchId: string,
  feedback: { helpful: boolean; comment: string | null },
): Promise<SearchLogRow | null> {
  const rows = await tx.query<SearchLogRow>(
    `UPDATE search_log SET helpful = $4, comment = $5, rated_at = now()
      WHERE tenant_id = $1 AND memory_id = $2 AND search_id = $3 RETURNING ${COLUMNS}`,
    [scope.tenantId, scope.memoryId, searchId, feedback.helpful, feedback.comment],
  );
  return rows[0] ?? null;
}

/** Deletes what was kept long enough, of all tenants. True when there may be more. */
export async function sweepSearches(tx: Tx): Promise<boolean> {
  const swept = await tx.execute(
    `DELETE FROM search_log WHERE ctid = ANY (ARRAY(
       SELECT old.place FROM search_log_settings AS s CROSS JOIN LATERAL (
         SELECT l.ctid AS place FROM search_log AS l
          WHERE l.tenant_id = s.tenant_id AND l.memory_id = s.memory_id
            AND l.asked_at <= now() - make_interval(days => s.keep_days)
          LIMIT $1) AS old
        LIMIT $1))`,
    [SWEPT_AT_ONCE],
  );
  return swept === SWEPT_AT_ONCE;
}
