import type { ResponseOf, getContradiction } from '@cairn/contracts';
import type { Tx } from '@cairn/postgres';
import type { ContradictionRow } from '../store/contradiction-store.ts';
import { nameEntities } from '../query/describe-entities.ts';
import { factsById } from '../store/fact-store.ts';
import { presentFacts } from '../query/present-fact.ts';
import { isVisible, type Visibility } from '../../memories/visibility.ts';
import type { MemoryScope } from '../../memories/memory-scope.ts';

export type PresentedContradiction = ResponseOf<typeof getContradiction>;

/** Contradictions as the caller may see them: only those of which two documents are in sight. */
export async function presentContradictions(
  tx: Tx,
  scope: MemoryScope,
  rows: readonly ContradictionRow[],
  visible: Visibility,
): Promise<PresentedContradiction[]> {
  const stored = await factsById(
    tx,
    scope,
    rows.flatMap((row) => row.fact_ids),
  );
  const seen = stored.filter((fact) => isVisible(visible, fact.vault_id));
  const facts = new Map((await presentFacts(tx, scope, seen, visible)).map((fact) => [fact.fact_id, fact]));
  const entities = await nameEntities(tx, scope, [...new Set(rows.map((row) => row.entity_id))], visible);
  return rows.flatMap((row) => {
    const shown = row.fact_ids.flatMap((id) => facts.get(id) ?? []);
    const entity = entities.get(row.entity_id);
    // It may also be a word for several.
    const isHidden = (winner: string | null) => row.fact_ids.some((id) => id === winner && !facts.has(id));
    if (entity === undefined || new Set(shown.map((fact) => fact.doc_id)).size < 2) return [];
    return [
      {
        contradiction_id: row.contradiction_id,
        memory_id: scope.memoryId,
        entity: { entity_id: entity.entity_id, name: entity.name, type: entity.type },
        relation: row.relation,
        status: row.status,
        score: row.score,
        facts: shown,
        winner: isHidden(row.winner) ? null : row.winner,
        note: row.note,
        resolved_by: row.resolved_by,
        resolved_at: row.resolved_at?.toISOString() ?? null,
        created_at: row.created_at.toISOString(),
        updated_at: row.updated_at.toISOString(),
      },
    ];
  });
}
