import type { Engines } from '../../memories/engines.ts';
import type { MemoryResolver } from '../../memories/resolve-memory.ts';

/** What operations on the graph use. */
export interface GraphDeps {
  engines: Engines;
  memories: MemoryResolver;
}
