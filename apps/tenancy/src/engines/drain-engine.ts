import { CairnError, notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import { type ListedEngine, listEngineRows, setEngineStatus } from '../stores/engine-store.ts';

/** A draining engine receives no new memory and keeps those it has; `undo` makes it active again. */
export async function drainEngine(
  deps: { workerDatabase: Database },
  request: { engineId: string; undo: boolean },
): Promise<ListedEngine> {
  return deps.workerDatabase.transaction(async (tx) => {
    const engine = (await listEngineRows(tx)).find((row) => row.engine_id === request.engineId);
    if (engine === undefined) throw notFound('The engine');
    if (engine.kind === 'dedicated') throw new CairnError('conflict', 'A dedicated engine takes no other memory.');
    const changed = await setEngineStatus(tx, engine.engine_id, request.undo ? 'active' : 'draining');
    return { ...engine, ...changed };
  });
}
