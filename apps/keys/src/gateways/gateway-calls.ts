import { Effect, GatewayService } from '@cairn/contracts';
import type { CoordinatorOptions, Narrowing } from '@cairn/revocation';
import type { ServiceTokenSource } from '@cairn/identity';
import { rpcClient, type RpcClient, type Running } from '@cairn/service-kit';
import { LRUCache } from 'lru-cache';

const PUSH_TIMEOUT_MS = 1_000;
const GATEWAYS_MAX = 1_000;

export interface GatewayCalls extends Running {
  push: CoordinatorOptions['push'];
}

/** Tells gateways directly, each at its own address. */
export function createGatewayCalls(serviceToken: ServiceTokenSource): GatewayCalls {
  const clients = new LRUCache<string, RpcClient<typeof GatewayService>>({
    max: GATEWAYS_MAX,
    dispose: (client) => client.close(),
  });
  const clientOf = (address: string) => {
    const known = clients.get(address);
    if (known !== undefined) return known;
    const client = rpcClient(GatewayService, address, serviceToken);
    clients.set(address, client);
    return client;
  };
  return {
    push: (lease, narrowing) => clientOf(lease.address).narrow(requestOf(narrowing), { timeoutMs: PUSH_TIMEOUT_MS }),
    async close() {
      clients.clear();
    },
  };
}

function requestOf({ narrowed, effect, closes }: Narrowing) {
  const message = { effect: effect === 'deny' ? Effect.DENY : Effect.RECHECK, closes };
  if (narrowed.what === 'credentials') return { ...message, credentialIds: [...narrowed.ids] };
  return {
    ...message,
    tenantId: narrowed.tenantId,
    memoryId: narrowed.what === 'tenant' ? '' : narrowed.memoryId,
    spaceId: narrowed.what === 'space' ? narrowed.spaceId : '',
  };
}
