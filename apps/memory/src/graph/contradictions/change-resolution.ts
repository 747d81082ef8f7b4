import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import { appendAllToOutbox, type Tx } from '@cairn/postgres';
import type { RequestContext } from '@cairn/service-kit';
import type { ClosedVaults } from '../../memories/closed-scopes.ts';
import { type ContradictionRow, findContradiction } from '../store/contradiction-store.ts';
import { detectContradictions } from './detect-contradictions.ts';
import { lockKnownGraph } from '../store/graph-lock.ts';
import { writeIdempotently } from '../../memories/idempotent-write.ts';
import { visibilityOf } from '../../memories/visibility.ts';
import { type PresentedContradiction, presentContradictions } from './present-contradictions.ts';
import type { TargetMemory, AttributedMemory } from '../../memories/memory-scope.ts';
import type { GraphDeps } from '../query/graph-deps.ts';

type Change = (tx: Tx, memory: AttributedMemory, row: ContradictionRow, shown: PresentedContradiction) => Promise<void>;

/** Under the lock of the graph: finds the contradiction, changes it, brings supersessions up to it, and shows it. */
export async function changeResolution(
  deps: GraphDeps,
  context:
    | RequestContext<typeof operations.resolveContradiction>
    | RequestContext<typeof operations.reopenContradiction>,
  operation: string,
  change: Change,
): Promise<{ body: PresentedContradiction }> {
  const target = await deps.memories.resolve(context, context.query);
  const contradictionId = context.params.contradiction_id;
  const request = { ...context.query, ...context.body, contradiction_id: contradictionId };
  const idempotency = { caller: context.identity, operation, key: context.idempotencyKey, request, status: 200 };
  return writeIdempotently(deps.engines, target, idempotency, async ({ tx, closedVaults }) => {
    const memory = await lockKnownGraph(tx, target);
    const row = memory === null ? null : await findContradiction(tx, target, contradictionId, true);
    const shown = row === null ? undefined : await show(tx, target, row, closedVaults);
    if (memory === null || row === null || shown === undefined) throw notFound('The contradiction');
    await change(tx, memory, row, shown);
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
