import type { AnswerOf, getContradiction } from '@cairn/contracts';
import type { FactOfEntity } from './fact-store.ts';

/** A fact as the API shows it. */
export function presentFact(fact: FactOfEntity): AnswerOf<typeof getContradiction>['facts'][number] {
  return {
    fact_id: fact.fact_id,
    entity_id: fact.entity_id,
    relation: fact.relation,
    value: fact.value_text,
    target_entity_id: fact.object_entity_id,
    negated: fact.negated,
    confidence: fact.confidence,
    doc_id: fact.doc_id,
    chunk_id: fact.chunk_id,
    quote: fact.quote,
    location: { start: fact.quote_start, end: fact.quote_end },
    valid_from: fact.valid_from?.toISOString() ?? null,
    valid_to: fact.valid_to?.toISOString() ?? null,
    superseded_by: fact.superseded_by,
  };
}
