import { stepKeyOf } from '../ledger/step-key.ts';
import type { RunContext } from '../ledger/run-context.ts';
import { inputOf, legOf } from '../runs/run-input.ts';
import type { Budget } from './budget.ts';
import { readDocument, searchMemory } from './read-memory.ts';
import type { WorkDeps } from './work-deps.ts';

const DOCUMENTS_MAX = { fast: 100, standard: 400, deep: 2_000 } as const;
const CHUNKS_PER_QUERY = 100;
const READ_AT_A_TIME = 8;

/** Reads the memory's documents that the queries find, the best of each query first. */
export async function gatherDocuments(
  deps: WorkDeps,
  context: RunContext,
  queries: readonly string[],
  budget: Budget,
): Promise<void> {
  const { sources, search_mode: mode = 'standard' } = inputOf(context);
  if (!sources.includes('memory')) return;
  const limits = { chunks: CHUNKS_PER_QUERY, documents: CHUNKS_PER_QUERY };
  // A continued search looks again, because there may be more by now.
  const leg = legOf(context) === 0 ? '' : `${legOf(context)}/`;
  const found = await Promise.all(
    queries.map((query) => searchMemory(deps, context, `collect/${leg}${stepKeyOf(query)}`, query, limits)),
  );
  const docIds = inTurn(found).slice(0, DOCUMENTS_MAX[mode]);
  for (let at = 0; at < docIds.length; at += READ_AT_A_TIME) {
    if (!(await budget.allows())) return;
    await Promise.all(docIds.slice(at, at + READ_AT_A_TIME).map((docId) => readDocument(deps, context, docId)));
  }
}

/** The first of each list, then the second of each, each item once, so that no list uses up the others' room. */
function inTurn(lists: readonly (readonly string[])[]): string[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  const turns = Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1)));
  return [...new Set(turns.flat())];
}
