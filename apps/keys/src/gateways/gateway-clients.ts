import { Effect, GatewayService } from '@cairn/contracts';
import type { CoordinatorOptions, Invalidation } from '@cairn/revocation';
import type { ServiceTokenSource } from '@cairn/identity';
import { type InternalTls, rpcClient, type RpcClient, type Running } from '@cairn/service-kit';
import { LRUCache } from 'lru-cache';
import { observeNotification } from './gateway-metrics.ts';

const PUSH_TIMEOUT_MS = 1_000;
const GATEWAYS_MAX = 1_000;

interface GatewayClients extends Running {
  push: CoordinatorOptions['push'];
}

/** gRPC clients of the gateways, each reached at its own address. */
export function createGatewayClients(serviceToken: ServiceTokenSource, tls: InternalTls | null): GatewayClients {
  const clients = new LRUCache<string, RpcClient<typeof GatewayService>>({
    max: GATEWAYS_MAX,
    dispose: (client) => client.close(),
  });
  const clientOf = (address: string) => {
    const known = clients.get(address);
    if (known !== undefined) return known;
    const client = rpcClient(GatewayService, address, serviceToken, tls);
    clients.set(address, client);
    return client;
  };
  return {
    push: (lease, invalidation) =>
      observeNotification(clientOf(lease.address).invalidate(requestOf(invalidation), { timeoutMs: PUSH_TIMEOUT_MS })),
    async close() {
      clients.clear();
    },
  };
}

function requestOf({ invalidated, effect, closes }: Invalidation) {
  const message = { effect: effect === 'deny' ? Effect.DENY : Effect.RECHECK, closes };
  if (invalidated.what === 'credentials') return { ...message, credentialIds: [...invalidated.ids] };
  return {
    ...message,
    tenantId: invalidated.tenantId,
    memoryId: invalidated.what === 'tenant' ? '' : invalidated.memoryId,
    spaceId: invalidated.what === 'space' ? invalidated.spaceId : '',
  };
}
