import { type MemoryMessage, TenancyService } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import type { Identity } from '@cairn/identity';
import type { RpcClient } from '@cairn/service-kit';
import { LRUCache } from 'lru-cache';
import { DEFAULT_ENGINE_ID } from './engines/engines.ts';

/** The memory a request is about. */
export interface TargetMemory {
  tenantId: string;
  memoryId: string;
  workspaceId: string;
  rootVaultId: string;
  /** The server that holds it. */
  engineId: string;
}

export interface MemoryLookup {
  /** The memory meant by `memory_id`, the hostname, the key, or else the default workspace's primary one. */
  find(
    call: { identity: Identity; identityToken: string; signal: AbortSignal },
    wishedMemoryId: string | undefined,
  ): Promise<TargetMemory>;
}

const KNOWN_MAX = 50_000;
const KNOWN_MS = 10_000;

/** Asks tenancy in the caller's name and remembers the answer for a moment, per tenant. */
export function createMemoryLookup(tenancy: RpcClient<typeof TenancyService>): MemoryLookup {
  const known = new LRUCache<string, TargetMemory>({ max: KNOWN_MAX, ttl: KNOWN_MS });
  return {
    async find(call, wishedMemoryId) {
      const memoryId = boundMemory(call.identity, wishedMemoryId);
      const name = `${call.identity.tenantId} ${memoryId}`;
      const cached = known.get(name);
      if (cached !== undefined) return cached;
      const { memory } = await tenancy.getMemory(
        { memoryId },
        { identityToken: call.identityToken, signal: call.signal },
      );
      if (memory === undefined) throw new CairnError('internal', '', { internal: 'tenancy answered without a memory' });
      assertUsable(memory);
      const target = {
        tenantId: memory.tenantId,
        memoryId: memory.memoryId,
        workspaceId: memory.workspaceId,
        rootVaultId: memory.rootVaultId,
        engineId: memory.engineId === '' ? DEFAULT_ENGINE_ID : memory.engineId,
      };
      known.set(name, target);
      return target;
    },
  };
}

/** Whatever binds the request wins over nothing; two that differ are refused. Empty means the default. */
function boundMemory(identity: Identity, wished: string | undefined): string {
  const bindings = [wished, identity.hostMemoryId ?? undefined, identity.memoryId ?? undefined].filter(
    (id) => id !== undefined,
  );
  const [first = '', ...others] = bindings;
  if (others.some((other) => other !== first)) {
    throw new CairnError('memory_not_permitted', 'The request names a memory that its key or hostname does not reach.');
  }
  return first;
}

function assertUsable(memory: MemoryMessage): void {
  if (memory.status !== 'active') throw new CairnError('conflict', `The memory is ${memory.status}.`);
}
