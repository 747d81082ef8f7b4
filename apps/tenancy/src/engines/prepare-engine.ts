import type { MemoryStoreService } from '@cairn/contracts';
import type { KeyRing } from '@cairn/encryption';
import { bindPolicies, type Database, installPgvector, provisionService } from '@cairn/postgres';
import type { RpcClient } from '@cairn/service-kit';
import type { EngineServer } from './engine-provisioner.ts';
import { findEngineSecret, relocateEngine } from '../stores/engine-store.ts';
import {
  decryptEngineSecret,
  encryptEngineSecret,
  locationOf,
  rolePasswordsOf,
  type ServingRoles,
} from './engine-secret.ts';

export interface EngineDeps {
  /** Connected as the worker role. */
  workerDatabase: Database;
  keyRing: KeyRing;
  memoryStore: RpcClient<typeof MemoryStoreService>;
}

/** The memory service's schema and roles carry its name on every engine. */
const SERVICE = 'memory';
const PREPARE_TIMEOUT_MS = 60_000;

/** Creates database, roles and schema of the memory service on the server. Idempotent. */
export async function prepareServer(
  deps: Pick<EngineDeps, 'memoryStore'>,
  server: EngineServer & { password: string },
): Promise<ServingRoles> {
  const { adminUrl, password, ...names } = server;
  const { roles } = await provisionService({
    superuserUrl: adminUrl,
    service: SERVICE,
    passwords: rolePasswordsOf(password),
    // The roles are this engine's alone; those of an earlier version have another password.
    replacePasswords: true,
    ...names,
  });
  const own = new URL(adminUrl);
  own.pathname = `/${names.database}`;
  await installPgvector(own.href, SERVICE);
  // The memory service has the migrations. It sees the owner's URL for this call only, and of this engine only.
  await deps.memoryStore.prepareEngine({ ownerUrl: roles.ownerUrl }, { timeoutMs: PREPARE_TIMEOUT_MS });
  if (names.rolePrefix !== undefined)
    await bindPolicies({ ownerUrl: roles.ownerUrl, service: SERVICE, rolePrefix: names.rolePrefix });
  return { url: roles.url, workerUrl: roles.workerUrl };
}

/** Prepares the engine's server at its present address and activates it there; false when it was active there already. */
export async function activateEngine(deps: EngineDeps, engineId: string, server: EngineServer): Promise<boolean> {
  const stored = await deps.workerDatabase.transaction((tx) => findEngineSecret(tx, engineId));
  if (stored === null) throw new Error(`the engine ${engineId} has no secret`);
  const { roles: before, ...kept } = await decryptEngineSecret(deps.keyRing, engineId, stored);
  const roles = await prepareServer(deps, { ...server, password: kept.password });
  if (before?.url === roles.url && before.workerUrl === roles.workerUrl) return false;
  const sealed = await encryptEngineSecret(deps.keyRing, engineId, { ...kept, roles });
  await deps.workerDatabase.transaction((tx) =>
    relocateEngine(tx, { engineId, location: locationOf(roles.url), sealed, status: 'active' }),
  );
  return true;
}
