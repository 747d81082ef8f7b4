import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DescService } from '@bufbuild/protobuf';
import {
  type KeyKind,
  KeysOperatorService,
  type TenantMessage,
  TenancyOperatorService,
  WebhooksOperatorService,
  UsageOperatorService,
} from '@cairn/contracts';
import { createServiceTokenSource, createTokenSigner } from '@cairn/identity';
import { createLogger, type InternalTls, openInternalTls, rpcClient, type RpcClient } from '@cairn/service-kit';
import type { Config } from './config.ts';
import { type Addresses, ADDRESSES_FILE, openDataFolder, readJson } from './data-folder.ts';

/** What only an operator may do, over gRPC with the operator's own signing key. */
export interface Operator {
  createTenant(request: { name: string; plan: string }): Promise<{ live: TenantMessage; test: TenantMessage }>;
  /** Returns the plaintext, which is stored nowhere. */
  mintKey(tenant: TenantMessage, kind: KeyKind, name: string): Promise<string>;
  keys: RpcClient<typeof KeysOperatorService>;
  tenancy: RpcClient<typeof TenancyOperatorService>;
  webhooks: RpcClient<typeof WebhooksOperatorService>;
  usage: RpcClient<typeof UsageOperatorService>;
  close(): Promise<void>;
}

const SERVICES = ['keys', 'tenancy', 'webhooks', 'usage'] as const;
/** The services that operator commands call. */
export type OperatorService = (typeof SERVICES)[number];
type OperatorAddresses = Readonly<Record<OperatorService, string | undefined>>;

/** Connects to those services only that are called; one without an address throws then. */
export async function connectOperator(
  keyFile: string,
  addresses: OperatorAddresses,
  tls: InternalTls | null = null,
): Promise<Operator> {
  const signer = await createTokenSigner(JSON.parse(await readFile(keyFile, 'utf8')));
  const token = createServiceTokenSource(signer, 'operator');
  const clients = new Map<OperatorService, { close(): void }>();
  const clientOf = <Service extends DescService>(name: OperatorService, service: Service): RpcClient<Service> => {
    const known = clients.get(name);
    if (known !== undefined) return known as RpcClient<Service>;
    const address = addresses[name];
    if (address === undefined)
      throw new Error(
        `This command calls ${name}: set --${name} or CAIRN_${name.toUpperCase()}_GRPC to its host:port.`,
      );
    const client = rpcClient(service, address, token, tls);
    clients.set(name, client);
    return client;
  };
  return {
    get keys() {
      return clientOf('keys', KeysOperatorService);
    },
    get tenancy() {
      return clientOf('tenancy', TenancyOperatorService);
    },
    get webhooks() {
      return clientOf('webhooks', WebhooksOperatorService);
    },
    get usage() {
      return clientOf('usage', UsageOperatorService);
    },
    async createTenant(request) {
      // Before the tenant is there: without this service it could not be given a key.
      clientOf('keys', KeysOperatorService);
      const { live, test } = await clientOf('tenancy', TenancyOperatorService).createTenant(request);
      return { live: live!, test: test! };
    },
    async mintKey(tenant, kind, name) {
      const minted = await clientOf('keys', KeysOperatorService).mintKey({
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
    async close() {
      for (const client of clients.values()) client.close();
      await tls?.close();
    },
  };
}

/** Flags that say where an installation is; each stands before the variable of the same meaning. */
export interface OperatorFlags extends Partial<Record<OperatorService, string>> {
  operatorKey?: string;
}

/** The operator of the installation that flags or settings name: by key and addresses, or else by its data folder. */
export async function operatorOf(settings: Config, flags: OperatorFlags = {}): Promise<Operator> {
  const addresses = {
    keys: flags.keys ?? settings.keysGrpc,
    tenancy: flags.tenancy ?? settings.tenancyGrpc,
    webhooks: flags.webhooks ?? settings.webhooksGrpc,
    usage: flags.usage ?? settings.usageGrpc,
  };
  const keyFile = flags.operatorKey ?? settings.operatorKeyFile;
  if (keyFile !== undefined) {
    const tls = await openInternalTls(settings, createLogger('cairn', 'warn'));
    return connectOperator(keyFile, addresses, tls);
  }
  const named = SERVICES.find((name) => flags[name] !== undefined);
  if (named !== undefined)
    throw new Error(`With --${named}, set --operator-key or CAIRN_OPERATOR_KEY_FILE to the operator's signing key.`);
  const { dataDir } = settings;
  // Read first: what is no installation must not become a folder with keys.
  const running = await readJson<Addresses>(join(dataDir, ADDRESSES_FILE));
  if (running === null)
    throw new Error(
      `No installation runs on ${dataDir}. Start one with “npm start”, or name another one by --operator-key and its addresses.`,
    );
  const folder = await openDataFolder(dataDir);
  return connectOperator(folder.signingKeyFile('operator'), grpcAddressesOf(running));
}

/** What of the addresses operator commands call. */
export function grpcAddressesOf(addresses: Addresses): Record<OperatorService, string> {
  return {
    keys: addresses.keysGrpc,
    tenancy: addresses.tenancyGrpc,
    webhooks: addresses.webhooksGrpc,
    usage: addresses.usageGrpc,
  };
}
