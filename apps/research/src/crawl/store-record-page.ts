import type { NewEvent } from '../ledger/run.ts';
import type { RunContext } from '../ledger/run-context.ts';
import type { Tx } from '@cairn/postgres';
import type { PlacedRecord } from '../records/place-records.ts';
import type { RecordPage } from '../records/read-record-page.ts';
import type { RowQuery } from '../records/row-query.ts';
import { recordShape } from './page-shapes.ts';
import { addPages, type FrontierPage, markPageDone } from './frontier.ts';
import { templateOf } from '../records/link-rank.ts';
import { pageUrl, siteOf } from '../reading/page-url.ts';
import { learnYield } from './page-yield.ts';
import { storePendingRecords, storeWaitingRows, CONFIRMED_PAGES_MIN, takePendingRecords } from './pending-records.ts';
import { putRows, type RecordTarget, ROWS_AT_A_TIME, rowOf } from './record-rows.ts';
import type { RowSource } from '../lists/list-store.ts';
import { type CrawlReach, storeContent } from './store-page.ts';

/** What a crawl collects. */
export interface RecordSearch {
  query: RowQuery;
  target: RecordTarget;
}

/** What a page brings that has a record of the right make, but not one that was asked for. */
const USEFUL_OTHER = 0.6;

/** Stores a page and its rows, and adds its links to the frontier by what they promise. */
export function storeRecordPage(
  context: RunContext,
  page: FrontierPage,
  content: RecordPage,
  { reach, goal }: { reach: CrawlReach; goal: RecordSearch },
) {
  const outcome = { useful: 0, waiting: 0 };
  const isOwn = content.records.length + content.listed.length > 0;
  return {
    result: outcome,
    commit: async (tx: Tx): Promise<NewEvent[]> => {
      await markPageDone(tx, context.runId, page.url);
      const stored = await storeContent(tx, context, page.url, content, { sites: reach.sites, isOwn });
      const events = [...stored.events];
      const brought = { useful: 0, waiting: 0, matched: 0, others: 0 };
      if (stored.source !== null) {
        const found = await storeRecords(tx, context, goal, content, stored.source);
        events.push(...found.events);
        Object.assign(brought, found.brought);
      }
      const { isNews } = await recordShape(tx, context, { shape: page.shape, fingerprint: content.fingerprint });
      // The months of a calendar without events are no events, though each has a name of its own.
      if (!isNews) brought.useful = 0;
      const { matched, others } = await learnYield(tx, context, page, brought);
      if (page.template !== null && brought.matched === 1 && matched >= CONFIRMED_PAGES_MIN && others === 0) {
        const inRun = { runId: context.runId, listId: goal.target.listId };
        const listed = await takePendingRecords(tx, inRun, { template: page.template }, ROWS_AT_A_TIME);
        events.push(...(await putRows(tx, context, goal.target, listed)).events);
      }
      if (page.depth < reach.depthMax) await addPages(tx, context, linkedPages(content, page, reach));
      outcome.useful = brought.useful;
      outcome.waiting = brought.waiting;
      return events;
    },
  };
}

/** Puts rows of a page that wait into the list; `left` is how many may still wait. */
export function putWaiting(context: RunContext, target: RecordTarget, waiting: number) {
  return {
    result: { left: Math.max(0, waiting - ROWS_AT_A_TIME) },
    commit: async (tx: Tx): Promise<NewEvent[]> => {
      const rows = await takePendingRecords(
        tx,
        { runId: context.runId, listId: target.listId },
        'waiting',
        ROWS_AT_A_TIME,
      );
      return (await putRows(tx, context, target, rows)).events;
    },
  };
}

async function storeRecords(
  tx: Tx,
  context: RunContext,
  { query, target }: RecordSearch,
  content: RecordPage,
  source: RowSource,
) {
  const found = content.records.map((record) => ({
    record,
    row: rowOf({ ...record, url: addressOf(record) }, source),
  }));
  const strong = found.filter(({ record }) => record.fit === 'strong');
  const weak = found.filter(({ record }) => record.fit === 'weak');
  const now = strong.slice(0, ROWS_AT_A_TIME).map(({ row }) => row);
  const later = strong.slice(ROWS_AT_A_TIME).map(({ row }) => row);
  const { isNews, events } = await putRows(tx, context, target, now);
  if (later.length > 0) await storeWaitingRows(tx, context, later);
  const unknown = weak.map(({ row }) => ({ ...row, template: null }));
  await storePendingRecords(tx, context, unknown, { isListed: false });
  if (query.qualifiers.length + query.bounds.length === 0) await storeListed(tx, context, content.listed, source);
  const about = (fit: PlacedRecord['fit']) =>
    content.records.some((record) => record.isDetail && record.fit === fit) ? 1 : 0;
  const useful = isNews.includes(true) ? 1 : found.length > strong.length ? USEFUL_OTHER : 0;
  return { events, brought: { useful, waiting: later.length, matched: about('strong'), others: about('other') } };
}

async function storeListed(tx: Tx, context: RunContext, listed: readonly PlacedRecord[], source: RowSource) {
  const pending = listed.flatMap((record) => {
    const url = addressOf(record);
    return url === null ? [] : [{ ...rowOf({ ...record, url }, source), template: templateOf(url, true) }];
  });
  await storePendingRecords(tx, context, pending, { isListed: true });
}

/** The address of an entity as it would be crawled; null for one that never is, which may be of any length. */
function addressOf({ url }: PlacedRecord): string | null {
  return url === null ? null : pageUrl(url);
}

function linkedPages(content: RecordPage, page: FrontierPage, { sites }: CrawlReach) {
  return content.ranked
    .filter(({ url }) => sites.has(siteOf(url)))
    .map(({ url, rank, template }) => ({
      url,
      rank,
      template,
      depth: page.depth + 1,
      parent_template: page.template,
    }));
}
