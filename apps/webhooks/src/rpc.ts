import { WebhooksErasureService, WebhooksOperatorService, WebhookUseService } from '@cairn/contracts';
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
    rpc(WebhookUseService, {
      async getWebhookUse({ tenantId }, context) {
        requireService(context, 'tenancy');
        const rows = await deps.workerDatabase.withTenant(tenantId, (tx) =>
          tx.query<{ webhooks: number }>(
            'SELECT count(*) AS webhooks FROM webhooks WHERE tenant_id = $1 AND deleted_at IS NULL',
            [tenantId],
          ),
        );
        return { webhooks: BigInt(rows[0]!.webhooks) };
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
