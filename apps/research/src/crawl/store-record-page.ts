import type { NewEvent } from '../ledger/run.ts';
import type { RunContext } from '../ledger/run-context.ts';
import type { Tx } from '@cairn/postgres';
import type { PlacedRecord } from '../records/place-records.ts';
import type { RecordPage } from '../records/read-record-page.ts';
import type { RecordWish } from '../records/record-wish.ts';
import { addPages, type FrontierPage, markPageDone } from './frontier.ts';
import { templateOf } from '../records/link-rank.ts';
import { pageUrl, siteOf } from '../reading/page-url.ts';
import { learnYield } from './promising-pages.ts';
import { keepRecord, putRow, type RecordSource, type RecordTarget, rowOf, takeRecords } from './record-rows.ts';
import { type CrawlReach, storeContent } from './store-page.ts';

/** What a crawl collects. */
export interface RecordGoal {
  wish: RecordWish;
  target: RecordTarget;
}

/** What a page brings that has a record of the right make, but not one that was asked for. */
const USEFUL_OTHER = 0.6;
/** Pages of a template that must be about entities asked for before those that are only listed are taken for such too. */
const PROVEN_FROM = 3;

/** Stores a page and its rows, and adds its links to the frontier by what they promise. */
export function storeRecordPage(
  context: RunContext,
  page: FrontierPage,
  content: RecordPage,
  { reach, goal }: { reach: CrawlReach; goal: RecordGoal },
) {
  const outcome = { useful: 0 };
  return {
    result: outcome,
    commit: async (tx: Tx): Promise<NewEvent[]> => {
      await markPageDone(tx, context.runId, page.url);
      const stored = await storeContent(tx, context, page.url, content, reach.sites);
      const events = [...stored.events];
      const brought = { useful: 0, matched: 0, others: 0 };
      if (stored.source !== null) {
        for (const record of content.records) {
          const found = await storeRecord(tx, context, goal.target, record, stored.source);
          events.push(...found.events);
          brought.useful = Math.max(brought.useful, found.useful);
          if (record.isDetail && record.fit === 'strong') brought.matched = 1;
          if (record.isDetail && record.fit === 'other') brought.others = 1;
        }
        if (goal.wish.qualifiers.length + goal.wish.bounds.length === 0)
          await keepListed(tx, context, content.listed, stored.source);
      }
      const { matched, others } = await learnYield(tx, context, page, brought);
      if (page.template !== null && brought.matched === 1 && matched >= PROVEN_FROM && others === 0)
        for (const row of await takeRecords(tx, context.runId, { template: page.template }))
          events.push(...(await putRow(tx, context, goal.target, row)).events);
      if (page.depth < reach.depthMax) await addPages(tx, context, linkedPages(content, page, reach));
      outcome.useful = brought.useful;
      return events;
    },
  };
}

async function storeRecord(
  tx: Tx,
  context: RunContext,
  target: RecordTarget,
  record: PlacedRecord,
  source: RecordSource,
): Promise<{ useful: number; events: NewEvent[] }> {
  if (record.fit === 'other') return { useful: USEFUL_OTHER, events: [] };
  const row = rowOf({ ...record, url: addressOf(record) }, source);
  if (record.fit === 'weak') {
    await keepRecord(tx, context, row, { template: null, isListed: false });
    return { useful: USEFUL_OTHER, events: [] };
  }
  const { brought, events } = await putRow(tx, context, target, row);
  return { useful: brought ? 1 : 0, events };
}

async function keepListed(tx: Tx, context: RunContext, listed: readonly PlacedRecord[], source: RecordSource) {
  for (const record of listed) {
    const url = addressOf(record);
    if (url === null) continue;
    const row = rowOf({ ...record, url }, source);
    await keepRecord(tx, context, row, { template: templateOf(url, true), isListed: true });
  }
}

function addressOf({ url }: PlacedRecord): string | null {
  return url === null ? null : (pageUrl(url) ?? url);
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
