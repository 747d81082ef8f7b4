import type { ResponseOf } from '@cairn/contracts';
import type * as operations from '@cairn/contracts';
import type { DecisionRow } from '../store/decision-store.ts';

/** A decision as the API shows it: names in their normal form. */
export function presentDecision(
  row: DecisionRow,
): ResponseOf<typeof operations.listEntityDecisions>['decisions'][number] {
  return {
    decision_id: row.decision_id,
    kind: row.kind,
    names: row.names.map((key) => key.split(' ').slice(2).join(' ')),
    doc_ids: row.doc_ids,
    decided_by: row.decided_by,
    created_at: row.created_at.toISOString(),
  };
}
