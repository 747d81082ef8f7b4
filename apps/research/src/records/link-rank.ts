import type { PageLink } from '../records/record.ts';
import type { RowQuery } from '../records/row-query.ts';
import { stemOf, stemsOf } from '../text/words.ts';

/** What is known of the pages of one URL template. */
export interface TemplateYield {
  visits: number;
  /** Sum over its pages of how much each brought: 1 for a row, less for a record that was not asked for. */
  useful: number;
  /** The same of the pages that its pages linked. */
  child_visits: number;
  child_useful: number;
}

/** Pages of a template that may bring nothing before the rest of them is left. */
const BARREN_MAX = 8;
/** The share of useful pages that a template has before any was read. */
const PRIOR = 0.4;
const PRIOR_WEIGHT = 2;
const GAIN = 6;
/** Below this a page is not requested. */
export const LINK_RANK_MIN = -50;
const BOILERPLATE =
  /\b(?:imprint|impressum|privacy|terms|conditions|cookies?|login|log in|sign (?:in|up)|register|cart|basket|checkout|account|password|contact|legal|disclaimer|accessibility|subscribe|newsletter|share|print|rss|feed|help|faq)\b/i;

/**
 * The template of a URL, equal for pages that are made alike: numbers, the last part of a longer path and the values of
 * parameters are left out.
 */
export function templateOf(href: string, inGroup = false): string {
  const url = new URL(href);
  const segments = url.pathname.split('/').filter((segment) => segment !== '');
  const last = segments.length - 1;
  const path = segments.map((segment, index) => {
    const ending = /\.[a-z]{2,5}$/i.exec(segment)?.[0] ?? '';
    const bare = segment.slice(0, segment.length - ending.length);
    const isVariable = index === last && (index > 0 || (inGroup && !/\d/.test(bare)));
    return isVariable && !isNumbered(bare) ? `*${ending}` : `${bare.replace(/\d+/g, '#')}${ending}`;
  });
  const names = [...new Set(url.searchParams.keys())].sort().join('&');
  return `${url.host}/${path.join('/')}${names === '' ? '' : `?${names}`}`;
}

/** A page of a series: `index-2`, `page3`, `12`. */
function isNumbered(segment: string): boolean {
  return /^(?:page|index|p|seite|list)?[-_]?\d+$/i.test(segment);
}

/** How promising a link is by itself: its words, its place on the page and the series it continues. */
export function linkRank(link: PageLink, page: { template: string; depth: number }, query: RowQuery): number {
  const url = new URL(link.url);
  const own = new Set(stemsOf(`${link.text} ${decoded(url.pathname).replace(/[^\p{L}\p{N}]+/gu, ' ')}`));
  const about = (words: readonly string[]) => words.filter((word) => own.has(stemOf(word))).length;
  let rank = -0.2 * (page.depth + 1);
  rank +=
    Math.min(3, 2 * about(query.kinds)) +
    Math.min(2, about(query.qualifiers)) +
    Math.min(1, 0.5 * about(query.columns.flatMap((column) => column.split(' '))));
  if (isSeries(link, page.template)) rank += 3.5;
  else if (link.groupSize >= 3 && !link.isNavigation) rank += 1;
  if (url.searchParams.size > 1) rank -= url.searchParams.size - 1;
  if (BOILERPLATE.test(`${link.text} ${url.pathname.replace(/[-_/]/g, ' ')}`) && about(query.kinds) === 0) rank -= 4;
  return rank;
}

/** Whether a link leads on through the pages of one list. */
function isSeries(link: PageLink, template: string): boolean {
  const target = templateOf(link.url);
  const bare = (one: string) => one.split('?', 1)[0]!;
  return (
    link.isNext ||
    (target === template && /#/.test(target)) ||
    (bare(target) === bare(template) && /\b(?:page|p|start|offset)\b/.test(target.split('?')[1] ?? ''))
  );
}

/** What the pages of a template are worth, by what those that were read brought. */
export function gainOf(known: TemplateYield | undefined): number {
  if (known === undefined) return GAIN * PRIOR;
  const visits = known.visits + known.child_visits;
  const useful = known.useful + known.child_useful;
  if (known.visits >= BARREN_MAX && useful < 0.02 * visits + 0.01) return 2 * LINK_RANK_MIN;
  return (GAIN * (useful + PRIOR * PRIOR_WEIGHT)) / (visits + PRIOR_WEIGHT);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
