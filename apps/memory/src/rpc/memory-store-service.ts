import { type ErasureScope, MemoryStoreService } from '@cairn/contracts';
import { CairnError, validationFailed } from '@cairn/errors';
import { type BoundService, requireService, rpc } from '@cairn/service-kit';
import type { EnginePool } from '../runtime/engine-pool.ts';
import { closeScope } from '../memories/closed-scopes.ts';
import { eraseScope } from '../erasure/erase-scope.ts';
import { storageUsageOf } from '../ingestion/storage-usage.ts';
import { SEARCH_ACTIONS } from '../memories/managed-search.ts';
import { listStoredMemories } from '../memories/list-stored-memories.ts';
import { setSuspended } from '../memories/set-suspended.ts';
import { migrateEngine } from '../runtime/migrate-engine.ts';
import { DEFAULT_ENGINE_ID, type ErasableScope } from '../memories/memory-scope.ts';

interface MemoryStoreDeps {
  engines: EnginePool;
  /** Folders of the schema's migrations. */
  migrations: readonly string[];
  /** About how long one call erases. */
  eraseBudgetMs: number;
}

/** The calls that tenancy makes to provision, suspend and erase memories. */
export function memoryStoreService(deps: MemoryStoreDeps): BoundService {
  return rpc(MemoryStoreService, {
    async prepareEngine(request, context) {
      requireService(context, 'tenancy');
      await migrateEngine(request.ownerUrl, deps.migrations);
      return {};
    },
    async closeScope(request, context) {
      requireService(context, 'tenancy');
      const { engineId, scope } = scopeOf(request.scope);
      await deps.engines.onEngine(engineId, ({ database }) => closeScope(database, scope));
      return {};
    },
    async setSuspended(request, context) {
      requireService(context, 'tenancy');
      const { engineId, scope } = scopeOf(request.scope);
      await deps.engines.onEngine(engineId, ({ database }) => setSuspended(database, scope, request.suspended));
      return {};
    },
    async eraseScope(request, context) {
      requireService(context, 'tenancy');
      const { engineId, scope } = scopeOf(request.scope);
      const finished = await deps.engines.onEngine(engineId, (engine) => eraseScope(engine, scope, deps.eraseBudgetMs));
      return { finished };
    },
    async listStoredMemories({ engineId, afterMemoryId }, context) {
      requireService(context, 'tenancy');
      const memories = await deps.engines.onEngine(engineId, ({ workerDatabase }) =>
        listStoredMemories(workerDatabase, afterMemoryId),
      );
      return { memories };
    },
    async manageSearch({ scope: named, action }, context) {
      requireService(context, 'tenancy');
      const { engineId, scope } = scopeOf(named);
      const known = SEARCH_ACTIONS.find((each) => each === action);
      if (known === undefined)
        throw validationFailed([{ path: 'action', message: `must be one of ${SEARCH_ACTIONS.join(', ')}` }]);
      const state = await deps.engines.onEngine(engineId, ({ search }) => {
        if (search === null) throw new CairnError('conflict', 'The engine of the memory has no OpenSearch cluster.');
        return search.manage(scope, known);
      });
      return { ...state, drift: state.drift ?? undefined };
    },
    async getStorageUse({ tenantId, engineIds }, context) {
      requireService(context, 'tenancy');
      let used = { documents: 0, bytes: 0 };
      for (const engineId of engineIds) {
        const here = await deps.engines.onEngine(engineId, ({ database }) =>
          database.withTenant(tenantId, (tx) => storageUsageOf(tx, tenantId)),
        );
        used = { documents: used.documents + here.documents, bytes: used.bytes + here.bytes };
      }
      return { documents: BigInt(used.documents), storedBytes: BigInt(used.bytes) };
    },
  });
}

/** The scope and its engine. A scope without its ids would be everybody's. */
function scopeOf(scope: ErasureScope | undefined): { engineId: string; scope: ErasableScope } {
  if (scope === undefined || scope.tenantId === '' || scope.memoryId === '')
    throw validationFailed([{ path: 'scope', message: 'must name a tenant and a memory' }]);
  return {
    engineId: scope.engineId === '' ? DEFAULT_ENGINE_ID : scope.engineId,
    scope: {
      tenantId: scope.tenantId,
      memoryId: scope.memoryId,
      vaultId: scope.vaultId === '' ? null : scope.vaultId,
    },
  };
}
