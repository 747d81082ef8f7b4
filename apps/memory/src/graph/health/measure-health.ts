import type { Tx } from '@cairn/postgres';
import { inVaults, type Visibility } from '../../memories/visibility.ts';
import type { MemoryScope } from '../../memories/memory-scope.ts';

/** What a memory's health is made of: how much there is, and how much of it is wrong. */
export interface HealthFigures {
  documents: number;
  completed: number;
  failed: number;
  /** Completed documents whose time lies further back than `STALE_DAYS`. */
  stale: number;
  /** Completed documents of which the graph knows no name. */
  uncovered: number;
  entities: number;
  /** Entities that are connected to nothing. */
  orphans: number;
  facts: number;
  openContradictions: number;
  openReviews: number;
  /** Documents whose place a person has to confirm. */
  openRoutes: number;
}

export const STALE_DAYS = 365;

/** Counts in one snapshot, over what the caller sees. */
export async function measureHealth(tx: Tx, scope: MemoryScope, visible: Visibility): Promise<HealthFigures> {
  const values = [scope.tenantId, scope.memoryId, visible.vaults, visible.hidden];
  const [documents] = await tx.query<
    Pick<HealthFigures, 'documents' | 'completed' | 'failed' | 'stale' | 'uncovered' | 'openRoutes'>
  >(
    `SELECT count(*)::int AS documents,
            count(*) FILTER (WHERE status = 'completed')::int AS completed,
            count(*) FILTER (WHERE status = 'failed')::int AS failed,
            count(*) FILTER (WHERE needs_review)::int AS "openRoutes",
            count(*) FILTER (WHERE status = 'completed' AND coalesce(occurred_at, updated_at) < now() - interval '${STALE_DAYS} days')::int AS stale,
            count(*) FILTER (WHERE status = 'completed' AND NOT EXISTS (
              SELECT FROM graph_chunks AS chunk WHERE chunk.tenant_id = $1 AND chunk.memory_id = $2 AND chunk.doc_id = documents.doc_id
                 AND cardinality(chunk.names) > 0))::int AS uncovered
       FROM documents WHERE tenant_id = $1 AND memory_id = $2 AND ${inVaults('vault_id', 3, 4)}`,
    values,
  );
  const [entities] = await tx.query<Pick<HealthFigures, 'entities' | 'orphans'>>(
    `SELECT count(DISTINCT entity_id)::int AS entities, count(DISTINCT entity_id) FILTER (WHERE NOT linked)::int AS orphans FROM (
       SELECT entity_id, bool_or(
                EXISTS (SELECT FROM graph_links WHERE tenant_id IS NOT DISTINCT FROM $1 AND memory_id IS NOT DISTINCT FROM $2 AND source = name_no AND ${inVaults('vault_id', 3, 4)})
             OR EXISTS (SELECT FROM graph_links WHERE tenant_id = $1 AND memory_id = $2 AND target = name_no AND ${inVaults('vault_id', 3, 4)})) AS linked
         FROM graph_names
        WHERE tenant_id = $1 AND memory_id = $2
          AND EXISTS (SELECT FROM graph_mentions AS mention WHERE mention.tenant_id = $1 AND mention.memory_id = $2
                         AND mention.name_no = graph_names.name_no AND ${inVaults('mention.vault_id', 3, 4)})
        GROUP BY entity_id) AS entity`,
    values,
  );
  const [facts] = await tx.query<Pick<HealthFigures, 'facts' | 'openContradictions'>>(
    `SELECT (SELECT count(*)::int FROM graph_facts WHERE tenant_id = $1 AND memory_id = $2 AND ${inVaults('vault_id', 3, 4)}) AS facts,
            (SELECT count(*)::int FROM graph_contradictions AS c WHERE tenant_id = $1 AND memory_id = $2 AND status = 'open'
                AND (SELECT count(DISTINCT doc_id) FROM graph_facts AS f WHERE f.tenant_id = $1 AND f.memory_id = $2
                        AND f.fact_id = ANY(c.fact_ids) AND ${inVaults('f.vault_id', 3, 4)}) > 1) AS "openContradictions"`,
    values,
  );
  const [reviews] = await tx.query<{ open: number }>(
    // Look-ups, one for each review: a join would pair all names with each other as long as there are no statistics.
    `SELECT count(*)::int AS open
       FROM (SELECT name_a, name_b FROM graph_reviews WHERE tenant_id = $1 AND memory_id = $2 AND decision IS NULL OFFSET 0) AS review
      CROSS JOIN LATERAL (${nameOf('review.name_a')}) AS a
      CROSS JOIN LATERAL (${nameOf('review.name_b')}) AS b
      CROSS JOIN LATERAL (${mentionOf('review.name_a')}) AS of_a
      CROSS JOIN LATERAL (${mentionOf('review.name_b')}) AS of_b
      WHERE a.entity_id <> b.entity_id`,
    values,
  );
  return { ...documents!, ...entities!, ...facts!, openReviews: reviews!.open };
}

function nameOf(nameNo: string): string {
  return `SELECT entity_id FROM graph_names WHERE tenant_id = $1 AND memory_id = $2 AND name_no = ${nameNo} OFFSET 0`;
}

/** One row when somebody who may see it mentions the name. */
function mentionOf(nameNo: string): string {
  return `SELECT FROM graph_mentions WHERE tenant_id = $1 AND memory_id = $2 AND name_no = ${nameNo} AND ${inVaults('vault_id', 3, 4)} LIMIT 1`;
}
