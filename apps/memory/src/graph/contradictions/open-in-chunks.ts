import type { Tx } from '@cairn/postgres';
import type { MemoryScope } from '../../document-store.ts';
import type { ContradictionRow } from '../contradiction-store.ts';
import { seesAll, type Visibility } from '../visibility.ts';
import { type PresentedContradiction, presentContradictions } from './present-contradictions.ts';

const SHOWN_MAX = 10;
/** Of one contradiction, that of the passage first; the contradiction itself has them all. */
const FACTS_SHOWN_MAX = 6;

/** Open contradictions of which these chunks state one side, as the caller may see them. */
export async function openContradictionsIn(
  tx: Tx,
  scope: MemoryScope,
  chunks: readonly { chunkId: string; docId: string }[],
  visible: Visibility,
): Promise<PresentedContradiction[]> {
  if (chunks.length === 0) return [];
  const rows = await tx.query<ContradictionRow & { said: string }>({
    name: 'graph_contradictions_in_chunks',
    // Each step asks for the one before, so that a search never reads all contradictions of a memory.
    text: `SELECT DISTINCT ON (contradiction_id) standing.*, fact.fact_id AS said FROM unnest($3::text[], $4::text[]) AS wanted (doc, chunk)
            CROSS JOIN LATERAL (SELECT fact_id, subject_no, relation FROM graph_facts
                                 WHERE tenant_id IS NOT DISTINCT FROM $1 AND memory_id IS NOT DISTINCT FROM $2 AND doc_id = doc AND chunk_id = chunk OFFSET 0) AS fact
            CROSS JOIN LATERAL (SELECT entity_id FROM graph_names
                                 WHERE tenant_id = $1 AND memory_id = $2 AND name_no = fact.subject_no OFFSET 0) AS name
            CROSS JOIN LATERAL (SELECT * FROM graph_contradictions
                                 WHERE tenant_id IS NOT DISTINCT FROM $1 AND memory_id IS NOT DISTINCT FROM $2 AND entity_id = name.entity_id AND relation = fact.relation
                                   AND status = 'open' AND fact.fact_id = ANY(fact_ids) OFFSET 0) AS standing
            ORDER BY contradiction_id LIMIT ${SHOWN_MAX}`,
    values: [scope.tenantId, scope.memoryId, chunks.map((chunk) => chunk.docId), chunks.map((chunk) => chunk.chunkId)],
  });
  if (rows.length === 0) return [];
  // Who sees only a part may need any of them for a second side.
  const few = rows.map(({ said, ...row }) => ({
    ...row,
    fact_ids: seesAll(visible) ? [...new Set([said, ...row.fact_ids])].slice(0, FACTS_SHOWN_MAX) : row.fact_ids,
  }));
  return presentContradictions(tx, scope, few, visible);
}
