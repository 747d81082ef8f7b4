import { titleFor } from '../analysis/title.ts';
import { crawl, crawlBoundsOf } from '../crawl/crawl.ts';
import { putRow, takeRecords } from '../crawl/record-rows.ts';
import type { RunContext } from '../ledger/run-context.ts';
import { countRows } from '../lists/list-store.ts';
import type { RecordWish } from '../records/record-wish.ts';
import { inputOf } from '../runs/run-input.ts';
import { analysePrompt } from '../steps/analyse.ts';
import { budgetOf } from '../steps/budget.ts';
import { announcePlan } from '../steps/clarify.ts';
import { progress } from '../steps/progress.ts';
import { reportRecords } from '../steps/report-records.ts';
import { sourcesOf, type WebDeps } from './read-web.ts';
import { runWebResearch } from './web.ts';

const BOUNDS = { pagesMax: 2_000, depthMax: 12 };

/**
 * Collects the entities that the prompt asks for from the sites that it names, one row each, with the columns asked
 * for. A prompt that names no entities is answered from what the sites say.
 */
export async function runCrawler(deps: WebDeps, context: RunContext): Promise<Record<string, unknown>> {
  const { prompt, seeds, proxy, list_id: listId } = inputOf(context);
  const wish = await analysePrompt(deps, context, 'parseRecordWish', prompt);
  const isForWeb = (await sourcesOf(deps, context, prompt)).includes('web');
  if (wish === null || listId === null || seeds.length === 0 || !isForWeb) return runWebResearch(deps, context);
  const asked = prompt
    .replace(/https?:\/\/\S+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const budget = budgetOf(deps, context);
  const target = { listId, topic: titleFor({ subject: '', questions: [] }, asked) };
  await announcePlan(context, briefOf(wish, seeds), [target.topic]);
  const way = proxy && deps.proxied !== null ? { ...deps, outbound: deps.proxied } : deps;
  await crawl(way, context, seeds, crawlBoundsOf(context, BOUNDS), budget, { goal: { wish, target } });
  await progress(context, 'read', 'checking', 75);
  const rows = await context.step('rows', () => {
    const result = { rows: 0 };
    return Promise.resolve({
      result,
      commit: async (tx) => {
        const events = [];
        // Nothing says of which kind they are, but they have what was asked for, and nothing else does.
        if ((await countRows(tx, listId)) === 0)
          for (const row of await takeRecords(tx, context.runId, 'unlisted'))
            events.push(...(await putRow(tx, context, target, row)).events);
        await tx.execute('DELETE FROM crawl_records WHERE run_id = $1', [context.runId]);
        result.rows = await countRows(tx, listId);
        return events;
      },
    });
  });
  if (rows.rows === 0) return runWebResearch(deps, context);
  await progress(context, 'writing', 'writing', 90);
  const report = await reportRecords(deps, context, { title: target.topic, listId, wish });
  return { list_id: listId, rows: rows.rows, final_report: report };
}

function briefOf(wish: RecordWish, seeds: readonly string[]): string {
  const kinds = [...wish.qualifiers, wish.kinds.join(' or ')].join(' ');
  const columns = wish.columns.length === 0 ? '' : ` with ${wish.columns.join(', ')}`;
  return [`Collected: ${kinds}${columns}, one row each.`, '', 'Read:', ...seeds.map((seed) => `- ${seed}`)].join('\n');
}
