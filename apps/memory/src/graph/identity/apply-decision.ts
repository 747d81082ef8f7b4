import { appendAllToOutbox, type Tx } from '@cairn/postgres';
import type { DecisionRow } from '../decision-store.ts';
import { relinkSenses } from '../relink-senses.ts';
import { settleIdentity } from '../settle-identity.ts';
import { type GraphMemory, touchGraph } from '../graph-memory.ts';
import type { NameRow } from '../name-store.ts';

/** Resolves anew what a decision, or its end, is about, and compares the statements that this brings together. */
export async function applyDecision(
  tx: Tx,
  memory: GraphMemory,
  names: readonly NameRow[],
  decision: Pick<DecisionRow, 'doc_ids'>,
): Promise<void> {
  if (decision.doc_ids.length > 0) await relinkSenses(tx, memory, decision.doc_ids);
  const byNumber = new Map(names.map((name) => [name.name_no, name]));
  const events = await settleIdentity(tx, memory, {
    ...{ created: [], aliased: names, touchedFacts: [], byNumber },
    goneEntities: [],
    vaultsByName: new Map(),
  });
  await appendAllToOutbox(tx, events);
  await touchGraph(tx, memory);
}
