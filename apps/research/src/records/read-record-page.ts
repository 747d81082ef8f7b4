import { parseHTML } from 'linkedom';
import { pageUrl, siteOf } from '../reading/page-url.ts';
import { linkRank, templateOf } from './link-rank.ts';
import { fingerprintOf } from '../reading/fingerprint.ts';
import { type PageContent, readHtml, withBody } from '../reading/read-html.ts';
import type { Element } from './dom.ts';
import { type PlacedRecord, placeRecords } from './place-records.ts';
import { readRecords } from './read-records.ts';
import type { RowQuery } from './row-query.ts';
import { matchingRecords } from './matching-records.ts';

export interface RankedLink {
  url: string;
  rank: number;
  template: string;
}

/** What a crawl that collects records needs of a page. */
export interface RecordPage extends PageContent {
  fingerprint: number[];
  records: PlacedRecord[];
  /** Entities that the page only names, with their own pages. */
  listed: PlacedRecord[];
  ranked: RankedLink[];
}

export interface RecordPageTask {
  html: string;
  url: string;
  query: RowQuery;
  template: string;
  depth: number;
}

/** Links of one page that may be added to the frontier. */
const RANKED_MAX = 1_000;
const LISTED_MAX = 500;
const LIST_MIN = 5;

/** Reads a page's text and the records on it. */
export function readRecordPage({ html, url, query, template, depth }: RecordPageTask): RecordPage {
  const content = readHtml(html, url);
  const { document } = parseHTML(withBody(html));
  const page = readRecords(document as unknown as Element, url, content.jsonLd);
  const wanted = matchingRecords(page.records, query);
  const taken = new Set(wanted.map((record) => record.url));
  const named = page.records.filter(
    (record) => !record.isDetail && record.url !== null && !taken.has(record.url) && siteOf(record.url) === siteOf(url),
  );
  const listed =
    named.length < LIST_MIN
      ? []
      : named
          .slice(0, LISTED_MAX)
          .map(({ name, url: address }) => ({ name, url: address, fit: 'weak' as const, isDetail: false, cells: {} }));
  const placed = placeRecords(content.text, [...wanted, ...listed]);
  const feeds = content.feeds.map((feed) => ({ url: feed, text: '', isNext: false, isNavigation: true, groupSize: 0 }));
  const links = content.nofollow ? [] : [...page.links, ...feeds];
  const ranked = new Map<string, RankedLink>();
  for (const link of links) {
    const target = pageUrl(link.url);
    if (target === null || ranked.size >= RANKED_MAX) continue;
    const rank = linkRank(link, { template, depth }, query);
    if ((ranked.get(target)?.rank ?? -Infinity) < rank)
      ranked.set(target, {
        url: target,
        rank,
        template: templateOf(target, link.groupSize >= LIST_MIN && !link.isNavigation),
      });
  }
  return {
    ...content,
    text: placed.text,
    fingerprint: fingerprintOf(content.text, url),
    records: placed.records.slice(0, wanted.length),
    listed: placed.records.slice(wanted.length),
    ranked: [...ranked.values()],
  };
}
