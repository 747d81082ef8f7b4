import { notFound } from '@cairn/errors';
import type { EngineDeps } from './prepare-engine.ts';

/** Comparing reads every chunk's id on both sides. */
const MANAGE_TIMEOUT_MS = 600_000;

/** Does with the lexical index of a memory what an operator asks, on the memory's engine. */
export async function manageSearch(deps: EngineDeps, { memoryId, action }: { memoryId: string; action: string }) {
  const [memory] = await deps.workerDatabase.transaction((tx) =>
    tx.query<{ tenant_id: string; engine_id: string }>(
      "SELECT tenant_id, engine_id FROM memories WHERE memory_id = $1 AND status <> 'deleting'",
      [memoryId],
    ),
  );
  if (memory === undefined) throw notFound('The memory');
  const scope = { engineId: memory.engine_id, tenantId: memory.tenant_id, memoryId };
  const answer = await deps.memoryStore.manageSearch({ scope, action }, { timeoutMs: MANAGE_TIMEOUT_MS });
  const { phase, copying, waiting, drift } = answer;
  if (drift === undefined) return { phase, copying, waiting };
  const { chunks, missing, surplus, misplaced } = drift;
  return { phase, copying, waiting, drift: { chunks, missing, surplus, misplaced } };
}
