import { DOMParser } from 'linkedom';
import { pageUrl, siteOf } from '../reading/page-url.ts';
import { withoutReferences } from './references.ts';
import type { Element } from './dom.ts';
import { linkRank, templateOf } from './link-rank.ts';
import type { RankedLink } from './read-record-page.ts';
import type { RowQuery } from './row-query.ts';

export interface FeedTask {
  xml: string;
  url: string;
  /** What is collected; without it every page is as good as another. */
  query: RowQuery | null;
  depth: number;
}

const PAGES_MAX = 1_000;

/** The pages of the entries of a feed, RSS or Atom, that are of its own site. */
export function feedPages({ xml, url, query, depth }: FeedTask): RankedLink[] {
  const document = new DOMParser().parseFromString(xml, 'text/xml') as unknown as Element;
  const pages = new Map<string, RankedLink>();
  for (const entry of document.querySelectorAll('item, entry')) {
    if (pages.size >= PAGES_MAX) break;
    const target = pageUrl(addressIn(entry), url);
    if (target === null || siteOf(target) !== siteOf(url)) continue;
    const text = entry.querySelector('title')?.textContent ?? '';
    const link = { url: target, text, isNext: false, isNavigation: false, groupSize: 0 };
    const rank = query === null ? 0 : linkRank(link, { template: '', depth }, query);
    pages.set(target, { url: target, rank, template: templateOf(target) });
  }
  return [...pages.values()];
}

/** An RSS item writes its address as text, an Atom entry as an attribute of the link that is not for editing and the like. */
function addressIn(entry: Element): string {
  const links = [...entry.querySelectorAll('link')];
  const written = links.map((link) => (link.textContent ?? '').trim()).find((text) => text !== '');
  if (written !== undefined) return written;
  const link = links.find((one) => /^(?:alternate)?$/.test(one.getAttribute('rel') ?? ''));
  return withoutReferences(link?.getAttribute('href') ?? '');
}
