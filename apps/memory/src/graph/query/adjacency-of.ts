import type { Tx } from '@cairn/postgres';
import type { TargetMemory } from '../../memories/memory-scope.ts';
import type { WalkDeps } from './graph-deps.ts';
import type { Adjacency } from '../adjacency/adjacency.ts';

/** The graph of a memory that a request works on, as its snapshot sees it; null where SQL has to be asked. */
export function adjacencyOf(deps: WalkDeps, tx: Tx, memory: TargetMemory): Promise<Adjacency | null> {
  return deps.adjacency.at(tx, memory, (work) => deps.engines.read(memory, (open) => work(open.tx)));
}
