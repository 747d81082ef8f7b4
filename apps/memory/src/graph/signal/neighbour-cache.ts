import type { LRUCache } from 'lru-cache';
import { createIdleCache } from '../../cache/idle-cache.ts';
import type { CachedRows, Mention, SignalLink } from './neighbourhood.ts';
import type { MemoryScope } from '../../memories/memory-scope.ts';

/** What lies around names in one state of a graph, as far as it was looked up before; by the names' numbers. */
interface CachedNeighbours {
  links: CachedRows<readonly SignalLink[]>;
  mentions: CachedRows<readonly Mention[]>;
}

/** Keeps neighbours of names over searches: most questions come by the same few names, which have the most. */
export interface NeighbourCache {
  of(scope: MemoryScope, state: string): CachedNeighbours;
  purgeIdle(): void;
}

const CACHED_ROWS_MAX = 200_000;

export function createNeighbourCache(): NeighbourCache {
  const links = boundedCache<SignalLink>();
  const mentions = boundedCache<Mention>();
  return {
    of({ tenantId, memoryId }, state) {
      const prefix = `${tenantId} ${memoryId} ${state} `;
      return { links: knownIn(links, prefix), mentions: knownIn(mentions, prefix) };
    },
    purgeIdle: () => [links, mentions].forEach((cache) => cache.purgeStale()),
  };
}

function boundedCache<Row>(): LRUCache<string, readonly Row[]> {
  return createIdleCache<readonly Row[]>(CACHED_ROWS_MAX, (rows) => 1 + rows.length);
}

function knownIn<Row>(cache: LRUCache<string, readonly Row[]>, prefix: string): CachedRows<readonly Row[]> {
  return {
    get: (nameNo) => cache.get(prefix + nameNo),
    set: (nameNo, rows) => void cache.set(prefix + nameNo, rows),
  };
}
