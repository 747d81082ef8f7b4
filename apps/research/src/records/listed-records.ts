import { childrenOf, classWords, type Element, isNavigation, textOf } from './dom.ts';
import { labelledFields, rowsOf } from './label-values.ts';
import type { PageRecord, RecordField } from './record.ts';

const ITEMS_MIN = 3;
const ITEMS_MAX = 1_000;
const NAME_MAX_CHARS = 160;
const SUMMARY_MAX_CHARS = 400;
const NAME_COLUMNS =
  /^(?:(?:full |first )?name|title|person|company|product|item|member|artist|author|book|film|place|city|country|team)s?$/i;
const PAGER = /^(?:\d+|[«»‹›<>←→]+|next|prev(?:ious)?|older|newer|more|first|last|back|home)$/i;
/** Where an item's name stands, best first. */
const NAMES = ['h1,h2,h3,h4,h5,h6', '[itemprop=name],.name,.title', 'a[href]', 'strong,b,dt'];

/** A repeated structure of a page: its items, in order. */
export interface ItemGroup {
  items: Element[];
  records: PageRecord[];
}

/** The rows of tables with a header, each as a record. */
export function tableGroups(root: Element, url: string): ItemGroup[] {
  return [...root.querySelectorAll('table')].slice(0, 50).flatMap((table) => {
    const rows = rowsOf(table).filter((row) => row.length > 0);
    const [header, ...body] = rows;
    if (header === undefined || header.length < 2 || body.length === 0) return [];
    const isHeader =
      header.every(({ localName }) => localName === 'th') ||
      header[0]!.parentElement?.parentElement?.localName === 'thead';
    if (!isHeader) return [];
    const labels = header.map((cell) => textOf(cell, 80));
    const named = labels.findIndex((label) => NAME_COLUMNS.test(label));
    const alike = body.filter((row) => row.length === header.length).slice(0, ITEMS_MAX);
    const records = alike.flatMap((row) => {
      const linked = row.findIndex((cell) => cell.querySelector('a[href]') !== null);
      const at = named >= 0 ? named : linked >= 0 ? linked : row.findIndex((cell) => /\p{L}/u.test(textOf(cell, 200)));
      if (at < 0) return [];
      const name = textOf(row[at]!, NAME_MAX_CHARS);
      const fields = row.flatMap((cell, index): RecordField[] => {
        const value = textOf(cell, 400);
        return value === '' || labels[index] === '' ? [] : [{ label: labels[index]!, value, origin: 'label' }];
      });
      const summary = row.map((cell) => textOf(cell, 200)).join(' ');
      return name === '' ? [] : [recordOf(name, addressIn(row[at]!, url), fields, headingsOf(table, root), summary)];
    });
    return records.length === 0 ? [] : [{ items: alike.map((row) => row[0]!.parentElement!), records }];
  });
}

/**
 * Sibling elements of one structure that each name something (after MDR, Liu, Grossman and Zhai 2003): cards, list
 * items, sections.
 */
export function blockGroups(root: Element, url: string): ItemGroup[] {
  const groups: ItemGroup[] = [];
  const visit = (parent: Element, depth: number) => {
    if (depth > 40 || isNavigation(parent) || /^(?:table|dl|select|script|style|svg)$/.test(parent.localName)) return;
    const children = childrenOf(parent);
    const bySignature = Map.groupBy(children.slice(0, ITEMS_MAX), signatureOf);
    const taken = new Set<Element>();
    for (const items of bySignature.values()) {
      const group = items.length < ITEMS_MIN ? null : groupOf(items, root, url);
      if (group === null) continue;
      groups.push(group);
      for (const item of items) taken.add(item);
    }
    for (const child of children) if (!taken.has(child)) visit(child, depth + 1);
  };
  visit(root, 0);
  return groups;
}

function signatureOf(element: Element): string {
  return `${element.localName}.${classWords(element)}`;
}

function groupOf(items: Element[], root: Element, url: string): ItemGroup | null {
  if (/^(?:p|br|hr|h[1-6]|span|tr|td|dt|dd|script|style|img)$/.test(items[0]!.localName)) return null;
  const inContext = [...headingsOf(items[0]!, root), classWords(items[0]!)].filter((text) => text !== '');
  const records = items.flatMap((item) => {
    const named = nameIn(item);
    if (named === null) return [];
    const name = textOf(named, NAME_MAX_CHARS);
    const whole = textOf(item, SUMMARY_MAX_CHARS);
    if (name === '' || PAGER.test(name) || (item.localName === 'li' && whole.length > 250 && named.localName === 'a'))
      return [];
    return [recordOf(name, addressIn(named, url) ?? addressIn(item, url), labelledFields(item), inContext, whole)];
  });
  const names = new Set(records.map(({ name }) => name));
  const isList =
    records.length >= ITEMS_MIN && records.length >= items.length * 0.6 && names.size >= records.length * 0.6;
  const says = records.some(({ url: address, fields }) => address !== null || fields.length > 0);
  return isList && says ? { items, records } : null;
}

function nameIn(item: Element): Element | null {
  if (item.localName === 'a') return item.querySelector(NAMES[0]!) ?? item.querySelector(NAMES[1]!) ?? item;
  for (const selector of NAMES) {
    const found = item.querySelector(selector);
    if (found !== null && textOf(found, 20) !== '') return found;
  }
  return null;
}

function addressIn(element: Element, url: string): string | null {
  const anchor = element.localName === 'a' ? element : (element.querySelector('a[href]') ?? closestAnchor(element));
  const href = anchor?.getAttribute('href') ?? '';
  if (href === '' || href.startsWith('#') || /^(?:mailto|tel|javascript):/i.test(href)) return null;
  return URL.parse(href, url)?.href ?? null;
}

function closestAnchor(element: Element): Element | null {
  const parent = element.parentElement;
  return parent?.localName === 'a' ? parent : null;
}

/** The headings above an element, nearest first: of its section and of the page. */
function headingsOf(element: Element, root: Element): string[] {
  const found: string[] = [];
  for (let at: Element | null = element; at !== null && at !== root && found.length < 3; at = at.parentElement) {
    const siblings = at.parentElement === null ? [] : childrenOf(at.parentElement);
    const before = siblings.slice(0, siblings.indexOf(at)).toReversed();
    const heading = before.find(({ localName }) => /^h[1-6]$/.test(localName));
    if (heading !== undefined) found.push(textOf(heading, 120));
  }
  return found;
}

function recordOf(
  name: string,
  url: string | null,
  fields: RecordField[],
  kinds: string[],
  summary: string,
): PageRecord {
  return { name, url, fields: fields.filter(({ value }) => value !== name), kinds, summary, isDetail: false };
}
