import type * as operations from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import { saveContradictions } from '../store/contradiction-store.ts';
import type { GraphDeps } from '../query/graph-deps.ts';
import { changeResolution } from './change-resolution.ts';

/** Takes a resolution back: the statements stand beside each other again. */
export async function reopenContradiction(
  deps: GraphDeps,
  context: RequestContext<typeof operations.reopenContradiction>,
): Promise<JsonResponse<typeof operations.reopenContradiction>> {
  return changeResolution(deps, context, 'reopenContradiction', async (tx, memory, row) => {
    if (row.status === 'open') throw new CairnError('conflict', 'The contradiction is open.');
    await saveContradictions(tx, memory, [
      {
        ...row,
        status: 'open',
        winner: null,
        decided: null,
        note: context.body.note ?? row.note,
        resolved_by: null,
        resolved_at: null,
      },
    ]);
  });
}
