import { CairnError, notFound, validationFailed } from '@cairn/errors';
import {
  DEFAULT_ENGINE,
  findEngineSecret,
  type ListedEngine,
  listEngineRows,
  relocateEngine,
} from '../stores/engine-store.ts';
import { decryptEngineSecret, encryptEngineSecret, replicaUrlOf } from './engine-secret.ts';
import type { EngineDeps } from './prepare-engine.ts';

/** Replaces the list of an engine's streaming replicas; the memory services read from them within seconds. */
export async function setEngineReplicas(
  deps: Pick<EngineDeps, 'workerDatabase' | 'keyRing'>,
  request: { engineId: string; replicas: readonly string[] },
): Promise<ListedEngine> {
  const replicas = validReplicas(request.replicas);
  if (request.engineId === DEFAULT_ENGINE)
    throw new CairnError(
      'conflict',
      'Replicas of the default engine are set by DATABASE_REPLICA_URL of the memory service.',
    );
  return deps.workerDatabase.transaction(async (tx) => {
    const engine = (await listEngineRows(tx)).find((row) => row.engine_id === request.engineId);
    const sealed = engine === undefined ? null : await findEngineSecret(tx, engine.engine_id);
    if (engine === undefined || sealed === null) throw notFound('The engine');
    const secret = await decryptEngineSecret(deps.keyRing, engine.engine_id, sealed);
    const changed = await encryptEngineSecret(deps.keyRing, engine.engine_id, { ...secret, replicas });
    await relocateEngine(tx, { ...engine, engineId: engine.engine_id, sealed: changed });
    return engine;
  });
}

/** Throws for what is not the address of a server alone. */
export function validReplicas(replicas: readonly string[]): string[] {
  return replicas.map((replica, n) => {
    const address = replica.replace(/^postgres(?:ql)?:\/\//, '');
    const isAddress =
      /^[^@/?#,\s]+(?:\?[^#\s]*)?$/.test(address) && URL.canParse(replicaUrlOf('postgres://a@b/c', address));
    if (!isAddress)
      throw validationFailed([
        { path: `replicas.${n}`, message: 'must be host:port, without user, password and database' },
      ]);
    return address;
  });
}
