import type { ResponseOf, getContradiction } from '@cairn/contracts';
import type { Tx } from '@cairn/postgres';
import { type FactOfEntity, visibleFacts } from '../store/fact-store.ts';
import type { Visibility } from '../../memories/visibility.ts';
import type { MemoryScope } from '../../memories/memory-scope.ts';

type PresentedFact = ResponseOf<typeof getContradiction>['facts'][number];

/** Facts as the API shows them, in their order; what took the place of one is named where the caller sees it. */
export async function presentFacts(
  tx: Tx,
  scope: MemoryScope,
  facts: readonly FactOfEntity[],
  visible: Visibility,
): Promise<PresentedFact[]> {
  const docIds = [...new Set(facts.map((fact) => fact.doc_id))];
  const rows = await tx.query<{ doc_id: string; title: string }>({
    name: 'graph_titles_of_facts',
    text: 'SELECT doc_id, title FROM documents WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = ANY($3)',
    values: [scope.tenantId, scope.memoryId, docIds],
  });
  const titles = new Map(rows.map((row) => [row.doc_id, row.title]));
  const successors = await visibleFacts(
    tx,
    scope,
    facts.flatMap((fact) => fact.superseded_by ?? []),
    visible,
  );
  return facts.map((fact) => ({
    ...presentFact(fact, titles.get(fact.doc_id) ?? ''),
    superseded_by: fact.superseded_by !== null && successors.has(fact.superseded_by) ? fact.superseded_by : null,
  }));
}

function presentFact(fact: FactOfEntity, title: string): Omit<PresentedFact, 'superseded_by'> {
  return {
    fact_id: fact.fact_id,
    entity_id: fact.entity_id,
    relation: fact.relation,
    value: fact.value_text,
    target_entity_id: fact.object_entity_id,
    negated: fact.negated,
    confidence: fact.confidence,
    doc_id: fact.doc_id,
    title,
    chunk_id: fact.chunk_id,
    quote: fact.quote,
    location: { start: fact.quote_start, end: fact.quote_end },
    valid_from: fact.valid_from?.toISOString() ?? null,
    valid_to: fact.valid_to?.toISOString() ?? null,
    ended: fact.ended,
  };
}
