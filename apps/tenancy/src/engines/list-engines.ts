import { findEngineSecret, type ListedEngine, listEngineRows } from '../stores/engine-store.ts';
import { decryptEngineSecret } from './engine-secret.ts';
import type { EngineDeps } from './prepare-engine.ts';

/** All engines, with the addresses of their replicas; those of the default one are the memory service's configuration. */
export async function listEngines(
  deps: Pick<EngineDeps, 'workerDatabase' | 'keyRing'>,
): Promise<(ListedEngine & { replicas: string[] })[]> {
  return deps.workerDatabase.transaction(async (tx) => {
    const listed: (ListedEngine & { replicas: string[] })[] = [];
    for (const engine of await listEngineRows(tx)) {
      const sealed = await findEngineSecret(tx, engine.engine_id);
      const secret = sealed === null ? null : await decryptEngineSecret(deps.keyRing, engine.engine_id, sealed);
      listed.push({ ...engine, replicas: (secret?.replicas ?? []).map((replica) => replica.split('?', 1)[0]!) });
    }
    return listed;
  });
}
