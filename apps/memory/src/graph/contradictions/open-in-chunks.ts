import type { Tx } from '@cairn/postgres';
import type { MemoryScope } from '../../document-store.ts';
import type { ContradictionRow } from '../contradiction-store.ts';
import type { Visibility } from '../visibility.ts';
import { type PresentedContradiction, presentContradictions } from './present-contradictions.ts';

const SHOWN_MAX = 20;

/** Open contradictions of which these chunks state one side, as the caller may see them. */
export async function openContradictionsIn(
  tx: Tx,
  scope: MemoryScope,
  chunks: readonly { chunkId: string; docId: string }[],
  visible: Visibility,
): Promise<PresentedContradiction[]> {
  if (chunks.length === 0) return [];
  const rows = await tx.query<ContradictionRow>({
    name: 'graph_contradictions_in_chunks',
    text: `SELECT DISTINCT ON (contradiction_id) standing.* FROM unnest($3::text[], $4::text[]) AS wanted (doc, chunk)
            CROSS JOIN LATERAL (SELECT fact_id, subject_no, relation FROM graph_facts
                                 WHERE tenant_id IS NOT DISTINCT FROM $1 AND memory_id IS NOT DISTINCT FROM $2 AND doc_id = doc AND chunk_id = chunk OFFSET 0) AS fact
             JOIN graph_names AS name ON name.tenant_id = $1 AND name.memory_id = $2 AND name.name_no = fact.subject_no
             JOIN graph_contradictions AS standing ON standing.tenant_id = $1 AND standing.memory_id = $2
                  AND standing.entity_id = name.entity_id AND standing.relation = fact.relation
            WHERE standing.status = 'open' AND fact.fact_id = ANY(standing.fact_ids) ORDER BY contradiction_id LIMIT ${SHOWN_MAX}`,
    values: [scope.tenantId, scope.memoryId, chunks.map((chunk) => chunk.docId), chunks.map((chunk) => chunk.chunkId)],
  });
  return rows.length === 0 ? [] : presentContradictions(tx, scope, rows, visible);
}
