import type { Tx } from '@cairn/postgres';
import type { Disagreement } from '../../search/graph-signal.ts';
import { statementCount } from '../store/statement-counts.ts';
import { withVisibleForms } from '../store/visible-forms.ts';
import { type NameVariant, presentNames } from '../query/present-names.ts';
import { inVaults, seesAll, type Visibility } from '../../memories/visibility.ts';
import type { MemoryScope } from '../../memories/memory-scope.ts';

const SHOWN_MAX = 10;
/** Of one contradiction, that of the passage first; the contradiction itself has them all. */
const FACTS_SHOWN_MAX = 6;

interface OpenContradiction {
  contradiction_id: string;
  entity_id: string;
  relation: string;
  facts: Disagreement['facts'] | null;
  names: (NameVariant & { name_no: number })[] | null;
}

/**
 * Open contradictions of which these chunks state one side, as the caller may see them: those of which two documents
 * are in sight. One statement with all that is shown, as each search sends it, where the caller sees all.
 */
export async function openContradictionsIn(
  tx: Tx,
  scope: MemoryScope,
  chunks: readonly { chunkId: string; docId: string }[],
  visible: Visibility,
): Promise<Disagreement[]> {
  if (chunks.length === 0) return [];
  const rows = await tx.query<OpenContradiction>({
    name: 'graph_contradictions_in_chunks',
    // Each step asks for the one before, so that a search never reads all contradictions of a memory.
    text: `WITH disputed AS MATERIALIZED (
             SELECT DISTINCT ON (contradiction_id) disputed.*, fact.fact_id AS said FROM unnest($3::text[], $4::text[]) AS wanted (doc, chunk)
              CROSS JOIN LATERAL (SELECT fact_id, subject_no, relation FROM graph_facts
                                   WHERE tenant_id IS NOT DISTINCT FROM $1 AND memory_id IS NOT DISTINCT FROM $2 AND doc_id = doc AND chunk_id = chunk OFFSET 0) AS fact
              CROSS JOIN LATERAL (SELECT entity_id FROM graph_names
                                   WHERE tenant_id = $1 AND memory_id = $2 AND name_no = fact.subject_no OFFSET 0) AS name
              CROSS JOIN LATERAL (SELECT contradiction_id, entity_id, relation, fact_ids FROM graph_contradictions
                                   WHERE tenant_id IS NOT DISTINCT FROM $1 AND memory_id IS NOT DISTINCT FROM $2 AND entity_id = name.entity_id AND relation = fact.relation
                                     AND status = 'open' AND fact.fact_id = ANY(fact_ids) OFFSET 0) AS disputed
              ORDER BY contradiction_id LIMIT ${SHOWN_MAX})
           SELECT contradiction_id, entity_id, relation,
                  (SELECT json_agg(json_build_object('fact_id', side.fact_id, 'value', value_text, 'doc_id', doc_id, 'chunk_id', chunk_id, 'quote', quote) ORDER BY at)
                     FROM (SELECT fact.*, at FROM unnest(array_prepend(said, array_remove(fact_ids, said))) WITH ORDINALITY AS one (id, at)
                            CROSS JOIN LATERAL (SELECT fact_id, value_text, doc_id, chunk_id, quote FROM graph_facts
                                                 WHERE tenant_id = $1 AND memory_id = $2 AND fact_id = id AND ${inVaults('vault_id', 5, 6)} OFFSET 0) AS fact
                            ORDER BY at LIMIT $7) AS side) AS facts,
                  (SELECT json_agg(json_build_object('name_no', name_no, 'norm', norm, 'class', class, 'forms', forms, 'statements', ${statementCount('graph_names.name_no', 5, 6)})) FROM graph_names
                    WHERE tenant_id IS NOT DISTINCT FROM $1 AND memory_id IS NOT DISTINCT FROM $2 AND entity_id = disputed.entity_id
                      AND ($8 OR EXISTS (SELECT 1 FROM graph_mentions AS mention
                                          WHERE mention.tenant_id = $1 AND mention.memory_id = $2 AND mention.name_no = graph_names.name_no
                                            AND ${inVaults('mention.vault_id', 5, 6)}))) AS names
             FROM disputed ORDER BY contradiction_id`,
    values: [
      scope.tenantId,
      scope.memoryId,
      chunks.map((chunk) => chunk.docId),
      chunks.map((chunk) => chunk.chunkId),
      visible.vaults,
      visible.hidden,
      // Who sees only a part may need any of them for a second side.
      seesAll(visible) ? FACTS_SHOWN_MAX : null,
      seesAll(visible),
    ],
  });
  const all = rows.flatMap(({ names }) => names ?? []);
  const named = new Map((await withVisibleForms(tx, scope, all, visible)).map((name) => [name.name_no, name]));
  return rows.flatMap(({ contradiction_id, entity_id, relation, facts, names }) => {
    if (facts === null || names === null || new Set(facts.map((fact) => fact.doc_id)).size < 2) return [];
    const { name, type } = presentNames(names.map((one) => named.get(one.name_no)!));
    return [{ contradiction_id, entity: { entity_id, name, type }, relation, facts }];
  });
}
