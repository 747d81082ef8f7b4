import type { RunContext } from '@cairn/ledger';
import { budgetOf } from './budget.ts';
import { checkSources } from './check-sources.ts';
import { announcePlan, clarified } from './clarify.ts';
import { type LaneBounds, workLanes } from './lanes.ts';
import { listResults } from './list-results.ts';
import { planQuestions } from './plan-with-model.ts';
import { progress } from './progress.ts';
import { readWeb, sourcesOf, type WebParts } from './read-web.ts';
import { briefOf, titleOf } from './research-run.ts';
import { inputOf } from './run-input.ts';
import { writeUp } from './write-up.ts';

const BOUNDS: LaneBounds = { chunks: 15, documents: 6, findings: 8, perSource: 3 };
const WEB_BOUNDS = { pagesMax: 60, depthMax: 3 };
const CRAWLER_BOUNDS = { pagesMax: 2_000, depthMax: 12 };
const CRAWLER_LANES: LaneBounds = { ...BOUNDS, findings: 30 };

/** Web and research, and the crawler: what the sites and the memory say, as a list and a short cited report. */
export async function webRun(parts: WebParts, context: RunContext): Promise<Record<string, unknown>> {
  const input = inputOf(context);
  const crawling = context.kind === 'crawler';
  const named = input.prompt.replace(/https?:\/\/\S+/g, ' ').trim();
  const asked = input.seeds.length > 0 ? input.prompt : await clarified(parts, context);
  const budget = budgetOf(parts, context);
  const questions = await planQuestions(parts, context, asked);
  await announcePlan(context, briefOf(asked, questions, await sourcesOf(parts, context, asked)), questions);
  await readWeb(parts, context, asked, questions, crawling ? CRAWLER_BOUNDS : WEB_BOUNDS, budget);
  await progress(context, 'read', 'reading', 50);
  await workLanes(parts, context, questions, crawling ? CRAWLER_LANES : BOUNDS, budget);
  await progress(context, 'checking', 'checking', 75);
  await checkSources(parts, context);
  const rows = await listResults(parts, context);
  await progress(context, 'writing', 'writing', 90);
  const { report } = await writeUp(parts, context, {
    title: titleOf(named === '' ? input.prompt : named),
    asked,
    topics: questions,
  });
  return { list_id: input.list_id, rows, final_report: report };
}
