import { ResearchErasureService } from '@cairn/contracts';
import type { Database } from '@cairn/postgres';
import { type BoundService, requireService, rpc } from '@cairn/service-kit';
import { eraseScope } from './erasure/erase-scope.ts';

/** What tenancy asks of this service. */
export function rpcServices(parts: { workerDatabase: Database }): BoundService[] {
  return [
    rpc(ResearchErasureService, {
      async eraseScope({ tenantId, memoryId, vaultId }, context) {
        requireService(context, 'tenancy');
        return { finished: await eraseScope(parts.workerDatabase, { tenantId, memoryId, vaultId }) };
      },
    }),
  ];
}
