import type { RunContext } from '../ledger/run-context.ts';
import { budgetOf } from '../steps/budget.ts';
import { checkSources } from '../steps/check-sources.ts';
import { announcePlan, clarifyPrompt } from '../steps/clarify.ts';
import { type PipelineBounds, runPipelines } from '../steps/question-pipelines.ts';
import { listResults } from '../steps/list-results.ts';
import { planQuestions } from '../steps/plan-with-model.ts';
import { progress } from '../steps/progress.ts';
import { readWeb, sourcesOf, type WebDeps } from './read-web.ts';
import { briefOf, titleOf } from './research.ts';
import { inputOf } from '../runs/run-input.ts';
import { generateReport } from '../steps/generate-report.ts';

const BOUNDS: PipelineBounds = { chunks: 15, documents: 6, findings: 8, perSource: 3 };
const WEB_BOUNDS = { pagesMax: 60, depthMax: 3 };
const CRAWLER_BOUNDS = { pagesMax: 2_000, depthMax: 12 };
const CRAWLER_PIPELINE_BOUNDS: PipelineBounds = { ...BOUNDS, findings: 30 };

/** Web research and crawler runs: what the sites and the memory say, as a list and a short cited report. */
export async function runWebResearch(deps: WebDeps, context: RunContext): Promise<Record<string, unknown>> {
  const input = inputOf(context);
  const crawling = context.kind === 'crawler';
  const named = input.prompt.replace(/https?:\/\/\S+/g, ' ').trim();
  const asked = input.seeds.length > 0 ? input.prompt : await clarifyPrompt(deps, context);
  const budget = budgetOf(deps, context);
  const questions = await planQuestions(deps, context, asked);
  await announcePlan(context, briefOf(asked, questions, await sourcesOf(deps, context, asked)), questions);
  await readWeb(deps, context, asked, questions, crawling ? CRAWLER_BOUNDS : WEB_BOUNDS, budget);
  await progress(context, 'read', 'reading', 50);
  await runPipelines(deps, context, questions, crawling ? CRAWLER_PIPELINE_BOUNDS : BOUNDS, budget);
  await progress(context, 'checking', 'checking', 75);
  await checkSources(deps, context);
  const rows = await listResults(deps, context);
  await progress(context, 'writing', 'writing', 90);
  const { report } = await generateReport(deps, context, {
    title: titleOf(named === '' ? input.prompt : named),
    asked,
    topics: questions,
  });
  return { list_id: input.list_id, rows, final_report: report };
}
