import type { RunContext } from '../ledger/run-context.ts';
import { stepKeyOf } from '../ledger/step-key.ts';
import { inputOf } from '../runs/run-input.ts';
import type { Budget } from './budget.ts';
import { readDocument, searchMemory } from './read-memory.ts';
import type { WorkDeps } from './work-deps.ts';

export interface GatherBounds {
  /** Limits on the chunks and documents that one query finds. */
  chunks: number;
  documents: number;
}

const READ_AT_A_TIME = 8;

/** Looks the queries up in the memory and reads the documents found, each once. Returns how many were found. */
export async function gatherFromMemory(
  deps: WorkDeps,
  context: RunContext,
  queries: readonly string[],
  bounds: GatherBounds,
  budget: Budget,
): Promise<number> {
  if (!inputOf(context).sources.includes('memory')) return 0;
  // Stored with the run: the keys of its steps must not change.
  const found = await Promise.all(
    [...new Set(queries)].map((query) => searchMemory(deps, context, `gather/${stepKeyOf(query)}`, query, bounds)),
  );
  const docIds = inTurn(found);
  for (let at = 0; at < docIds.length; at += READ_AT_A_TIME) {
    if (!(await budget.allows())) break;
    await Promise.all(docIds.slice(at, at + READ_AT_A_TIME).map((docId) => readDocument(deps, context, docId)));
  }
  return docIds.length;
}

/** The first of each list, then the second of each: what ends early has read something for every query. */
function inTurn(lists: readonly (readonly string[])[]): string[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  const all = Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list[i] ?? [])).flat();
  return [...new Set(all)];
}
