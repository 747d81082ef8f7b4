import type { ResponseOf, searchMemory } from '@cairn/contracts';
import type { Tx } from '@cairn/postgres';
import type { TargetMemory } from '../memories/memory-scope.ts';

/** What the graph says of chunks for one question. */
export interface GraphHints {
  /** How closely each chunk is connected with the question, 0 to 1; those that no list found are added to it. */
  chunks: { chunkId: string; docId: string; weight: number }[];
  /** Entities of the question and of the best chunks, most important first. */
  entityIds: string[];
}

export type FoundEntity = ResponseOf<typeof searchMemory>['entities'][number];

/** An open contradiction, without what says which of the answer's citations take a side. */
export type Disagreement = Omit<ResponseOf<typeof searchMemory>['contradictions'][number], 'citation_ids'>;

/**
 * The knowledge graph as the ranking sees it. `candidates` are the hits so far, best first. Everything may only come
 * from what lies in the target, its memory, and its space when it is bound to one; and not from `hidden` vaults, which
 * are being erased.
 */
export interface GraphSignal {
  hints(
    tx: Tx,
    target: TargetMemory,
    asked: {
      question: string;
      candidates: readonly { chunkId: string; docId: string; score: number }[];
      hidden: ReadonlySet<string>;
    },
  ): Promise<GraphHints>;
  /** The entities that the caller sees something of, in the order of their ids here. */
  entities(
    tx: Tx,
    target: TargetMemory,
    asked: { entityIds: readonly string[]; hidden: ReadonlySet<string> },
  ): Promise<FoundEntity[]>;
  /** Open contradictions of which these passages state one side. */
  disagreements(
    tx: Tx,
    target: TargetMemory,
    asked: { passages: readonly { chunkId: string; docId: string }[]; hidden: ReadonlySet<string> },
  ): Promise<Disagreement[]>;
}
