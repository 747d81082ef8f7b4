import type { Nodes, Parent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

export interface Range {
  start: number;
  end: number;
}

interface Edit extends Range {
  text: string;
}

/** Nodes that go with all they hold. */
const REMOVED: ReadonlySet<string> = new Set([
  'html',
  'image',
  'imageReference',
  'definition',
  'footnoteDefinition',
  'footnoteReference',
]);
/** Nodes that go, while their text stays. */
const UNWRAPPED: ReadonlySet<string> = new Set(['link', 'linkReference']);

function parse(text: string): Nodes {
  return fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
}

/** What HTML takes for a tag, a comment or an instruction; Markdown parsers differ about attributes without quotes. */
const TAG = /<[a-z/!?][^<>]*>/gi;

/** `<scheme:…>` and `<name@host>`: an address in brackets, judged like any other. */
const AUTOLINK = /^<(?:[a-z][a-z0-9+.-]*:|[^\s<>@]+@)[^\s<>]*>$/i;

/** Nothing is a link, an image, HTML, a definition or a mark of code without one of these. */
const MARKUP = /[<[`@]|:\/\/|www\./i;

/** The text without links (their words stay), images, HTML and definitions, and without marks of code that end nowhere. */
export function withoutMarkup(text: string): string {
  if (!MARKUP.test(text)) return text;
  const untagged = text.replace(TAG, (tag) => (AUTOLINK.test(tag) ? tag.slice(1, -1) : ''));
  const edits: Edit[] = [];
  collectEdits(parse(untagged), untagged, edits);
  return applyEdits(untagged, edits);
}

/** Where spans of code lie, which renderers show as they are. */
export function codeRanges(text: string): Range[] {
  if (!text.includes('`')) return [];
  const ranges: Range[] = [];
  walk(parse(text), (node) => {
    if (node.type === 'inlineCode') ranges.push(rangeOf(node));
  });
  return ranges;
}

function collectEdits(node: Nodes, text: string, edits: Edit[]): void {
  if (REMOVED.has(node.type)) {
    edits.push({ ...rangeOf(node), text: '' });
    return;
  }
  if (UNWRAPPED.has(node.type)) {
    const whole = rangeOf(node);
    const children = (node as Parent).children as Nodes[];
    const inner =
      children.length === 0 ? whole : { start: rangeOf(children[0]!).start, end: rangeOf(children.at(-1)!).end };
    edits.push({ ...whole, text: children.length === 0 ? '' : text.slice(inner.start, inner.end) });
    return;
  }
  if (node.type === 'text') {
    const { start, end } = rangeOf(node);
    for (let at = text.indexOf('`', start); at !== -1 && at < end; at = text.indexOf('`', at + 1))
      edits.push({ start: at, end: at + 1, text: '' });
    return;
  }
  if ('children' in node) for (const child of node.children) collectEdits(child as Nodes, text, edits);
}

function walk(node: Nodes, see: (node: Nodes) => void): void {
  see(node);
  if ('children' in node) for (const child of node.children) walk(child as Nodes, see);
}

function rangeOf(node: Nodes): Range {
  // The parser places every node that stands in the text.
  return { start: node.position?.start.offset ?? 0, end: node.position?.end.offset ?? 0 };
}

function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = '';
  let position = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (edit.start < position) continue;
    result += text.slice(position, edit.start) + edit.text;
    position = edit.end;
  }
  return result + text.slice(position);
}
