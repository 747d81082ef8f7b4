import { cutText } from '@cairn/language';

/** The part of the DOM that records are read from; linkedom provides it. */
export interface Element {
  readonly nodeType: number;
  readonly localName: string;
  readonly textContent: string | null;
  readonly children: Iterable<Element> & { readonly length: number };
  readonly childNodes: Iterable<Element>;
  readonly parentElement: Element | null;
  getAttribute(name: string): string | null;
  querySelector(selector: string): Element | null;
  querySelectorAll(selector: string): Iterable<Element>;
  contains(other: Element): boolean;
}

const TEXT_NODE = 3;
const BLOCKS: ReadonlySet<string> = new Set(
  'address article aside blockquote br dd div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tbody td th thead tr ul'.split(
    ' ',
  ),
);
const DEPTH_MAX = 60;

/** The text of an element on one line; blocks are separated by a blank. */
export function textOf(element: Element | null, maxChars = 2_000): string {
  const parts: string[] = [];
  let length = 0;
  const visit = (node: Element, depth: number) => {
    if (length > maxChars || depth > DEPTH_MAX) return;
    for (const child of node.childNodes) {
      if (child.nodeType === TEXT_NODE) {
        const text = child.textContent ?? '';
        parts.push(text);
        length += text.length;
      } else if (child.nodeType === 1) {
        const isBlock = BLOCKS.has(child.localName);
        if (isBlock) parts.push(' ');
        visit(child, depth + 1);
        if (isBlock) parts.push(' ');
      }
    }
  };
  if (element !== null) visit(element, 0);
  return cutText(oneLine(parts.join('')), maxChars);
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

export function classWords(element: Element): string {
  return wordsOfIdentifier(element.getAttribute('class')?.split(/\s+/, 1)[0] ?? '');
}

/** `jobTitle`, `job-title` and `job_title` as "job title". */
export function wordsOfIdentifier(identifier: string): string {
  return oneLine(identifier.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[^\p{L}\p{N}]+/gu, ' ')).toLowerCase();
}

const NAVIGATION =
  /(?:^|[\s_-])(?:nav|navbar|navigation|menu|breadcrumbs?|cookie|footer|sidebar|pagination|pager)(?:$|[\s_-])/i;

/** Whether an element is a menu, header, footer or the like. */
export function isNavigation(element: Element): boolean {
  const { localName } = element;
  if (localName === 'nav' || localName === 'footer' || localName === 'aside' || localName === 'form') return true;
  if (localName === 'header') return element.querySelector('h1') === null;
  const role = element.getAttribute('role') ?? '';
  if (role === 'navigation' || role === 'banner' || role === 'contentinfo') return true;
  return NAVIGATION.test(`${element.getAttribute('class') ?? ''} ${element.getAttribute('id') ?? ''}`);
}

export function childrenOf(element: Element): Element[] {
  return [...element.children];
}
