import { newId } from '@cairn/contracts';
import { CairnError, validationFailed } from '@cairn/errors';
import { brokenConstraint } from '@cairn/postgres';
import { insertEngine, type ListedEngine, listEngineRows } from '../stores/engine-store.ts';
import { encryptEngineSecret, locationOf, newEngineSecret } from './engine-secret.ts';
import { ENGINE_DATABASE } from './engine-provisioner.ts';
import { type EngineDeps, prepareServer } from './prepare-engine.ts';
import { validReplicas } from './set-engine-replicas.ts';

const WEIGHT_MAX = 1_000;

interface AddEngineRequest {
  name: string;
  adminUrl: string;
  weight: number;
  database: string;
  replicas: readonly string[];
  /** Empty: the lexical index is PostgreSQL's. */
  searchUrl: string;
}

/** Registers a PostgreSQL server for shared memories once its schema is in place. */
export async function addEngine(deps: EngineDeps, request: AddEngineRequest): Promise<ListedEngine> {
  const { name, weight, replicas } = validated(request);
  const existing = await deps.workerDatabase.transaction(listEngineRows);
  if (existing.some((engine) => engine.name === name)) throw nameTaken(name);
  const engineId = newId('engine');
  const password = newEngineSecret();
  const server = { adminUrl: request.adminUrl, password, database: request.database || ENGINE_DATABASE };
  const roles = await prepareServer(deps, server).catch((error: unknown) => {
    if (error instanceof CairnError) throw error;
    throw new CairnError('unavailable', 'The server cannot be prepared with this URL.', { cause: error });
  });
  const sealed = await encryptEngineSecret(deps.keyRing, engineId, {
    password,
    roles,
    replicas,
    ...(request.searchUrl === '' ? {} : { searchUrl: request.searchUrl }),
  });
  const row = {
    engine_id: engineId,
    name,
    kind: 'shared',
    status: 'active',
    weight,
    location: locationOf(roles.url),
  } as const;
  try {
    await deps.workerDatabase.transaction((tx) => insertEngine(tx, row, sealed));
  } catch (error) {
    if (brokenConstraint(error) === 'engines_name_key') throw nameTaken(name);
    throw error;
  }
  const engines = await deps.workerDatabase.transaction(listEngineRows);
  return engines.find((engine) => engine.engine_id === engineId)!;
}

function validated(request: AddEngineRequest): { name: string; weight: number; replicas: string[] } {
  const name = request.name.trim();
  const weight = request.weight === 0 ? 1 : request.weight;
  if (name === '') throw validationFailed([{ path: 'name', message: 'is required' }]);
  if (weight > WEIGHT_MAX) throw validationFailed([{ path: 'weight', message: `must be at most ${WEIGHT_MAX}` }]);
  if (!/^postgres(?:ql)?:$/.test(URL.parse(request.adminUrl)?.protocol ?? ''))
    throw validationFailed([{ path: 'admin_url', message: 'must be a postgres:// URL' }]);
  if (request.searchUrl !== '' && !/^opensearch(?:\+http)?:\/\//.test(request.searchUrl))
    throw validationFailed([{ path: 'search_url', message: 'must be an opensearch:// URL' }]);
  return { name, weight, replicas: validReplicas(request.replicas) };
}

function nameTaken(name: string): CairnError {
  return new CairnError('conflict', `An engine called ${name} is registered already.`);
}
