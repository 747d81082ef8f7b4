import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import { findContradiction } from '../store/contradiction-store.ts';
import { visibilityOf } from '../../memories/visibility.ts';
import { presentContradictions } from './present-contradictions.ts';
import type { GraphDeps } from '../query/graph-deps.ts';

/** One contradiction with its statements. */
export async function getContradiction(
  deps: GraphDeps,
  context: RequestContext<typeof operations.getContradiction>,
): Promise<JsonResponse<typeof operations.getContradiction>> {
  const memory = await deps.memories.resolve(context, context.query);
  return deps.engines.read(memory, async ({ tx, closedVaults }) => {
    const row = await findContradiction(tx, memory, context.params.contradiction_id);
    const [shown] =
      row === null ? [] : await presentContradictions(tx, memory, [row], visibilityOf(memory, closedVaults));
    if (shown === undefined) throw notFound('The contradiction');
    return { body: shown };
  });
}
