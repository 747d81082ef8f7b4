import { titleFor } from '../analysis/title.ts';
import { crawl, crawlBoundsOf } from '../crawl/crawl.ts';
import { takePendingRecords } from '../crawl/pending-records.ts';
import { putRows, type RecordTarget, ROWS_AT_A_TIME } from '../crawl/record-rows.ts';
import type { RunContext } from '../ledger/run-context.ts';
import { countRows } from '../lists/list-store.ts';
import type { RowQuery } from '../records/row-query.ts';
import { inputOf } from '../runs/run-input.ts';
import { analysePrompt } from '../steps/analyse.ts';
import { budgetOf } from '../steps/budget.ts';
import { announcePlan } from '../steps/clarify.ts';
import { progress } from '../steps/progress.ts';
import { reportRecords } from '../steps/report-records.ts';
import { findSites, sourcesOf, type WebDeps } from './read-web.ts';
import { runWebResearch } from './web.ts';

const BOUNDS = { pagesMax: 2_000, depthMax: 12 };
/** For sites that a search has found, which may be about much else. */
const FOUND_BOUNDS = { pagesMax: 300, depthMax: 4 };

/**
 * Collects the entities that the prompt asks for from the sites that it names, or that web search finds for it, one row
 * each, with the columns asked for. A prompt that names no entities is answered from what the sites say.
 */
export async function runCrawler(deps: WebDeps, context: RunContext): Promise<Record<string, unknown>> {
  const { prompt, seeds: named, proxy, list_id: listId } = inputOf(context);
  const query = await analysePrompt(deps, context, 'parseRowQuery', prompt);
  const isForWeb = (await sourcesOf(deps, context, prompt)).includes('web');
  if (query === null || listId === null || !isForWeb) return runWebResearch(deps, context);
  const isFound = named.length === 0;
  const seeds = isFound ? await findSites(deps, context, searchTextOf(query)) : named;
  if (isFound) await emitSites(deps, context, seeds);
  if (seeds.length === 0) return runWebResearch(deps, context, { insteadOf: query.kinds.join(' or ') });
  const asked = prompt
    .replace(/https?:\/\/\S+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const budget = budgetOf(deps, context);
  const target = { listId, topic: titleFor({ subject: '', questions: [] }, asked) };
  await announcePlan(context, briefOf(query, seeds), [target.topic]);
  const way = proxy && deps.proxied !== null ? { ...deps, outbound: deps.proxied } : deps;
  const bounds = crawlBoundsOf(context, isFound ? FOUND_BOUNDS : BOUNDS);
  await crawl(way, context, seeds, bounds, budget, { goal: { query, target } });
  await progress(context, 'read', 'checking', 75);
  const rows = await putPending(context, target);
  if (rows === 0) return runWebResearch(deps, context, { insteadOf: query.kinds.join(' or ') });
  await progress(context, 'writing', 'writing', 90);
  const report = await reportRecords(deps, context, { title: target.topic, listId, query });
  return { list_id: listId, rows, final_report: report };
}

/** What to search the web for: the entities, what restricts them, and what is to be known of each. */
function searchTextOf({ kinds, qualifiers, columns }: RowQuery): string {
  return ['list of', ...qualifiers, kinds.join(' '), ...columns].join(' ');
}

function emitSites({ search }: WebDeps, context: RunContext, seeds: readonly string[]): Promise<unknown> {
  const hosts = seeds.map((seed) => new URL(seed).host).join(', ');
  const note =
    seeds.length > 0
      ? `the prompt names no site; ${search?.name ?? 'web search'} found ${hosts}`
      : 'the prompt names no site, and web search found none';
  return progress(context, 'sites', note, 5);
}

/** Puts the pending records into the list, some at a time. Returns how many rows it has. */
async function putPending(context: RunContext, target: RecordTarget): Promise<number> {
  await putAll(context, target, 'waiting');
  await putAll(context, target, 'proven');
  await putAll(context, target, 'of rows');
  const found = await countedRows(context, target, 'rows/found', false);
  // Nothing says of which kind they are, but they have what was asked for, and nothing else does.
  if (found === 0) await putAll(context, target, 'unknown');
  return countedRows(context, target, 'rows/2', true);
}

async function putAll(
  context: RunContext,
  target: RecordTarget,
  which: 'waiting' | 'proven' | 'of rows' | 'unknown',
): Promise<void> {
  for (let turn = 1; ; turn += 1) {
    const { taken } = await context.step(`rows/${which}/${turn}`, () => {
      const result = { taken: 0 };
      return Promise.resolve({
        result,
        commit: async (tx) => {
          const rows = await takePendingRecords(
            tx,
            { runId: context.runId, listId: target.listId },
            which,
            ROWS_AT_A_TIME,
          );
          result.taken = rows.length;
          return (await putRows(tx, context, target, rows)).events;
        },
      });
    });
    if (taken < ROWS_AT_A_TIME) return;
  }
}

async function countedRows(context: RunContext, { listId }: RecordTarget, key: string, isEnd: boolean) {
  const { rows } = await context.step(key, () => {
    const result = { rows: 0 };
    return Promise.resolve({
      result,
      commit: async (tx) => {
        if (isEnd) await tx.execute('DELETE FROM crawl_records WHERE run_id = $1', [context.runId]);
        result.rows = await countRows(tx, listId);
      },
    });
  });
  return rows;
}

function briefOf(query: RowQuery, seeds: readonly string[]): string {
  const kinds = [...query.qualifiers, query.kinds.join(' or ')].join(' ');
  const columns = query.columns.length === 0 ? '' : ` with ${query.columns.join(', ')}`;
  return [`Collected: ${kinds}${columns}, one row each.`, '', 'Read:', ...seeds.map((seed) => `- ${seed}`)].join('\n');
}
