import type { TenancyService } from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import type { RpcClient } from '@cairn/service-kit';
import { type Lookup, LookupCache } from '@cairn/revocation';
import { unavailable } from './unavailable.ts';

export interface HostMemory {
  memoryId: string;
  tenantId: string;
}

export interface MemoryHosts {
  /** True for every name below the memory domain, whether or not a memory has it. */
  isMemoryHost(host: string): boolean;
  /** The memory whose own hostname this is; null for the base address. Throws `not_found` for an unknown label. */
  find(host: string): Promise<HostMemory | null>;
}

const HOSTS_MAX = 20_000;
const HOST_TTL_MS = 30_000;
const UNKNOWN_HOSTS_MAX = 5_000;
const UNKNOWN_HOST_TTL_MS = 2_000;
const HOSTS_REMEMBERED_MAX = 40_000;
/** In each pool: of names that were found before, and of others. */
const PENDING_MAX = 500;
const LOOKUP_TIMEOUT_MS = 2_000;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const MEMORY_PATH = '/api/v1/memory/';
const WHOAMI_PATH = '/api/v1/whoami';

type Tenancy = Pick<RpcClient<typeof TenancyService>, 'findMemoryHost'>;

export function createMemoryHosts(tenancy: Tenancy, memoryDomain: string): MemoryHosts {
  const suffix = suffixOf(memoryDomain);
  const cache = new LookupCache<HostMemory, 'unknown'>({
    bounds: {
      hitsMax: HOSTS_MAX,
      hitTtlMs: HOST_TTL_MS,
      negativesMax: UNKNOWN_HOSTS_MAX,
      negativeTtlMs: UNKNOWN_HOST_TTL_MS,
      rememberedMax: HOSTS_REMEMBERED_MAX,
      seenGoodPendingMax: PENDING_MAX,
      otherPendingMax: PENDING_MAX,
    },
    lookUp: (label) => findMemory(tenancy, label),
    nowMs: () => performance.now(),
    overloaded: () => new CairnError('unavailable', 'Too many concurrent lookups.'),
  });
  return {
    isMemoryHost: (host) => hostnameOf(host).endsWith(suffix),
    async find(host) {
      const name = hostnameOf(host);
      if (!name.endsWith(suffix)) return null;
      const label = name.slice(0, -suffix.length);
      if (!LABEL.test(label)) throw notFound('The memory');
      const result = await cache.get(label);
      if (!result.ok) throw notFound('The memory');
      return result.hit;
    },
  };
}

async function findMemory(tenancy: Tenancy, subdomain: string): Promise<Lookup<HostMemory, 'unknown'>> {
  try {
    const { memoryId, tenantId } = await tenancy.findMemoryHost({ subdomain }, { timeoutMs: LOOKUP_TIMEOUT_MS });
    return { ok: true, hit: { memoryId, tenantId } };
  } catch (error) {
    if (error instanceof CairnError && error.code === 'not_found') return { ok: false, denial: 'unknown' };
    throw unavailable(error);
  }
}

/** Throws when the base URL would be taken for a memory's hostname. */
export function assertBaseIsNoMemory(baseUrl: string | undefined, memoryDomain: string): void {
  if (baseUrl === undefined) return;
  const { host } = new URL(baseUrl);
  if (hostnameOf(host).endsWith(suffixOf(memoryDomain))) {
    throw new Error(`CAIRN_BASE_URL (${host}) must not lie below CAIRN_MEMORY_DOMAIN (${memoryDomain})`);
  }
}

function suffixOf(memoryDomain: string): string {
  return `.${memoryDomain.toLowerCase()}`;
}

/** The name without port and final dot, in lower case. */
function hostnameOf(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
}

/**
 * Throws unless a request on a memory's hostname has its tenant, its memory, and a path of a memory or the one that says
 * who is calling.
 */
export function assertHostPermits(
  host: HostMemory,
  caller: { tenantId: string; memoryId: string | null },
  operation: { path: string },
): void {
  if (operation.path !== WHOAMI_PATH && !operation.path.startsWith(MEMORY_PATH)) throw notFound('The operation');
  // To this caller another tenant's memory looks like one that does not exist.
  if (caller.tenantId !== host.tenantId) throw notFound('The memory');
  if (caller.memoryId !== null && caller.memoryId !== host.memoryId) {
    throw new CairnError('memory_not_permitted', 'The key reaches another memory.');
  }
}
