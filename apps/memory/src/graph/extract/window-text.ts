import { readStructuredContent, type StructuredContent } from './tables.ts';

/** A chunk as it is read: titles from the document down to the section, joined by ` › `, and its text. */
export interface ChunkText {
  titlePath: string;
  body: string;
}

/** One chunk within the text of its window. */
interface ChunkPart {
  /** Place of its prose in the window's text. */
  start: number;
  end: number;
  titles: readonly string[];
  structured: StructuredContent;
  /** The place in the chunk's own text of a place in its prose. */
  placeOf(at: number): number;
}

/** Consecutive chunks of a document as one text, with titles where they change. Tables and masks are left blank. */
export interface WindowText {
  text: string;
  parts: readonly ChunkPart[];
  /** Places of titles in the text; no title twice. */
  titles: readonly { title: string; start: number; end: number }[];
}

const CHUNK_MAX_CHARS = 20_000;
const BREAK = '\n\n';

export function windowText(chunks: readonly ChunkText[]): WindowText {
  let text = '';
  const parts: ChunkPart[] = [];
  const titles = new Map<string, { title: string; start: number; end: number }>();
  for (const { titlePath, body } of chunks) {
    const path = titlePath === '' ? [] : withoutMasks(titlePath).split(' › ');
    for (const title of path) {
      if (titles.has(title)) continue;
      titles.set(title, { title, start: text.length, end: text.length + title.length });
      text += title + BREAK;
    }
    const { text: plain, placeOf } = stripMarkup(withoutMasks(body.slice(0, CHUNK_MAX_CHARS)));
    const structured = readStructuredContent(plain, path[0] ?? null);
    parts.push({ start: text.length, end: text.length + plain.length, titles: path, structured, placeOf });
    text += blank(plain, structured.taken) + BREAK;
  }
  return { text, parts, titles: [...titles.values()] };
}

/** What screening masked has no name: `[[EMAIL_1]]` is another address in every document. */
function withoutMasks(text: string): string {
  return text.replace(/\[\[\p{Lu}[\p{Lu}_]*_\d+\]\]/gu, (match) => ' '.repeat(match.length));
}

const MARKS = /\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\[(?=[^[\]\n]*\])|\*\*|__|`|https?:\/\/\S+/g;

/** A text without Markdown's marks and addresses, and where its characters stood before. */
function stripMarkup(marked: string): { text: string; placeOf(at: number): number } {
  let text = '';
  let last = 0;
  /** Where in `text` something was left out, and how much until there. */
  const cuts: { at: number; left: number }[] = [];
  for (const match of marked.matchAll(MARKS)) {
    text += marked.slice(last, match.index);
    last = match.index + match[0].length;
    cuts.push({ at: text.length, left: last - text.length });
  }
  text += marked.slice(last);
  return { text, placeOf: (at) => at + (cuts.findLast((cut) => cut.at <= at)?.left ?? 0) };
}

function blank(text: string, taken: readonly { start: number; end: number }[]): string {
  let result = '';
  let last = 0;
  for (const { start, end } of taken) {
    result += text.slice(last, start) + ' '.repeat(end - start);
    last = end;
  }
  return result + text.slice(last);
}
