import type { RunContext } from '../ledger/run-context.ts';
import { stepKeyOf } from '../ledger/step-key.ts';
import { inputOf, continuationOf } from '../runs/run-input.ts';
import type { Budget } from './budget.ts';
import { readDocument, searchMemory } from './read-memory.ts';
import type { WorkDeps } from './work-deps.ts';

export interface GatherBounds {
  /** Limits on the chunks and documents that one query finds. */
  chunks: number;
  documents: number;
  /** Titles of documents that are not to be looked at. */
  without?: readonly string[];
}

const READ_AT_A_TIME = 8;
/** Documents that a list reads, and chunks and documents that one of its queries finds. */
const LIST_DOCUMENTS_MAX = { fast: 100, standard: 400, deep: 2_000 } as const;
const LIST_BOUNDS: GatherBounds = { chunks: 100, documents: 100 };

// The names of the steps are stored with the runs, so they must not change.

/** Looks the queries of a report up in the memory and reads the documents found, each once. */
export function gatherForReport(
  deps: WorkDeps,
  context: RunContext,
  queries: readonly string[],
  bounds: GatherBounds,
  budget: Budget,
): Promise<void> {
  return gather(deps, context, queries, { step: 'gather', bounds, documentsMax: Infinity, budget });
}

/** The same for a list, whose candidates may be in any document. */
export function gatherForList(
  deps: WorkDeps,
  context: RunContext,
  queries: readonly string[],
  budget: Budget,
): Promise<void> {
  const { search_mode: mode = 'standard' } = inputOf(context);
  // A continued search looks again, because there may be more by now.
  const step = continuationOf(context) === 0 ? 'collect' : `collect/${continuationOf(context)}`;
  return gather(deps, context, queries, { step, bounds: LIST_BOUNDS, documentsMax: LIST_DOCUMENTS_MAX[mode], budget });
}

async function gather(
  deps: WorkDeps,
  context: RunContext,
  queries: readonly string[],
  { step, bounds, documentsMax, budget }: { step: string; bounds: GatherBounds; documentsMax: number; budget: Budget },
): Promise<void> {
  if (!inputOf(context).sources.includes('memory')) return;
  const found = await Promise.all(
    [...new Set(queries)].map((query) => searchMemory(deps, context, `${step}/${stepKeyOf(query)}`, query, bounds)),
  );
  const docIds = inTurn(found).slice(0, documentsMax);
  for (let at = 0; at < docIds.length; at += READ_AT_A_TIME) {
    if (!(await budget.allows())) return;
    await Promise.all(docIds.slice(at, at + READ_AT_A_TIME).map((docId) => readDocument(deps, context, docId)));
  }
}

/** The first of each list, then the second of each, each once: what ends early has read something for every query. */
function inTurn(lists: readonly (readonly string[])[]): string[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  const turns = Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1)));
  return [...new Set(turns.flat())];
}
