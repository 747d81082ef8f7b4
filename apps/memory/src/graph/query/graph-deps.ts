import type { AdjacencyCache } from '../adjacency/adjacency-cache.ts';
import type { Engines } from '../../memories/engines.ts';
import type { MemoryResolver } from '../../memories/resolve-memory.ts';

/** What operations on the graph use. */
export interface GraphDeps {
  engines: Engines;
  memories: MemoryResolver;
}

/** What operations that go from entity to entity use. */
export interface WalkDeps extends GraphDeps {
  adjacency: AdjacencyCache;
}
