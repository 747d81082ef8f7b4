import type * as operations from '@cairn/contracts';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import { visibilityOf } from '../../memories/visibility.ts';
import { measureHealth } from './measure-health.ts';
import type { GraphDeps } from '../query/graph-deps.ts';
import { scoreHealth } from './score-health.ts';

/** The health of the memory as it is now, or of the one space that the key reaches. */
export async function getMemoryHealth(
  deps: GraphDeps,
  context: RequestContext<typeof operations.getMemoryHealth>,
): Promise<JsonResponse<typeof operations.getMemoryHealth>> {
  const memory = await deps.memories.resolve(context, context.query);
  const figures = await deps.engines.read(memory, ({ tx, closedVaults }) =>
    measureHealth(tx, memory, visibilityOf(memory, closedVaults)),
  );
  return { body: { memory_id: memory.memoryId, ...scoreHealth(figures), assessed_at: new Date().toISOString() } };
}
