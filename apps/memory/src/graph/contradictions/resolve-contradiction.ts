import { encodeEvent } from '@cairn/contracts';
import type * as operations from '@cairn/contracts';
import { CairnError, validationFailed } from '@cairn/errors';
import { appendToOutbox } from '@cairn/postgres';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import { saveContradictions } from '../store/contradiction-store.ts';
import { agrees } from './detect-contradictions.ts';
import { type FactOfEntity, factsById } from '../store/fact-store.ts';
import type { GraphDeps } from '../query/graph-deps.ts';
import { changeResolution } from './change-resolution.ts';

/** Says which statement holds. The others point to it from then on; all are kept. A repeat changes nothing. */
export async function resolveContradiction(
  deps: GraphDeps,
  context: RequestContext<typeof operations.resolveContradiction>,
): Promise<JsonResponse<typeof operations.resolveContradiction>> {
  const { winner, note } = context.body;
  return changeResolution(deps, context, 'resolveContradiction', async (tx, memory, row, shown) => {
    if (winner !== BOTH && !shown.facts.some((fact) => fact.fact_id === winner))
      throw validationFailed([{ path: 'winner', message: 'is neither `both` nor a fact of the contradiction' }]);
    if (row.status === 'resolved') {
      if (row.winner === winner) return;
      throw new CairnError('conflict', 'The contradiction is resolved already; reopen it first.');
    }
    const facts = await factsById(tx, memory, row.fact_ids);
    const resolvedBy = context.identity.keyId;
    await saveContradictions(tx, memory, [
      {
        ...row,
        status: 'resolved',
        winner,
        decided: decidedValues(facts, winner),
        note: note ?? null,
        resolved_by: resolvedBy,
        resolved_at: new Date(),
      },
    ]);
    await appendToOutbox(
      tx,
      encodeEvent('contradictionResolved', memory, { contradictionId: row.contradiction_id, winner, resolvedBy }),
    );
  });
}

const BOTH = 'both';

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
