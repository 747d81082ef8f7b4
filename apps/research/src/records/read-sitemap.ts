import { isFeed } from '../reading/feed-type.ts';
import { feedPages } from './read-feed.ts';
import { withoutReferences } from './references.ts';
import { linkRank, templateOf } from './link-rank.ts';
import { pageUrl } from '../reading/page-url.ts';
import type { RankedLink } from './read-record-page.ts';
import type { RowQuery } from './row-query.ts';

export interface SitemapTask {
  xml: string;
  url: string;
  query: RowQuery;
}

export interface SitemapContent {
  pages: RankedLink[];
  /** Further sitemaps that it names. */
  sitemaps: string[];
}

const PAGES_MAX = 5_000;
const SITEMAPS_MAX = 20;
/** A page that only a sitemap names comes after those that pages link. */
const UNLINKED = -1;
const LOCATION = /<loc>([^<>]{1,2000})<\/loc>/gi;

/** The pages of a sitemap or a feed, or the sitemaps of an index. */
export function sitemapContent({ xml, url, query }: SitemapTask): SitemapContent {
  if (isFeed(xml)) return { pages: feedPages({ xml, url, query, depth: 1 }), sitemaps: [] };
  const isIndex = /<sitemapindex[\s>]/i.test(xml);
  const addresses: string[] = [];
  for (const [, written] of xml.matchAll(LOCATION)) {
    if (addresses.length >= PAGES_MAX) break;
    const address = pageUrl(withoutReferences(written!.trim()), url);
    if (address !== null) addresses.push(address);
  }
  if (isIndex) return { pages: [], sitemaps: addresses.slice(0, SITEMAPS_MAX) };
  const link = { text: '', isNext: false, isNavigation: true, groupSize: 0 };
  const pages = addresses.map((address) => ({
    url: address,
    rank: linkRank({ ...link, url: address }, { template: '', depth: 1 }, query) + UNLINKED,
    template: templateOf(address),
  }));
  return { pages, sitemaps: [] };
}
