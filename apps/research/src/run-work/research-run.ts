import type { RunContext } from '@cairn/ledger';
import { analyseSources } from './analyse.ts';
import { budgetOf } from './budget.ts';
import { checkSources } from './check-sources.ts';
import { announcePlan, clarified } from './clarify.ts';
import { type LaneBounds, workLanes } from './lanes.ts';
import { planQuestions } from './plan-with-model.ts';
import { progress } from './progress.ts';
import { inputOf } from './run-input.ts';
import { listResults } from './list-results.ts';
import { readWeb, sourcesOf, type WebParts } from './read-web.ts';
import { readSources } from './source-store.ts';
import { writeUp } from './write-up.ts';

const BOUNDS: LaneBounds = { chunks: 20, documents: 6, findings: 8, perSource: 3 };
const FACETS_MAX = 4;
const WEB_BOUNDS = { pagesMax: 200, depthMax: 6 };

/** Deep research: what is asked, researchers side by side, a second round, what contradicts what, a report. */
export async function researchRun(parts: WebParts, context: RunContext): Promise<Record<string, unknown>> {
  const { allow_clarification: mayAsk } = inputOf(context);
  const asked = mayAsk === true ? await clarified(parts, context) : inputOf(context).prompt;
  const budget = budgetOf(parts, context);
  const questions = await planQuestions(parts, context, asked);
  const brief = briefOf(asked, questions, await sourcesOf(parts, context, asked));
  await announcePlan(context, brief, questions);
  await readWeb(parts, context, asked, questions, WEB_BOUNDS, budget);
  await workLanes(parts, context, questions, BOUNDS, budget);
  await progress(context, 'first-round', 'following up', 50);
  const facets = await context.step('plan/facets', async () => {
    const sources = await parts.database.withTenant(context.tenantId, (tx) =>
      readSources(tx, context.runId, { kinds: ['memory', 'web', 'upload'] }),
    );
    const { result, skipped } = await analyseSources(parts, context, 'planFacets', sources, (some) => ({
      prompt: asked,
      questions,
      sources: some.map(({ title, body }) => ({ title, body })),
      max: FACETS_MAX,
    }));
    return { result, events: skipped };
  });
  if (await budget.allows()) await workLanes(parts, context, facets, BOUNDS, budget);
  await progress(context, 'checking', 'checking', 75);
  await checkSources(parts, context);
  await listResults(parts, context);
  await progress(context, 'writing', 'writing', 90);
  const { report } = await writeUp(parts, context, {
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
