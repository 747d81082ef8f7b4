import type { RunContext } from '../ledger/run-context.ts';
import { inputOf } from '../runs/run-input.ts';
import { budgetOf } from '../steps/budget.ts';
import { announcePlan, fullPrompt, clarifyPrompt } from '../steps/clarify.ts';
import type { GatherBounds } from '../steps/gather.ts';
import { generateReport } from '../steps/generate-report.ts';
import { listResults } from '../steps/list-results.ts';
import { progress } from '../steps/progress.ts';
import { researchLoop } from '../steps/research-loop.ts';
import { requireSource } from '../steps/require-source.ts';
import { interpretRequest } from '../steps/interpret-request.ts';
import { placesOf, readWeb, type WebDeps } from './read-web.ts';
import { planTextOf, queriesOf, reportRequestOf, topicsOf } from './research.ts';

const BOUNDS: GatherBounds = { chunks: 20, documents: 8 };
const WEB_BOUNDS = { pagesMax: 60, depthMax: 3 };
const CRAWLER_BOUNDS = { pagesMax: 2_000, depthMax: 12 };

/**
 * Web research and crawler runs: what the sites and the memory say, as a list and a short cited report. `insteadOf` names
 * what a crawl was to collect and did not find.
 */
export async function runWebResearch(
  deps: WebDeps,
  context: RunContext,
  { insteadOf = null }: { insteadOf?: string | null } = {},
): Promise<Record<string, unknown>> {
  const input = inputOf(context);
  const crawling = context.kind === 'crawler';
  const clarified = await clarifyPrompt(deps, context, { mayAsk: input.seeds.length === 0 });
  const { without } = clarified;
  const asked = fullPrompt(clarified);
  const budget = budgetOf(deps, context);
  const request = await interpretRequest(deps, context, clarified);
  const brief = planTextOf(asked, request, await placesOf(deps, context, asked));
  if (insteadOf !== null)
    await progress(context, 'instead', `no ${insteadOf} found: answering from what the sites say`, 30);
  await announcePlan(context, brief, topicsOf(request), insteadOf === null ? 'plan' : 'plan/instead');
  await readWeb(deps, context, asked, queriesOf(request), crawling ? CRAWLER_BOUNDS : WEB_BOUNDS, budget);
  await progress(context, 'read', 'reading', 40);
  await researchLoop(deps, context, request, { ...BOUNDS, without }, budget);
  await requireSource(deps, context);
  const rows = await listResults(deps, context);
  await progress(context, 'writing', 'writing', 90);
  const { report } = await generateReport(deps, context, reportRequestOf(request, asked));
  return { list_id: input.list_id, rows, final_report: report };
}
