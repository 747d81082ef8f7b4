import { titleFor } from '../analysis/title.ts';
import type { RunContext } from '../ledger/run-context.ts';
import type { ParsedRequest } from '../request/parse-request.ts';
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

const BOUNDS: GatherBounds = { chunks: 30, documents: 12 };
const WEB_BOUNDS = { pagesMax: 200, depthMax: 6 };

/** Deep research: understands what is asked, searches and notes in rounds, checks for contradictions, and reports. */
export async function runResearch(deps: WebDeps, context: RunContext): Promise<Record<string, unknown>> {
  const clarified = await clarifyPrompt(deps, context, { mayAsk: inputOf(context).allow_clarification === true });
  const { without } = clarified;
  const asked = fullPrompt(clarified);
  const budget = budgetOf(deps, context);
  const request = await interpretRequest(deps, context, clarified);
  const brief = planTextOf(asked, request, await placesOf(deps, context, asked));
  await announcePlan(context, brief, topicsOf(request));
  await readWeb(deps, context, asked, queriesOf(request), WEB_BOUNDS, budget);
  await researchLoop(deps, context, request, { ...BOUNDS, without }, budget);
  await requireSource(deps, context);
  await listResults(deps, context);
  await progress(context, 'writing', 'writing', 90);
  const { report } = await generateReport(deps, context, reportRequestOf(request, asked));
  return { research_brief: brief, final_report: report, list_id: inputOf(context).list_id };
}

export function topicsOf({ questions }: ParsedRequest): string[] {
  return questions.map(({ text }) => text);
}

export function queriesOf({ questions }: ParsedRequest): string[] {
  return questions.map(({ query }) => query);
}

/** What the report is to be like. */
export function reportRequestOf(request: ParsedRequest, asked: string) {
  const { instructions, format } = request;
  return { title: titleFor(request, asked), asked, topics: topicsOf(request), instructions, format };
}

export function planTextOf(prompt: string, request: ParsedRequest, places: readonly string[]): string {
  const { texts } = request.instructions;
  return [
    `Asked: ${prompt.trim()}`,
    '',
    'To be answered:',
    ...topicsOf(request).map((question) => `- ${question}`),
    ...(texts.length === 0 ? [] : ['', 'How:', ...texts.map((text) => `- ${text}`)]),
    '',
    `Sources: ${placesInWords(places)}.`,
  ].join('\n');
}

/** Where a run reads, as a brief says it. */
export function placesInWords(places: readonly string[]): string {
  const listed = places.length < 2 ? places.join('') : `${places.slice(0, -1).join(', ')} and ${places.at(-1)}`;
  return listed === 'the memory' ? 'the memory only' : listed === '' ? 'none' : listed;
}
