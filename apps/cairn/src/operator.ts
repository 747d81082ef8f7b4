import { readFile } from 'node:fs/promises';
import {
  type KeyKind,
  KeysOperatorService,
  type TenantMessage,
  TenancyOperatorService,
  WebhooksOperatorService,
  UsageOperatorService,
} from '@cairn/contracts';
import { createServiceTokenSource, createTokenSigner } from '@cairn/identity';
import { rpcClient, type RpcClient } from '@cairn/service-kit';
import { type DataFolder, openDataFolder, readJson } from './up/data-folder.ts';
import type { Addresses } from './up/services.ts';

/** What only an operator may do, over gRPC with the operator's own signing key. */
export interface Operator {
  createTenant(request: { name: string; plan: string }): Promise<{ live: TenantMessage; test: TenantMessage }>;
  /** Gives the plaintext; it is nowhere else. */
  mintKey(tenant: TenantMessage, kind: KeyKind, name: string): Promise<string>;
  tenancy: RpcClient<typeof TenancyOperatorService>;
  webhooks: RpcClient<typeof WebhooksOperatorService>;
  usage: RpcClient<typeof UsageOperatorService>;
  close(): void;
}

export async function connectOperator(
  folder: DataFolder,
  addresses: Pick<Addresses, 'keysGrpc' | 'tenancyGrpc' | 'webhooksGrpc' | 'usageGrpc'>,
): Promise<Operator> {
  const signer = await createTokenSigner(JSON.parse(await readFile(folder.signingKeyFile('operator'), 'utf8')));
  const token = createServiceTokenSource(signer, 'operator');
  const tenancy = rpcClient(TenancyOperatorService, addresses.tenancyGrpc, token);
  const webhooks = rpcClient(WebhooksOperatorService, addresses.webhooksGrpc, token);
  const usage = rpcClient(UsageOperatorService, addresses.usageGrpc, token);
  const keys = rpcClient(KeysOperatorService, addresses.keysGrpc, token);
  return {
    tenancy,
    webhooks,
    usage,
    async createTenant(request) {
      const { live, test } = await tenancy.createTenant(request);
      return { live: live!, test: test! };
    },
    async mintKey(tenant, kind, name) {
      const minted = await keys.mintKey({
        name,
        kind,
        tenant: {
          tenantId: tenant.tenantId,
          livemode: tenant.livemode,
          plan: tenant.plan,
          revision: tenant.revision,
          rateLimit: { requestsPerSecond: tenant.requestsPerSecond, burst: tenant.burst },
          twinOf: tenant.twinOf,
          monthlyRequests: tenant.monthlyRequests,
          apiKeysMax: tenant.apiKeysMax,
          oauthClientsMax: tenant.oauthClientsMax,
          suggestedPlan: tenant.suggestedPlan,
          upgradeUrl: tenant.upgradeUrl,
        },
      });
      return minted.apiKey;
    },
    close() {
      tenancy.close();
      webhooks.close();
      usage.close();
      keys.close();
    },
  };
}

/** The operator of the installation that runs on this folder. */
export async function operatorOfRunning(dataDir: string): Promise<Operator> {
  const folder = await openDataFolder(dataDir);
  const addresses = await readJson<Addresses>(folder.addressesFile);
  if (addresses === null) throw new Error(`No installation runs on ${dataDir}. Run “npm start” first.`);
  return connectOperator(folder, addresses);
}
