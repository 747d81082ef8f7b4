import { type ErasureScope, MemoryStoreService } from '@cairn/contracts';
import { validationFailed } from '@cairn/errors';
import { type BoundService, requireService, rpc } from '@cairn/service-kit';
import type { EnginePool } from './engines/engine-pool.ts';
import { DEFAULT_ENGINE_ID } from './engines/engines.ts';
import { closeScope, type ErasableScope } from './erasure/closed-scopes.ts';
import { eraseScope } from './erasure/erase-scope.ts';
import { setSuspended } from './erasure/suspended-memories.ts';
import { prepareEngine } from './prepare-engine.ts';

export interface RpcParts {
  engines: EnginePool;
  /** Folders of the schema's migrations. */
  migrations: readonly string[];
  /** About how long one call erases. */
  eraseBudgetMs: number;
}

/** The calls tenancy makes of this service. */
export function rpcServices(parts: RpcParts): BoundService[] {
  return [
    rpc(MemoryStoreService, {
      async prepareEngine(request, context) {
        requireService(context, 'tenancy');
        await prepareEngine(request.ownerUrl, parts.migrations);
        return {};
      },
      async closeScope(request, context) {
        requireService(context, 'tenancy');
        const { engineId, scope } = scopeOf(request.scope);
        await parts.engines.onEngine(engineId, ({ database }) => closeScope(database, scope));
        return {};
      },
      async setSuspended(request, context) {
        requireService(context, 'tenancy');
        const { engineId, scope } = scopeOf(request.scope);
        await parts.engines.onEngine(engineId, ({ database }) => setSuspended(database, scope, request.suspended));
        return {};
      },
      async eraseScope(request, context) {
        requireService(context, 'tenancy');
        const { engineId, scope } = scopeOf(request.scope);
        const finished = await parts.engines.onEngine(engineId, (engine) =>
          eraseScope(engine, scope, parts.eraseBudgetMs),
        );
        return { finished };
      },
    }),
  ];
}

/** What is meant, where. A scope without its ids would be everybody's. */
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
