import { type MemoryMessage, type SpaceMessage, TenancyService } from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import { confine, type Identity } from '@cairn/identity';
import type { RpcClient } from '@cairn/service-kit';
import { type DlpPolicy, policyOf } from '@cairn/screening';
import { LRUCache } from 'lru-cache';
import { DEFAULT_ENGINE_ID } from './engines/engines.ts';

/** The memory a request is about, and where in it: in one space, or in all of it. */
export interface TargetMemory {
  tenantId: string;
  memoryId: string;
  workspaceId: string;
  rootVaultId: string;
  /** What is masked of texts before they are stored. */
  dlpPolicy: DlpPolicy;
  /** The server that holds it. */
  engineId: string;
  /** The space's, or null for the whole memory. */
  spaceId: string | null;
  /** Where something new comes to lie: the space's vault, or the memory's root vault. */
  vaultId: string;
}

export interface Asking {
  identity: Identity;
  identityToken: string;
  signal: AbortSignal;
}

/** What a request names; undefined is left to its key, its hostname and the defaults. */
export interface Wish {
  memory_id?: string | undefined;
  /** Null: the root of the memory, which a key that is bound to a space does not reach. */
  space_id?: string | null | undefined;
}

export interface MemoryLookup {
  /**
   * The place meant by the request, the hostname, the key, or else the default workspace's primary memory. What binds
   * the request must agree: another memory or space than the key's or hostname's is `memory_not_permitted`.
   */
  find(call: Asking, wish: Wish): Promise<TargetMemory>;
  /** The engines that hold memories of the caller's tenant. */
  enginesOf(call: Asking): Promise<string[]>;
}

/** True for a vault that the target takes in and that is open. */
export function reaches(target: TargetMemory, closedVaults: ReadonlySet<string>, vaultId: string): boolean {
  return (target.spaceId === null || vaultId === target.vaultId) && !closedVaults.has(vaultId);
}

const KNOWN_MAX = 50_000;
const KNOWN_MS = 10_000;

/** Asks tenancy in the caller's name and remembers the answer for a moment, per tenant. */
export function createMemoryLookup(tenancy: RpcClient<typeof TenancyService>): MemoryLookup {
  const known = new LRUCache<string, TargetMemory>({ max: KNOWN_MAX, ttl: KNOWN_MS });
  return {
    async find(call, wish) {
      const confined = confine(call.identity, { memoryId: wish.memory_id, spaceId: wish.space_id });
      if (!confined.ok) throw notPermitted(confined.outside);
      // Empty means the default.
      const { memoryId, spaceId } = { memoryId: confined.memoryId ?? '', spaceId: confined.spaceId ?? '' };
      const name = `${call.identity.tenantId} ${memoryId} ${spaceId}`;
      const cached = known.get(name);
      if (cached !== undefined) return cached;
      const options = { onBehalfOf: call.identityToken, signal: call.signal };
      const found =
        spaceId === ''
          ? { ...(await tenancy.getMemory({ memoryId }, options)), space: undefined }
          : await tenancy.getSpace({ spaceId }, options);
      const target = targetOf(found);
      if (memoryId !== '' && target.memoryId !== memoryId) throw foreignSpace(call.identity);
      known.set(name, target);
      return target;
    },
    async enginesOf(call) {
      const options = { onBehalfOf: call.identityToken, signal: call.signal };
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
    dlpPolicy: policyOf(memory.dlpPolicy),
    engineId: memory.engineId === '' ? DEFAULT_ENGINE_ID : memory.engineId,
    spaceId: space?.spaceId ?? null,
    vaultId: space?.vaultId ?? memory.rootVaultId,
  };
}

/** A key or hostname that is bound elsewhere is told so; for anybody else the memory has no such space. */
function foreignSpace(identity: Identity): CairnError {
  const bound = identity.memoryId !== null || identity.hostMemoryId !== null;
  return bound ? notPermitted('space') : notFound('The space');
}

function notPermitted(what: 'memory' | 'space'): CairnError {
  return new CairnError('memory_not_permitted', `The request names a ${what} that its key or hostname does not reach.`);
}
