import type { MemoryStoreService } from '@cairn/contracts';
import { type Database, provisionService } from '@cairn/postgres';
import type { RpcClient } from '@cairn/service-kit';
import type { Sealing } from '@cairn/sealing';
import { locationOf, openEngine, rolePasswordsOf, sealEngine, type ServingRoles } from './engine-secret.ts';
import { findSealed, relocateEngine } from './engine-store.ts';

export interface EngineParts {
  /** Connected as the worker role. */
  workerDatabase: Database;
  sealing: Sealing;
  memoryStore: RpcClient<typeof MemoryStoreService>;
}

/** The memory service's schema and roles carry its name on every engine. */
const SERVICE = 'memory';
export const ENGINE_DATABASE = 'cairn';
const PREPARE_TIMEOUT_MS = 60_000;

/** Makes database, roles and schema of the memory service on the server. May be repeated. */
export async function prepareServer(
  parts: Pick<EngineParts, 'memoryStore'>,
  server: { adminUrl: string; password: string; database: string },
): Promise<ServingRoles> {
  const roles = await provisionService({
    superuserUrl: server.adminUrl,
    database: server.database,
    service: SERVICE,
    passwords: rolePasswordsOf(server.password),
  });
  // The memory service has the migrations. It sees the owner's URL for this call only, and of this engine only.
  await parts.memoryStore.prepareEngine({ ownerUrl: roles.ownerUrl }, { timeoutMs: PREPARE_TIMEOUT_MS });
  return { url: roles.url, workerUrl: roles.workerUrl };
}

/** Prepares the engine's server where it is now and takes it into use there, unless it is in use there already. */
export async function activateEngine(
  parts: EngineParts,
  engineId: string,
  server: { adminUrl: string; database: string },
): Promise<boolean> {
  const sealed = await parts.workerDatabase.transaction((tx) => findSealed(tx, engineId));
  if (sealed === null) throw new Error(`the engine ${engineId} has no secret`);
  const known = await openEngine(parts.sealing, engineId, sealed);
  const { password } = known;
  const roles = await prepareServer(parts, { ...server, password });
  if (known.roles?.url === roles.url && known.roles.workerUrl === roles.workerUrl) return false;
  const resealed = await sealEngine(parts.sealing, engineId, { password, roles });
  await parts.workerDatabase.transaction((tx) =>
    relocateEngine(tx, { engineId, location: locationOf(roles.url), sealed: resealed, status: 'active' }),
  );
  return true;
}
