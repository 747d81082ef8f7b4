import { encodeEvent, type reopenContradiction, type resolveContradiction } from '@cairn/contracts';
import { CairnError, notFound, validationFailed } from '@cairn/errors';
import { appendAllToOutbox, appendToOutbox, type Tx } from '@cairn/postgres';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import type { ClosedVaults } from '../../erasure/closed-scopes.ts';
import type { TargetMemory } from '../../memory-lookup.ts';
import { type ContradictionRow, findContradiction, saveContradictions } from '../contradiction-store.ts';
import { agrees, detectContradictions } from '../detect-contradictions.ts';
import type { GraphParts } from '../explore-graph.ts';
import { type FactOfEntity, factsById } from '../fact-store.ts';
import { type GraphMemory, lockKnownGraph } from '../graph-memory.ts';
import { writeOnce } from '../../write-once.ts';
import { visibilityOf } from '../visibility.ts';
import { type PresentedContradiction, presentContradictions } from './present-contradictions.ts';

const BOTH = 'both';

/** Says which statement holds. The others point to it from then on; all are kept. A repeat changes nothing. */
export async function resolve(
  parts: GraphParts,
  call: Call<typeof resolveContradiction>,
): Promise<JsonAnswer<typeof resolveContradiction>> {
  const { winner, note } = call.body;
  return settle(parts, call, 'resolveContradiction', async (tx, memory, row, shown) => {
    if (winner !== BOTH && !shown.facts.some((fact) => fact.fact_id === winner))
      throw validationFailed([{ path: 'winner', message: 'is neither `both` nor a fact of the contradiction' }]);
    if (row.status === 'resolved') {
      if (row.winner === winner) return;
      throw new CairnError('conflict', 'The contradiction is resolved already; reopen it first.');
    }
    const facts = await factsById(tx, memory, row.fact_ids);
    const resolvedBy = call.identity.keyId;
    await saveContradictions(tx, memory, [
      {
        ...row,
        ...{ status: 'resolved', winner, decided: decidedValues(facts, winner) },
        ...{ note: note ?? null, resolved_by: resolvedBy, resolved_at: new Date() },
      },
    ]);
    await appendToOutbox(
      tx,
      encodeEvent('contradictionResolved', memory, { contradictionId: row.contradiction_id, winner, resolvedBy }),
    );
  });
}

/** Takes a resolution back: the statements stand beside each other again. */
export async function reopen(
  parts: GraphParts,
  call: Call<typeof reopenContradiction>,
): Promise<JsonAnswer<typeof reopenContradiction>> {
  return settle(parts, call, 'reopenContradiction', async (tx, memory, row) => {
    if (row.status === 'open') throw new CairnError('conflict', 'The contradiction is open.');
    await saveContradictions(tx, memory, [
      {
        ...row,
        ...{
          status: 'open',
          winner: null,
          decided: null,
          note: call.body.note ?? row.note,
          resolved_by: null,
          resolved_at: null,
        },
      },
    ]);
  });
}

type Work = (tx: Tx, memory: GraphMemory, row: ContradictionRow, shown: PresentedContradiction) => Promise<void>;

/** Under the lock of the graph: finds the contradiction, changes it, brings supersessions up to it, and shows it. */
async function settle(
  parts: GraphParts,
  call: Call<typeof resolveContradiction> | Call<typeof reopenContradiction>,
  operation: string,
  work: Work,
): Promise<{ body: PresentedContradiction }> {
  const target = await parts.lookup.find(call, call.query);
  const contradictionId = call.params.contradiction_id;
  const request = { ...call.query, ...call.body, contradiction_id: contradictionId };
  const once = { caller: call.identity, operation, key: call.idempotencyKey, request, status: 200 };
  return writeOnce(parts.engines, target, once, async ({ tx, closedVaults }) => {
    const memory = await lockKnownGraph(tx, target);
    const row = memory === null ? null : await findContradiction(tx, target, contradictionId, true);
    const shown = row === null ? undefined : await show(tx, target, row, closedVaults);
    if (memory === null || row === null || shown === undefined) throw notFound('The contradiction');
    await work(tx, memory, row, shown);
    const events = await detectContradictions(tx, memory, [{ entityId: row.entity_id, relation: row.relation }]);
    await appendAllToOutbox(tx, events);
    const after = await findContradiction(tx, target, row.contradiction_id);
    const presented = after === null ? undefined : await show(tx, target, after, closedVaults);
    if (presented === undefined) throw notFound('The contradiction');
    return presented;
  });
}

async function show(
  tx: Tx,
  target: TargetMemory,
  row: ContradictionRow,
  closed: ClosedVaults,
): Promise<PresentedContradiction | undefined> {
  return (await presentContradictions(tx, target, [row], visibilityOf(target, closed)))[0];
}

/** The winner's value first; each value once. */
function decidedValues(
  facts: readonly FactOfEntity[],
  winner: string,
): { value: FactOfEntity['value']; negated: boolean }[] {
  const ordered = [...facts].sort((a, b) => Number(b.fact_id === winner) - Number(a.fact_id === winner));
  const decided: { value: FactOfEntity['value']; negated: boolean }[] = [];
  for (const fact of ordered)
    if (!decided.some((known) => agrees(known, fact))) decided.push({ value: fact.value, negated: fact.negated });
  return decided;
}
