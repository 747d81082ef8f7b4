import { appendAllToOutbox, type Tx } from '@cairn/postgres';
import type { DecisionRow } from '../store/decision-store.ts';
import { relinkSenses } from './relink-senses.ts';
import { updateEntities } from '../entity-resolution/update-entities.ts';
import { recordGraphChange } from '../store/graph-lock.ts';
import type { NameRow } from '../store/name-store.ts';
import type { AttributedMemory } from '../../memories/memory-scope.ts';

/** Resolves again the names that a decision, or its removal, is about, and compares the statements that this brings together. */
export async function applyDecision(
  tx: Tx,
  memory: AttributedMemory,
  names: readonly NameRow[],
  decision: Pick<DecisionRow, 'doc_ids'>,
): Promise<void> {
  if (decision.doc_ids.length > 0) await relinkSenses(tx, memory, decision.doc_ids);
  const byNumber = new Map(names.map((name) => [name.name_no, name]));
  const { events, moved } = await updateEntities(tx, memory, {
    created: [],
    aliased: names,
    touchedFacts: [],
    byNumber,
    gone: [],
    goneEntities: [],
    vaultsByName: new Map(),
  });
  await appendAllToOutbox(tx, events);
  await recordGraphChange(tx, memory, new Set(moved));
}
