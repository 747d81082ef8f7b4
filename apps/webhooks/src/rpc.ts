import { WebhooksErasureService, WebhooksOperatorService } from '@cairn/contracts';
import type { Database } from '@cairn/postgres';
import type { KeyRing } from '@cairn/encryption';
import { type BoundService, requireService, rpc } from '@cairn/service-kit';
import { eraseScope } from './erasure/erase-scope.ts';
import { reencryptSecrets } from './signing/reencrypt-secrets.ts';

/** What tenancy and the operator ask of this service. */
export function rpcServices(deps: { workerDatabase: Database; keyRing: KeyRing }): BoundService[] {
  return [
    rpc(WebhooksErasureService, {
      async eraseScope({ tenantId, memoryId, vaultId }, context) {
        requireService(context, 'tenancy');
        return { finished: await eraseScope(deps.workerDatabase, { tenantId, memoryId, vaultId }) };
      },
    }),
    rpc(WebhooksOperatorService, {
      async reencryptSecrets(_request, context) {
        requireService(context, 'operator');
        return { resealed: await reencryptSecrets(deps) };
      },
    }),
  ];
}
