import type { RunContext } from '../ledger/run-context.ts';
import { analyseSources } from '../steps/analyse.ts';
import { budgetOf } from '../steps/budget.ts';
import { checkSources } from '../steps/check-sources.ts';
import { announcePlan, clarifyPrompt } from '../steps/clarify.ts';
import { type PipelineBounds, runPipelines } from '../steps/question-pipelines.ts';
import { planQuestions } from '../steps/plan-with-model.ts';
import { progress } from '../steps/progress.ts';
import { inputOf } from '../runs/run-input.ts';
import { listResults } from '../steps/list-results.ts';
import { readWeb, sourcesOf, type WebDeps } from './read-web.ts';
import { readSources } from '../sources/source-store.ts';
import { generateReport } from '../steps/generate-report.ts';

const BOUNDS: PipelineBounds = { chunks: 20, documents: 6, findings: 8, perSource: 3 };
const FACETS_MAX = 4;
const WEB_BOUNDS = { pagesMax: 200, depthMax: 6 };

/** Deep research: plans questions, researches them in parallel, follows up, checks for contradictions, and reports. */
export async function runResearch(deps: WebDeps, context: RunContext): Promise<Record<string, unknown>> {
  const { allow_clarification: mayAsk } = inputOf(context);
  const asked = mayAsk === true ? await clarifyPrompt(deps, context) : inputOf(context).prompt;
  const budget = budgetOf(deps, context);
  const questions = await planQuestions(deps, context, asked);
  const brief = briefOf(asked, questions, await sourcesOf(deps, context, asked));
  await announcePlan(context, brief, questions);
  await readWeb(deps, context, asked, questions, WEB_BOUNDS, budget);
  await runPipelines(deps, context, questions, BOUNDS, budget);
  await progress(context, 'first-round', 'following up', 50);
  const facets = await context.step('plan/facets', async () => {
    const sources = await deps.database.withTenant(context.tenantId, (tx) =>
      readSources(tx, context.runId, { kinds: ['memory', 'web', 'upload'] }),
    );
    const { result, skipped } = await analyseSources(deps, context, 'planFacets', sources, (some) => ({
      prompt: asked,
      questions,
      sources: some.map(({ title, body }) => ({ title, body })),
      max: FACETS_MAX,
    }));
    return { result, events: skipped };
  });
  if (await budget.allows()) await runPipelines(deps, context, facets, BOUNDS, budget);
  await progress(context, 'checking', 'checking', 75);
  await checkSources(deps, context);
  await listResults(deps, context);
  await progress(context, 'writing', 'writing', 90);
  const { report } = await generateReport(deps, context, {
    title: titleOf(asked),
    asked: [asked, ...facets].join('\n'),
    topics: [...questions, ...facets],
  });
  return { research_brief: brief, final_report: report, list_id: inputOf(context).list_id };
}

export function briefOf(prompt: string, questions: readonly string[], sources: readonly string[]): string {
  const where = sources.includes('web') ? 'the memory and the web' : 'the memory only';
  return [
    `Asked: ${prompt.trim()}`,
    '',
    'To be answered:',
    ...questions.map((question) => `- ${question}`),
    '',
    `Sources: ${where}.`,
  ].join('\n');
}

export function titleOf(prompt: string): string {
  const line = prompt.split('\n', 1)[0]!.replace(/\s+/g, ' ').trim();
  return line.length <= 120 ? line : `${line.slice(0, 117)}…`;
}
