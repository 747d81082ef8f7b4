import { otherQueries, searchQueries } from '../analysis/search-queries.ts';
import type { RunContext } from '../ledger/run-context.ts';
import type { ParsedRequest } from '../request/parse-request.ts';
import type { Budget } from './budget.ts';
import { type GatherBounds, gatherForReport } from './gather.ts';
import { noteFindings } from './note-findings.ts';
import { progress } from './progress.ts';
import type { WorkDeps } from './work-deps.ts';

/** Few documents for a quote that is checked: those that say the same, or the opposite. */
const CHECK_BOUNDS: GatherBounds = { chunks: 5, documents: 3 };

/**
 * Searches, reads and notes in bounded rounds: for all questions, then for those that nothing answers yet and for what
 * other sources say of the strongest findings. Each round weighs all sources again, so their order does not matter.
 */
export async function researchLoop(
  deps: WorkDeps,
  context: RunContext,
  request: ParsedRequest,
  bounds: GatherBounds,
  budget: Budget,
): Promise<void> {
  const gather = (queries: readonly string[], within: GatherBounds) =>
    gatherForReport(deps, context, queries, { ...within, without: bounds.without ?? [] }, budget);
  await gather(request.questions.flatMap(searchQueries), bounds);
  const first = await noteFindings(deps, context, request, { round: 'first', isLast: false });
  await progress(context, 'first-round', 'following up', 50);
  if (await budget.allows()) {
    const open = first.open.flatMap((at) => request.questions[at] ?? []);
    await gather(open.flatMap(otherQueries), bounds);
    await gather(first.contestable, CHECK_BOUNDS);
  }
  await progress(context, 'checking', 'checking', 75);
  await noteFindings(deps, context, request, { round: 'last', isLast: true });
}
