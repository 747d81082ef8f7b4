import type { getMemoryHealth } from '@cairn/contracts';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import type { GraphParts } from '../explore-graph.ts';
import { visibilityOf } from '../visibility.ts';
import { measureHealth } from './measure-health.ts';
import { scoreHealth } from './score-health.ts';

/** The health of the memory as it is now, or of the one space that the key reaches. */
export async function readHealth(
  parts: GraphParts,
  call: Call<typeof getMemoryHealth>,
): Promise<JsonAnswer<typeof getMemoryHealth>> {
  const memory = await parts.lookup.find(call, call.query);
  const figures = await parts.engines.read(memory, ({ tx, closedVaults }) =>
    measureHealth(tx, memory, visibilityOf(memory, closedVaults)),
  );
  return { body: { memory_id: memory.memoryId, ...scoreHealth(figures), assessed_at: new Date().toISOString() } };
}
