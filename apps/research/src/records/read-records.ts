import { baseOf } from '../reading/read-html.ts';
import { childrenOf, type Element, isNavigation, oneLine, textOf } from './dom.ts';
import { labelledFields } from './label-values.ts';
import { blockGroups, type ItemGroup, tableGroups } from './listed-records.ts';
import { datedFields, proseFields } from './prose-fields.ts';
import type { PageLink, PageRecord, PageRecords } from './record.ts';
import { jsonLdRecords, microdataRecords } from './structured-data.ts';

const LINKS_MAX = 2_000;
const RECORDS_MAX = 1_000;
const PARAGRAPH_MIN_CHARS = 40;
const PAGE_NAME_MAX_CHARS = 160;
/** Paragraphs of a page that are read for what happened and when. */
const PARAGRAPHS_MAX = 5;
const NEXT =
  /^(?:next(?: page)?|older(?: posts| entries)?|more|newer|show more|continue|weiter|suivant|»|›|→|>|>>|\d{1,4})(?:\s*[»›→>]+)?$/i;

/** Reads the entities of a page: the one that it is about, and those that it lists. */
export function readRecords(document: Element, url: string, jsonLd: readonly string[]): PageRecords {
  const body = document.querySelector('body') ?? document;
  const root = mainOf(body);
  const base = baseOf(document, url);
  const groups = [...tableGroups(root, base), ...blockGroups(root, base)];
  const title = oneLine(document.querySelector('title')?.textContent ?? '');
  const data = [...jsonLdRecords(jsonLd, base), ...microdataRecords(body, base)].map((record) =>
    record.isDetail ? { ...record, url: record.url ?? url } : record,
  );
  const detail = detailRecord(document, root, groups, { url, title });
  const kinds = pageKinds(root, title, url);
  const listed = groups
    .flatMap(({ records }) => records)
    .map((record) => ({ ...record, kinds: [...record.kinds, ...kinds] }));
  return {
    records: mergedInPage([...(detail === null ? [] : [detail]), ...data, ...listed], url).slice(0, RECORDS_MAX),
    links: linksOf(body, groups, base),
  };
}

function mainOf(body: Element): Element {
  const mains = [...body.querySelectorAll('main,[role=main]')];
  if (mains.length === 1) return mains[0]!;
  const articles = [...body.querySelectorAll('article')];
  return articles.length === 1 ? articles[0]! : body;
}

/** What a page's heading, title and address say about the kind of what it lists. */
function pageKinds(root: Element, title: string, url: string): string[] {
  const heading = textOf(root.querySelector('h1'), PAGE_NAME_MAX_CHARS);
  // A title often ends with the name of the site, which says nothing about the page.
  return [heading === '' ? title : heading, pathWords(url)].filter((text) => text !== '');
}

function pathWords(url: string): string {
  const { pathname } = new URL(url);
  return pathname
    .replace(/\.\w{2,5}$/, '')
    .split('/')
    .slice(0, -1)
    .join(' ')
    .replace(/[^\p{L}]+/gu, ' ')
    .trim();
}

/** The entity that the page is about: its main heading with the labelled values and the first paragraph. */
function detailRecord(
  document: Element,
  root: Element,
  groups: readonly ItemGroup[],
  page: { url: string; title: string },
): PageRecord | null {
  const heading = root.querySelector('h1') ?? document.querySelector('h1') ?? onlyHeading(root);
  const graph = document.querySelector('meta[property="og:title"]')?.getAttribute('content') ?? '';
  const caption = textOf(root.querySelector('table caption'), PAGE_NAME_MAX_CHARS);
  const name = textOf(heading, PAGE_NAME_MAX_CHARS) || oneLine(graph) || caption || bareTitle(page.title);
  if (name === '') return null;
  const repeated = groups.flatMap((group) => (group.records.some(isEntity) ? group.items : []));
  const fields = labelledFields(root, repeated);
  const { fields: said, definition } = paragraphFields(name, root, groups);
  const dated = datedFields(proseOf(root, groups));
  const type = document.querySelector('meta[property="og:type"]')?.getAttribute('content') ?? '';
  const labels = fields.filter(({ origin }) => origin !== 'class');
  if (labels.length === 0 && dated.length === 0 && definition === '') return null;
  return {
    name,
    url: page.url,
    fields: [...fields, ...said, ...dated],
    kinds: [type, crumbsOf(document), pathWords(page.url)].filter((text) => text !== '' && text !== 'website'),
    summary: definition || (dated[0]?.said ?? ''),
    isDetail: true,
  };
}

/** The only heading of a page without a main one. */
function onlyHeading(root: Element): Element | null {
  const headings = [...root.querySelectorAll('h2,h3')];
  return headings.length === 1 ? headings[0]! : null;
}

/** A title without the site's name behind it. */
function bareTitle(title: string): string {
  return title.split(/\s[|–—-]\s/u, 1)[0]!.trim();
}

/** What a page says in sentences: its paragraphs, or all of a page that has none. */
function proseOf(root: Element, groups: readonly ItemGroup[]): string {
  const paragraphs: string[] = [];
  for (const paragraph of root.querySelectorAll('p')) {
    if (paragraphs.length >= PARAGRAPHS_MAX) break;
    if (!groups.some(({ items }) => items.some((item) => item.contains(paragraph))))
      paragraphs.push(textOf(paragraph, 1_000));
  }
  return paragraphs.length > 0 || groups.length > 0 ? paragraphs.join(' ') : textOf(root, 1_000);
}

/** Whether an item names an entity, and is not itself a label with its value. */
function isEntity({ name, url, fields }: PageRecord): boolean {
  return url !== null || (fields.length > 0 && fields.every(({ label }) => !name.startsWith(label)));
}

function paragraphFields(name: string, root: Element, groups: readonly ItemGroup[]) {
  for (const paragraph of root.querySelectorAll('p')) {
    if (groups.some(({ items }) => items.some((item) => item.contains(paragraph)))) continue;
    const text = textOf(paragraph, 1_000);
    if (text.length >= PARAGRAPH_MIN_CHARS) return proseFields(name, text);
  }
  return { fields: [], definition: '' };
}

function crumbsOf(document: Element): string {
  const crumbs = document.querySelector('[class*=breadcrumb],[aria-label*=readcrumb]');
  if (crumbs === null) return '';
  return [...crumbs.querySelectorAll('a')].map((anchor) => textOf(anchor, 60)).join(' ');
}

/** Records of a page with one name are one entity; what a list or structured data adds is kept. */
function mergedInPage(records: readonly PageRecord[], url: string): PageRecord[] {
  const merged = new Map<string, PageRecord>();
  for (const record of records) {
    const key = record.name.toLowerCase();
    const known = merged.get(key);
    const isOther =
      known?.url !== undefined &&
      known.url !== null &&
      record.url !== null &&
      known.url !== record.url &&
      record.url !== url &&
      known.url !== url;
    if (known === undefined || isOther) {
      merged.set(isOther ? `${key} ${record.url}` : key, { ...record });
      continue;
    }
    known.fields = [...known.fields, ...record.fields];
    known.kinds = [...new Set([...known.kinds, ...record.kinds])];
    known.url = known.url ?? record.url;
    known.summary = known.summary || record.summary;
    known.isDetail ||= record.isDetail;
  }
  return [...merged.values()];
}

function linksOf(body: Element, groups: readonly ItemGroup[], url: string): PageLink[] {
  const sizes = new Map<Element, number>();
  for (const { items } of groups) for (const item of items) sizes.set(item, items.length);
  const links: PageLink[] = [];
  const visit = (element: Element, inNavigation: boolean, groupSize: number, depth: number) => {
    if (depth > 60 || links.length >= LINKS_MAX) return;
    const size = sizes.get(element) ?? groupSize;
    const href = element.localName === 'a' ? element.getAttribute('href') : null;
    const rel = element.getAttribute('rel') ?? '';
    const target = href === null || /\bnofollow\b/i.test(rel) ? null : URL.parse(href, url);
    if (target !== null && /^https?:$/.test(target.protocol)) {
      const text = textOf(element, 200);
      const isNext = /\bnext\b/i.test(rel) || NEXT.test(text);
      links.push({ url: target.href, text, isNext, isNavigation: inNavigation, groupSize: size });
    }
    const within = inNavigation || isNavigation(element);
    for (const child of childrenOf(element)) visit(child, within, size, depth + 1);
  };
  visit(body, false, 0, 0);
  return links;
}
