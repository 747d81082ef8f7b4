import { newId } from '@cairn/contracts';
import { CairnError, notFound, validationFailed } from '@cairn/errors';
import { brokenConstraint, type Database } from '@cairn/postgres';
import type { Sealing } from '@cairn/sealing';
import { locationOf, newEngineSecret, openEngine, sealEngine } from './engine-secret.ts';
import { DEFAULT_ENGINE, type EngineRow, insertEngine, listEngineRows, setEngineStatus } from './engine-store.ts';
import { ENGINE_DATABASE, type EngineParts, prepareServer } from './set-up-engine.ts';

const WEIGHT_MAX = 1_000;

export type ListedEngine = EngineRow & { memories: number };

/** Registers a PostgreSQL server for shared memories: its schema is made first, then memories may come. */
export async function addEngine(
  parts: EngineParts,
  request: { name: string; adminUrl: string; weight: number; database: string },
): Promise<ListedEngine> {
  const name = request.name.trim();
  const weight = request.weight === 0 ? 1 : request.weight;
  if (name === '') throw validationFailed([{ path: 'name', message: 'is required' }]);
  if (weight > WEIGHT_MAX) throw validationFailed([{ path: 'weight', message: `must be at most ${WEIGHT_MAX}` }]);
  if (!/^postgres(?:ql)?:$/.test(URL.parse(request.adminUrl)?.protocol ?? ''))
    throw validationFailed([{ path: 'admin_url', message: 'must be a postgres:// URL' }]);
  const known = await parts.workerDatabase.transaction(listEngineRows);
  if (known.some((engine) => engine.name === name)) throw nameTaken(name);
  const engineId = newId('engine');
  const password = newEngineSecret();
  const server = { adminUrl: request.adminUrl, password, database: request.database || ENGINE_DATABASE };
  const roles = await prepareServer(parts, server).catch((error: unknown) => {
    if (error instanceof CairnError) throw error;
    throw new CairnError('unavailable', 'The server cannot be prepared with this URL.', { cause: error });
  });
  const sealed = await sealEngine(parts.sealing, engineId, { password, roles });
  const row = { engine_id: engineId, name, weight, location: locationOf(roles.url) };
  try {
    await parts.workerDatabase.transaction((tx) =>
      insertEngine(tx, { ...row, kind: 'shared', status: 'active' }, sealed),
    );
  } catch (error) {
    if (brokenConstraint(error) === 'engines_name_key') throw nameTaken(name);
    throw error;
  }
  return findListed(parts.workerDatabase, engineId);
}

function nameTaken(name: string): CairnError {
  return new CairnError('conflict', `An engine called ${name} is registered already.`);
}

/** No new memory comes to a draining engine; those there stay. `undo` takes it back into use. */
export async function drainEngine(
  parts: { workerDatabase: Database },
  request: { engineId: string; undo: boolean },
): Promise<ListedEngine> {
  await parts.workerDatabase.transaction(async (tx) => {
    const engines = await listEngineRows(tx);
    const engine = engines.find((row) => row.engine_id === request.engineId);
    if (engine === undefined) throw notFound('The engine');
    if (engine.kind === 'dedicated') throw new CairnError('conflict', 'A dedicated engine takes no other memory.');
    await setEngineStatus(tx, engine.engine_id, request.undo ? 'active' : 'draining');
  });
  return findListed(parts.workerDatabase, request.engineId);
}

async function findListed(database: Database, engineId: string): Promise<ListedEngine> {
  const engines = await database.transaction(listEngineRows);
  return engines.find((engine) => engine.engine_id === engineId)!;
}

export interface ConnectedEngine {
  engineId: string;
  url: string;
  workerUrl: string;
  revision: bigint;
  dedicated: boolean;
}

/** How the memory service reaches the engines beside its own. */
export async function engineConnections(parts: {
  workerDatabase: Database;
  sealing: Sealing;
}): Promise<ConnectedEngine[]> {
  const rows = await parts.workerDatabase.transaction((tx) =>
    tx.query<EngineRow & { sealed: string }>(
      `SELECT engines.*, sealed FROM engines JOIN engine_secrets USING (engine_id)
        WHERE status <> 'provisioning' AND engine_id <> $1 ORDER BY engine_id`,
      [DEFAULT_ENGINE],
    ),
  );
  const connections = await Promise.all(
    rows.map(async (row) => {
      const { roles } = await openEngine(parts.sealing, row.engine_id, row.sealed);
      if (roles === null) return [];
      return [
        {
          engineId: row.engine_id,
          url: roles.url,
          workerUrl: roles.workerUrl,
          revision: BigInt(row.revision),
          dedicated: row.kind === 'dedicated',
        },
      ];
    }),
  );
  return connections.flat();
}
