import { WebhooksErasureService, WebhooksOperatorService } from '@cairn/contracts';
import type { Database } from '@cairn/postgres';
import type { Sealing } from '@cairn/sealing';
import { type BoundService, requireService, rpc } from '@cairn/service-kit';
import { eraseScope } from './erasure/erase-scope.ts';
import { resealSecrets } from './webhooks/reseal-secrets.ts';

/** What tenancy and the operator ask of this service. */
export function rpcServices(parts: { workerDatabase: Database; sealing: Sealing }): BoundService[] {
  return [
    rpc(WebhooksErasureService, {
      async eraseScope({ tenantId, memoryId, vaultId }, context) {
        requireService(context, 'tenancy');
        return { finished: await eraseScope(parts.workerDatabase, { tenantId, memoryId, vaultId }) };
      },
    }),
    rpc(WebhooksOperatorService, {
      async resealSecrets(_request, context) {
        requireService(context, 'operator');
        return { resealed: await resealSecrets(parts) };
      },
    }),
  ];
}
