import type { LRUCache } from 'lru-cache';
import type { MemoryScope } from '../../document-store.ts';
import { createIdleCache } from '../../idle-cache.ts';
import type { Mention, SignalLink } from './neighbourhood.ts';

/** What lies around names in one state of a graph, as far as it was looked up before; by the names' numbers. */
export interface KnownNeighbours {
  links: KnownOf<readonly SignalLink[]>;
  mentions: KnownOf<readonly Mention[]>;
}

export interface KnownOf<Value> {
  get(nameNo: number): Value | undefined;
  set(nameNo: number, value: Value): void;
}

/** Keeps neighbours of names over searches: most questions come by the same few names, which have the most. */
export interface NeighbourCache {
  of(scope: MemoryScope, state: string): KnownNeighbours;
  purgeIdle(): void;
}

const ROWS_KEPT_MAX = 200_000;

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
  return createIdleCache<readonly Row[]>(ROWS_KEPT_MAX, (rows) => 1 + rows.length);
}

function knownIn<Row>(cache: LRUCache<string, readonly Row[]>, prefix: string): KnownOf<readonly Row[]> {
  return {
    get: (nameNo) => cache.get(prefix + nameNo),
    set: (nameNo, rows) => void cache.set(prefix + nameNo, rows),
  };
}
