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
import type { Config } from './config.ts';
import { type Addresses, openDataFolder, readJson } from './data-folder.ts';

/** What only an operator may do, over gRPC with the operator's own signing key. */
export interface Operator {
  createTenant(request: { name: string; plan: string }): Promise<{ live: TenantMessage; test: TenantMessage }>;
  /** Returns the plaintext, which is stored nowhere. */
  mintKey(tenant: TenantMessage, kind: KeyKind, name: string): Promise<string>;
  tenancy: RpcClient<typeof TenancyOperatorService>;
  webhooks: RpcClient<typeof WebhooksOperatorService>;
  usage: RpcClient<typeof UsageOperatorService>;
  close(): void;
}

type OperatorAddresses = Pick<Addresses, 'keysGrpc' | 'tenancyGrpc' | 'webhooksGrpc' | 'usageGrpc'>;

export async function connectOperator(keyFile: string, addresses: OperatorAddresses): Promise<Operator> {
  const signer = await createTokenSigner(JSON.parse(await readFile(keyFile, 'utf8')));
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

/** The operator of the installation that the settings name: by key and addresses, or else by its data folder. */
export async function operatorOf(settings: Config): Promise<Operator> {
  const { operatorKeyFile, keysGrpc, tenancyGrpc, webhooksGrpc, usageGrpc, dataDir } = settings;
  if (operatorKeyFile !== undefined) {
    if (keysGrpc === undefined || tenancyGrpc === undefined || webhooksGrpc === undefined || usageGrpc === undefined)
      throw new Error(
        'With CAIRN_OPERATOR_KEY_FILE, set CAIRN_KEYS_GRPC, CAIRN_TENANCY_GRPC, CAIRN_WEBHOOKS_GRPC and CAIRN_USAGE_GRPC, each host:port.',
      );
    return connectOperator(operatorKeyFile, { keysGrpc, tenancyGrpc, webhooksGrpc, usageGrpc });
  }
  const folder = await openDataFolder(dataDir);
  const addresses = await readJson<Addresses>(folder.addressesFile);
  if (addresses === null) throw new Error(`No installation runs on ${dataDir}. Run “npm start” first.`);
  return connectOperator(folder.signingKeyFile('operator'), addresses);
}
