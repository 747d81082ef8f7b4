import { CairnError, notFound } from '@cairn/errors';
import { refusalOf } from '@cairn/identity';
import { LRUCache } from 'lru-cache';
import type { Engines } from '../memories/engines.ts';
import type { Caller, MemoryResolver } from '../memories/resolve-memory.ts';
import type { SettingsSource } from '../memories/memory-settings.ts';
import { findThread } from './thread-store.ts';
import type { TargetMemory } from '../memories/memory-scope.ts';

/** What operations on threads use. */
export interface ThreadDeps {
  engines: Engines;
  memories: MemoryResolver;
  threads: ThreadLocator;
}

/** What operations use that store texts in threads. */
export interface ThreadTextDeps extends ThreadDeps {
  /** Asked each time what is masked: by a cached policy, texts would be stored that the memory's owner forbade. */
  settings: Pick<SettingsSource, 'read'>;
}

/** Finds the memory that a thread lies in. */
export interface ThreadLocator {
  /**
   * Looks on every engine of the tenant. Throws `not_found` for a thread that does not exist and
   * `memory_not_permitted` for one that the caller's key does not reach.
   */
  locate(context: Caller, threadId: string): Promise<TargetMemory>;
}

const THREADS_CACHED_MAX = 50_000;

export function createThreadLocator(deps: { engines: Engines; memories: MemoryResolver }): ThreadLocator {
  /** A thread never moves, so an entry stays true; whether the thread still exists is looked up each time. */
  const places = new LRUCache<string, ThreadPlace>({ max: THREADS_CACHED_MAX });
  return {
    async locate(context, threadId) {
      const { identity } = context;
      const cacheKey = `${identity.tenantId} ${threadId}`;
      const place = places.get(cacheKey) ?? (await searchEngines(deps, context, threadId));
      if (place === null) throw notFound('The thread');
      places.set(cacheKey, place);
      const refusal = refusalOf(identity, { place });
      if (refusal !== null && 'outside' in refusal) throw notPermitted(refusal.outside);
      return deps.memories.resolve(context, { memory_id: place.memoryId });
    },
  };
}

interface ThreadPlace {
  memoryId: string;
  spaceId: string | null;
}

/** An unreachable engine hides its own threads and no others: it matters only when no other has the thread. */
async function searchEngines(
  deps: { engines: Engines; memories: MemoryResolver },
  context: Caller,
  threadId: string,
): Promise<ThreadPlace | null> {
  const engineIds = await deps.memories.listEngines(context);
  const looks = await Promise.allSettled(
    engineIds.map((engineId) =>
      deps.engines.readTenant(engineId, context.identity.tenantId, (tx) => findThread(tx, threadId)),
    ),
  );
  const row = looks.map((look) => (look.status === 'fulfilled' ? look.value : null)).find((found) => found !== null);
  if (row !== undefined) return { memoryId: row.memory_id, spaceId: row.space_id };
  const failed = looks.find((look) => look.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return null;
}

function notPermitted(what: 'memory' | 'space'): CairnError {
  return new CairnError('memory_not_permitted', `The key reaches another ${what}.`);
}
