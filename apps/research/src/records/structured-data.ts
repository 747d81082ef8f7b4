import { cutText } from '@cairn/language';
import { type Element, oneLine, textOf, wordsOfIdentifier } from './dom.ts';
import type { PageRecord, RecordField } from './record.ts';

const NODES_MAX = 500;
const DEPTH_MAX = 6;
const VALUE_MAX_CHARS = 500;
const NAME_MAX_CHARS = 200;
/** Nodes about the page or the site, not about an entity that the page lists. */
const PAGE_TYPES =
  /^(?:WebSite|\w*Page|BreadcrumbList|ListItem|ItemList|\w*Action|ImageObject|SiteNavigationElement|WPHeader|WPFooter|OfferCatalog)$/;
/** Properties whose values are entities of the page in their own right. */
const HOLDING = [
  '@graph',
  'itemListElement',
  'item',
  'mainEntity',
  'hasPart',
  'member',
  'employee',
  'containsPlace',
  'subEvent',
];
const SKIPPED = /^(?:@|image$|logo$|sameAs$|potentialAction$|mainEntityOfPage$|thumbnailUrl$)/;

type Node = Record<string, unknown>;

/** The entities of a page's JSON-LD. */
export function jsonLdRecords(blocks: readonly string[], url: string): PageRecord[] {
  const records: PageRecord[] = [];
  const visit = (value: unknown, depth: number, inList: boolean) => {
    if (depth > DEPTH_MAX || records.length >= NODES_MAX || value === null || typeof value !== 'object') return;
    if (Array.isArray(value)) {
      for (const one of value) visit(one, depth, inList || value.length > 1);
      return;
    }
    const node = value as Node;
    const types = [node['@type']].flat().filter((type) => typeof type === 'string');
    const name = nameOf(node);
    if (name !== '' && types.length > 0 && !types.some((type) => PAGE_TYPES.test(type)))
      records.push({
        name,
        url: addressOf(node, url),
        fields: fieldsOf(node),
        kinds: types.map(wordsOfIdentifier),
        summary: typeof node['description'] === 'string' ? cutText(oneLine(node['description']), VALUE_MAX_CHARS) : '',
        isDetail: !inList,
      });
    const isList = types.includes('ItemList') || inList;
    for (const property of HOLDING) visit(node[property], depth + 1, isList);
  };
  for (const block of blocks) {
    try {
      visit(JSON.parse(block) as unknown, 0, false);
    } catch {
      // A page with broken JSON-LD is read without it.
    }
  }
  return records;
}

function nameOf(node: Node): string {
  const name = node['name'] ?? node['headline'] ?? node['title'];
  return typeof name === 'string' ? cutText(oneLine(name), NAME_MAX_CHARS) : '';
}

function addressOf(node: Node, base: string): string | null {
  const address = node['url'] ?? node['@id'];
  if (typeof address !== 'string' || address.startsWith('#') || address.startsWith('_:')) return null;
  return URL.parse(address, base)?.href ?? null;
}

function fieldsOf(node: Node): RecordField[] {
  return Object.entries(node).flatMap(([key, value]) => {
    if (SKIPPED.test(key) || key === 'name' || HOLDING.includes(key)) return [];
    return valuesOf(key, value, 0).map(([label, text]) => ({ label, value: text, origin: 'data' as const }));
  });
}

/** The texts of a property; those of an object inside it under the object's own property names too. */
function valuesOf(key: string, value: unknown, depth: number): [label: string, text: string][] {
  const label = wordsOfIdentifier(key);
  if (typeof value === 'string' || typeof value === 'number') {
    const text = cutText(oneLine(String(value)).replace(/^https?:\/\/schema\.org\//, ''), VALUE_MAX_CHARS);
    return text === '' ? [] : [[label, text]];
  }
  if (Array.isArray(value)) {
    const each = value.slice(0, 20).flatMap((one) => valuesOf(key, one, depth));
    const own = each.filter(([name]) => name === label).map(([, text]) => text);
    return [
      ...(own.length > 0 ? [[label, own.join(', ')] as [string, string]] : []),
      ...each.filter(([name]) => name !== label),
    ];
  }
  if (value === null || typeof value !== 'object' || depth > 2) return [];
  const node = value as Node;
  const name = nameOf(node);
  const texts: [string, string][] = name === '' ? [] : [[label, name]];
  if (node['@type'] === 'PropertyValue' && name !== '') return valuesOf(name, node['value'], depth + 1);
  const amount = node['price'] ?? node['value'] ?? node['ratingValue'];
  if (typeof amount === 'string' || typeof amount === 'number') {
    const unit = node['priceCurrency'] ?? node['unitText'] ?? node['currency'];
    const written = typeof unit === 'string' ? `${amount} ${unit}` : String(amount);
    texts.push([node['price'] === undefined ? label : 'price', written]);
  }
  const parts = Object.entries(node).flatMap(([inner, one]) =>
    SKIPPED.test(inner) || ['name', 'price', 'value', 'priceCurrency'].includes(inner)
      ? []
      : valuesOf(inner, one, depth + 1),
  );
  if (texts.length === 0 && parts.length > 0 && label === 'address')
    texts.push([label, cutText(parts.map(([, text]) => text).join(', '), VALUE_MAX_CHARS)]);
  return [...texts, ...parts];
}

/** The entities of a page's microdata and RDFa: the outermost items with a name. */
export function microdataRecords(root: Element, url: string): PageRecord[] {
  const scopes = [...root.querySelectorAll('[itemscope],[typeof]')].slice(0, NODES_MAX);
  return scopes.flatMap((scope) => {
    if (isProperty(scope) || scopes.some((other) => other !== scope && other.contains(scope) && !isPageScope(other)))
      return [];
    const type = typeOf(scope);
    if (PAGE_TYPES.test(type)) return [];
    const fields: RecordField[] = [];
    let name = '';
    let address: string | null = null;
    for (const property of scope.querySelectorAll('[itemprop],[property]')) {
      const key = property.getAttribute('itemprop') ?? property.getAttribute('property') ?? '';
      const label = wordsOfIdentifier(key.split(/[:/]/).at(-1)!);
      const value = propertyValue(property);
      const href = property.getAttribute('href');
      if (label === 'url' && href !== null) address ??= URL.parse(href, url)?.href ?? null;
      else if (label === 'name' && name === '') name = cutText(value, NAME_MAX_CHARS);
      else if (value !== '' && !SKIPPED.test(key)) fields.push({ label, value, origin: 'data' });
    }
    if (name === '') return [];
    const isOnly = scopes.length === 1 || scope.querySelector('h1') !== null;
    return [{ name, url: address, fields, kinds: [wordsOfIdentifier(type)], summary: '', isDetail: isOnly }];
  });
}

function isProperty(scope: Element): boolean {
  return scope.getAttribute('itemprop') !== null || scope.getAttribute('property') !== null;
}

function isPageScope(scope: Element): boolean {
  return PAGE_TYPES.test(typeOf(scope));
}

/** `Product` of `https://schema.org/Product`. */
function typeOf(scope: Element): string {
  return (scope.getAttribute('itemtype') ?? scope.getAttribute('typeof') ?? '').split(/[\s/#:]+/).at(-1) ?? '';
}

function propertyValue(property: Element): string {
  const written = property.getAttribute('content') ?? property.getAttribute('datetime');
  return written === null ? textOf(property, VALUE_MAX_CHARS) : cutText(oneLine(written), VALUE_MAX_CHARS);
}
