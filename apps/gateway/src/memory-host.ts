import type { TenancyService } from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import type { RpcClient } from '@cairn/service-kit';
import { createLookupCache, type Lookup, unavailable } from './lookup-cache.ts';

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
const UNKNOWN_HOSTS_MAX = 5_000;
const UNKNOWN_HOST_KEPT_MS = 2_000;
const HOSTS_REMEMBERED_MAX = 40_000;
/** In each lane: of names that were found before, and of others. */
const PENDING_MAX = 500;
const LOOKUP_TIMEOUT_MS = 2_000;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const MEMORY_PATH = '/api/v1/memory/';

type Tenancy = Pick<RpcClient<typeof TenancyService>, 'findMemoryHost'>;

export function createMemoryHosts(tenancy: Tenancy, memoryDomain: string): MemoryHosts {
  const suffix = suffixOf(memoryDomain);
  const lookUp = createLookupCache<HostMemory, 'unknown'>(
    {
      foundMax: HOSTS_MAX,
      foundKeptMs: HOST_KEPT_MS,
      refusedMax: UNKNOWN_HOSTS_MAX,
      refusedKeptMs: UNKNOWN_HOST_KEPT_MS,
      rememberedMax: HOSTS_REMEMBERED_MAX,
      seenGoodPendingMax: PENDING_MAX,
      otherPendingMax: PENDING_MAX,
    },
    (label) => ask(tenancy, label),
  );
  return {
    isMemoryHost: (host) => hostnameOf(host).endsWith(suffix),
    async find(host) {
      const name = hostnameOf(host);
      if (!name.endsWith(suffix)) return null;
      const label = name.slice(0, -suffix.length);
      if (!LABEL.test(label)) throw notFound('The memory');
      const answer = await lookUp(label);
      if (!answer.ok) throw notFound('The memory');
      return answer.found;
    },
  };
}

async function ask(tenancy: Tenancy, subdomain: string): Promise<Lookup<HostMemory, 'unknown'>> {
  try {
    const { memoryId, tenantId } = await tenancy.findMemoryHost({ subdomain }, { timeoutMs: LOOKUP_TIMEOUT_MS });
    return { ok: true, found: { memoryId, tenantId } };
  } catch (error) {
    if (error instanceof CairnError && error.code === 'not_found') return { ok: false, refusal: 'unknown' };
    throw unavailable(error);
  }
}

/** Fails when the base address would be taken for a memory's. */
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

/** Binds a request on a memory's hostname: right tenant, right memory, and a path that is the memory's. */
export function assertHostPermits(
  host: HostMemory,
  caller: { tenantId: string; memoryId: string | null },
  operation: { path: string },
): void {
  if (!operation.path.startsWith(MEMORY_PATH)) throw notFound('The operation');
  // Another tenant's memory does not exist for this caller: the answer is that for a name nobody has.
  if (caller.tenantId !== host.tenantId) throw notFound('The memory');
  if (caller.memoryId !== null && caller.memoryId !== host.memoryId) {
    throw new CairnError('memory_not_permitted', 'The key reaches another memory.');
  }
}
