import { ResearchErasureService, ResearchFeaturesService } from '@cairn/contracts';
import type { Database } from '@cairn/postgres';
import { type BoundService, requireService, rpc } from '@cairn/service-kit';
import { eraseScope } from './erasure/erase-scope.ts';

/** What the operator has configured for runs and models. */
export interface ResearchFeatures {
  languageModels: readonly string[];
  embeddings: boolean;
  reranking: boolean;
  webSearch: boolean;
  proxy: boolean;
}

/** The gRPC services that tenancy calls. */
export function rpcServices(deps: { workerDatabase: Database; features: ResearchFeatures }): BoundService[] {
  return [
    rpc(ResearchErasureService, {
      async eraseScope({ tenantId, memoryId, vaultId }, context) {
        requireService(context, 'tenancy');
        return { finished: await eraseScope(deps.workerDatabase, { tenantId, memoryId, vaultId }) };
      },
    }),
    rpc(ResearchFeaturesService, {
      async getFeatures(_request, context) {
        requireService(context, 'tenancy');
        return { ...deps.features, languageModels: [...deps.features.languageModels] };
      },
    }),
  ];
}
