import type { TenancyService } from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import type { RpcClient } from '@cairn/service-kit';
import { LRUCache } from 'lru-cache';

export interface HostMemory {
  memoryId: string;
  tenantId: string;
}

export interface MemoryHosts {
  /** True for every name below the memory domain, also those nobody has. */
  isMemoryHost(host: string): boolean;
  /** The memory whose own hostname this is; null for the base address. Throws `not_found` for a label nobody has. */
  find(host: string): Promise<HostMemory | null>;
}

const HOSTS_MAX = 20_000;
const HOST_KEPT_MS = 30_000;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

export function createMemoryHosts(tenancy: RpcClient<typeof TenancyService>, memoryDomain: string): MemoryHosts {
  const known = new LRUCache<string, HostMemory>({ max: HOSTS_MAX, ttl: HOST_KEPT_MS });
  const suffix = `.${memoryDomain.toLowerCase()}`;
  return {
    isMemoryHost: (host) => hostnameOf(host).endsWith(suffix),
    async find(host) {
      const name = hostnameOf(host);
      if (!name.endsWith(suffix)) return null;
      const label = name.slice(0, -suffix.length);
      if (!LABEL.test(label)) throw notFound('The memory');
      const cached = known.get(label);
      if (cached !== undefined) return cached;
      const { memoryId, tenantId } = await tenancy.findMemoryHost({ subdomain: label });
      const found = { memoryId, tenantId };
      known.set(label, found);
      return found;
    },
  };
}

function hostnameOf(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
}

/** Binds a request on a memory's hostname: right tenant, right memory, and a path that is the memory's. */
export function assertHostPermits(
  host: HostMemory,
  caller: { tenantId: string; memoryId: string | null },
  operation: { reach: 'tenant' | 'memory'; path: string },
): void {
  if (!operation.path.startsWith('/api/v1/memory/')) throw notFound('The operation');
  if (caller.memoryId !== null && caller.memoryId !== host.memoryId) {
    throw new CairnError('memory_not_permitted', 'The key reaches another memory.');
  }
  // Another tenant's memory does not exist for this caller.
  if (caller.tenantId !== host.tenantId) throw notFound('The memory');
}
