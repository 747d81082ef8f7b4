import { ResearchErasureService } from '@cairn/contracts';
import type { Database } from '@cairn/postgres';
import { type BoundService, requireService, rpc } from '@cairn/service-kit';
import { eraseScope } from './erasure/erase-scope.ts';

/** The gRPC service that tenancy calls. */
export function rpcServices(deps: { workerDatabase: Database }): BoundService[] {
  return [
    rpc(ResearchErasureService, {
      async eraseScope({ tenantId, memoryId, vaultId }, context) {
        requireService(context, 'tenancy');
        return { finished: await eraseScope(deps.workerDatabase, { tenantId, memoryId, vaultId }) };
      },
    }),
  ];
}
