import type { Tx } from '@cairn/postgres';
import type { TargetMemory } from '../memory-lookup.ts';

/** What the graph says of chunks for one question. */
export interface GraphHints {
  /** How closely each chunk is connected with the question, 0 to 1; those that no list found are added to it. */
  chunks: { chunkId: string; docId: string; weight: number }[];
  /** Entities of the question and of the best chunks, most important first. */
  entities: { entity_id: string; name: string; type: string }[];
}

/**
 * The knowledge graph as the ranking sees it. `candidates` are the hits so far, best first. A hint may only come from
 * what lies in the target: its memory, and its space when it is bound to one.
 */
export interface GraphSignal {
  hints(
    tx: Tx,
    target: TargetMemory,
    asked: { question: string; candidates: readonly { chunkId: string; docId: string; score: number }[] },
  ): Promise<GraphHints>;
}

/** Where there is no graph. */
export const NO_GRAPH: GraphSignal = { hints: () => Promise.resolve({ chunks: [], entities: [] }) };
