import { type MemoryMessage, type SpaceMessage, TenancyService } from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import { confine, type Identity } from '@cairn/identity';
import type { RpcClient } from '@cairn/service-kit';
import { LRUCache } from 'lru-cache';
import { DEFAULT_ENGINE_ID, type TargetMemory } from './memory-scope.ts';

export interface Caller {
  identity: Identity;
  identityToken: string;
  signal: AbortSignal;
}

/** What a request names; undefined is left to its key, its hostname and the defaults. */
interface MemorySelector {
  memory_id?: string | undefined;
  /** Null: the root of the memory, which a key that is bound to a space does not reach. */
  space_id?: string | null | undefined;
}

export interface MemoryResolver {
  /**
   * The place meant by the request, the hostname, the key, or else the default workspace's primary memory. What binds
   * the request must agree: another memory or space than the key's or hostname's is `memory_not_permitted`.
   */
  resolve(context: Caller, selector: MemorySelector): Promise<TargetMemory>;
  /** The engines that hold memories of the caller's tenant. */
  listEngines(context: Caller): Promise<string[]>;
}

const CACHED_MAX = 50_000;
const CACHED_MS = 10_000;

/** Asks tenancy on the caller's behalf and caches the response briefly, per tenant. */
export function createMemoryResolver(tenancy: RpcClient<typeof TenancyService>): MemoryResolver {
  const cached = new LRUCache<string, TargetMemory>({ max: CACHED_MAX, ttl: CACHED_MS });
  return {
    async resolve(context, selector) {
      const confined = confine(context.identity, { memoryId: selector.memory_id, spaceId: selector.space_id });
      if (!confined.ok) throw notPermitted(confined.outside);
      // Empty means the default.
      const { memoryId, spaceId } = { memoryId: confined.memoryId ?? '', spaceId: confined.spaceId ?? '' };
      const cacheKey = `${context.identity.tenantId} ${memoryId} ${spaceId}`;
      const hit = cached.get(cacheKey);
      if (hit !== undefined) return hit;
      const options = { onBehalfOf: context.identityToken, signal: context.signal };
      const found =
        spaceId === ''
          ? { ...(await tenancy.getMemory({ memoryId }, options)), space: undefined }
          : await tenancy.getSpace({ spaceId }, options);
      const target = targetOf(found);
      if (memoryId !== '' && target.memoryId !== memoryId) throw foreignSpace(context.identity);
      cached.set(cacheKey, target);
      return target;
    },
    async listEngines(context) {
      const options = { onBehalfOf: context.identityToken, signal: context.signal };
      return (await tenancy.listTenantEngines({}, options)).engineIds;
    },
  };
}

function targetOf({ memory, space }: { memory?: MemoryMessage; space?: SpaceMessage | undefined }): TargetMemory {
  if (memory === undefined) throw new CairnError('internal', '', { internal: 'tenancy answered without a memory' });
  if (memory.status !== 'active') throw new CairnError('conflict', `The memory is ${memory.status}.`);
  return {
    tenantId: memory.tenantId,
    memoryId: memory.memoryId,
    workspaceId: memory.workspaceId,
    rootVaultId: memory.rootVaultId,
    engineId: memory.engineId === '' ? DEFAULT_ENGINE_ID : memory.engineId,
    spaceId: space?.spaceId ?? null,
    vaultId: space?.vaultId ?? memory.rootVaultId,
  };
}

/** A key or hostname bound elsewhere gets an error that says so; for anybody else the memory has no such space. */
function foreignSpace(identity: Identity): CairnError {
  const bound = identity.memoryId !== null || identity.hostMemoryId !== null;
  return bound ? notPermitted('space') : notFound('The space');
}

function notPermitted(what: 'memory' | 'space'): CairnError {
  return new CairnError('memory_not_permitted', `The request names a ${what} that its key or hostname does not reach.`);
}
