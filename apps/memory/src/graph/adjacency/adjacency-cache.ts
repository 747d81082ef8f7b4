import type { LRUCache } from 'lru-cache';
import type { Tx } from '@cairn/postgres';
import { createIdleCache } from '../../cache/idle-cache.ts';
import type { MemoryScope } from '../../memories/memory-scope.ts';
import { type Adjacency, adjacencyBytes, bytesOf, changedAdjacency, GraphTooLarge } from './adjacency.ts';
import {
  type GraphState,
  readAdjacency,
  readChange,
  readNameMetrics,
  stateOf,
  changedNamesSince,
} from './read-adjacency.ts';

/** Runs work in a snapshot of its own. */
type InSnapshot = (work: (tx: Tx) => Promise<void>) => Promise<void>;

/** Graphs as processes keep them between requests, over all memories. */
export interface AdjacencyCache {
  /**
   * The graph as this snapshot sees it, or null: then it is to be asked for by SQL, and if it can be cached, it is read in
   * a snapshot of its own meanwhile. What a caller may see of it is the caller's concern.
   */
  at(tx: Tx, memory: MemoryScope, read: InSnapshot): Promise<Adjacency | null>;
  /** Resolves when no graph is being read. */
  settled(): Promise<void>;
  purgeIdle(): void;
}

const CACHE_MAX_BYTES = 160 * 1024 * 1024;
const TENANT_SHARE = 0.5;
const READS_AT_ONCE_MAX = 2;
/** More names than this that changed: reading all of the graph costs no more. */
const TOUCHED_MAX = 10_000;
/** How long a graph that was too large is not looked at again. */
const TOO_LARGE_FOR_MS = 600_000;
/** Names whose new metrics after an analysis are read while a request waits. */
const ANALYSED_MAX = 20_000;
/** A snapshot is never older; a graph that seems to be of the future for so long is of a past that a backup undid. */
const SNAPSHOT_MAX_MS = 120_000;

interface CachedGraph {
  state: GraphState;
  /** Null: the graph is too large to be cached. */
  adjacency: Adjacency | null;
  cachedAtMs: number;
}

export function createAdjacencyCache(
  options: { maxBytes?: number | undefined; onError?: ((error: unknown) => void) | undefined } = {},
): AdjacencyCache {
  const cache = new GraphCache(options.maxBytes ?? CACHE_MAX_BYTES);
  const reading = new Map<string, Promise<void>>();

  function startReading(memory: MemoryScope, read: InSnapshot): void {
    const key = keyOf(memory);
    const isTenants = (other: string) => other.startsWith(`${memory.tenantId} `);
    if (reading.size >= READS_AT_ONCE_MAX || [...reading.keys()].some(isTenants)) return;
    const work = read(async (tx) => {
      const state = await stateOf(tx, memory);
      if (state !== null) cache.store(memory, state, await readIfCacheable(tx, memory, cache.shareBytes));
    });
    const ended = work.catch((error: unknown) => options.onError?.(error)).finally(() => reading.delete(key));
    reading.set(key, ended);
  }

  return {
    async at(tx, memory, read) {
      const state = await stateOf(tx, memory);
      if (state === null) return null;
      const found = await cache.find(tx, memory, state);
      if (found !== 'outdated') return found;
      startReading(memory, read);
      return null;
    },
    async settled() {
      await Promise.all([...reading.values()]);
    },
    purgeIdle: () => cache.purgeIdle(),
  };
}

class GraphCache {
  /** What the graphs of one tenant take at most. */
  readonly shareBytes: number;
  private readonly entries: LRUCache<string, CachedGraph>;
  /** Graphs that are being brought up to date. */
  private readonly following = new Map<string, Promise<unknown>>();

  constructor(maxBytes: number) {
    this.shareBytes = maxBytes * TENANT_SHARE;
    this.entries = createIdleCache<CachedGraph>(maxBytes, sizeOf);
  }

  store(memory: MemoryScope, state: GraphState, adjacency: Adjacency | null): void {
    const entry = { state, adjacency, cachedAtMs: Date.now() };
    this.entries.delete(keyOf(memory));
    makeRoom(this.entries, `${memory.tenantId} `, this.shareBytes - sizeOf(entry));
    this.entries.set(keyOf(memory), entry);
  }

  /** The graph in a state; null: it is not cached in that one; `outdated`: it has to be read. */
  async find(tx: Tx, memory: MemoryScope, state: GraphState): Promise<Adjacency | null | 'outdated'> {
    const key = keyOf(memory);
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
      const known = this.entries.get(key);
      if (known === undefined) return 'outdated';
      if (isSame(known.state, state)) return known.adjacency;
      if (known.adjacency === null && Date.now() - known.cachedAtMs < TOO_LARGE_FOR_MS) return null;
      // Others have seen later states than this snapshot.
      if (isLater(known.state, state)) return Date.now() - known.cachedAtMs < SNAPSHOT_MAX_MS ? null : 'outdated';
      const pending = this.following.get(key);
      if (pending !== undefined) await pending.catch(() => undefined);
      else if (!(await this.followOnce(tx, memory, known, state))) return 'outdated';
    }
    return null;
  }

  private async followOnce(tx: Tx, memory: MemoryScope, known: CachedGraph, state: GraphState): Promise<boolean> {
    const work = this.follow(tx, memory, known, state);
    this.following.set(keyOf(memory), work);
    try {
      return await work;
    } finally {
      this.following.delete(keyOf(memory));
    }
  }

  /** Brings the cached graph to the state of the snapshot; false when it has to be read again. */
  private async follow(tx: Tx, memory: MemoryScope, known: CachedGraph, state: GraphState): Promise<boolean> {
    const { adjacency } = known;
    if (adjacency === null) return false;
    const isAnalysed = known.state.analysedAt !== state.analysedAt;
    if (isAnalysed && adjacency.names.length > ANALYSED_MAX) return false;
    // Numbers of names that are gone are never used again.
    if (adjacency.entityOf.length > 2 * adjacency.names.length + TOUCHED_MAX) return false;
    const touched = await changedNamesSince(tx, memory, known.state, state);
    if (touched === null || touched.length > TOUCHED_MAX) return false;
    try {
      const change = await readChange(tx, memory, adjacency.numbers, touched);
      if (isAnalysed) change.names = await readNameMetrics(tx, memory, this.shareBytes);
      const next = await changedAdjacency(adjacency, change);
      if (adjacencyBytes(next) > this.shareBytes) return false;
      this.store(memory, state, next);
      return true;
    } catch (error) {
      if (error instanceof GraphTooLarge) return false;
      throw error;
    }
  }

  purgeIdle(): void {
    this.entries.purgeStale();
  }
}

function keyOf({ tenantId, memoryId }: MemoryScope): string {
  return `${tenantId} ${memoryId}`;
}

const ATTEMPTS_MAX = 3;

function isSame(a: GraphState, b: GraphState): boolean {
  return a.revision === b.revision && a.changedAt === b.changedAt && a.analysedAt === b.analysedAt;
}

function isLater(a: GraphState, b: GraphState): boolean {
  return a.revision > b.revision || (a.revision === b.revision && a.analysedAt > b.analysedAt);
}

async function readIfCacheable(tx: Tx, memory: MemoryScope, bytesMax: number): Promise<Adjacency | null> {
  try {
    return await readAdjacency(tx, memory, bytesMax);
  } catch (error) {
    if (error instanceof GraphTooLarge) return null;
    throw error;
  }
}

function sizeOf({ adjacency }: CachedGraph): number {
  return adjacency === null ? bytesOf(0, 0) : adjacencyBytes(adjacency);
}

/** Lets go of graphs of a tenant, the least recently used first, until they take no more than `maxBytes`. */
function makeRoom(entries: LRUCache<string, CachedGraph>, tenant: string, maxBytes: number): void {
  const own = [...entries.keys()].filter((key) => key.startsWith(tenant)).toReversed();
  let bytes = own.reduce((sum, key) => sum + sizeOf(entries.peek(key)!), 0);
  for (const key of own) {
    if (bytes <= maxBytes) return;
    bytes -= sizeOf(entries.peek(key)!);
    entries.delete(key);
  }
}
