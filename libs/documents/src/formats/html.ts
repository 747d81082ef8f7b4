import { isProbablyReaderable, Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { isBoilerplate } from './boilerplate.ts';
import { type DomNode, htmlBlocks } from './html-blocks.ts';
import { BlockList, type ParsedDocument, ParseFailure } from '../parsed.ts';
import { statedTime } from './stated-time.ts';

/** Pages with more elements are read whole instead of being judged element by element. */
const JUDGED_ELEMENTS_MAX = 100_000;
/** An article that is so small a part of its page is not what the page is about. */
const ARTICLE_SHARE_MIN = 0.1;
const PAGE_SMALL_CHARS = 600;
const ARTICLE_SMALL_CHARS = 250;

/** The main content of a page, or all of its text when it has none that stands out. */
export function parseHtml(html: string): ParsedDocument {
  const { document } = parsePage(html);
  const title = titleOf(document);
  const list = new BlockList();
  const article = mainContentOf(html);
  htmlBlocks(article ?? (document as unknown as DomNode), list);
  const content = article === null ? list.blocks : list.blocks.filter((block) => !isBoilerplate(block.text));
  return { mediaType: 'text/html', title, context: '', blocks: content, occurredAt: publishedAt(document) };
}

type Page = ReturnType<typeof parseHTML>['document'];

function parsePage(html: string): { document: Page } {
  try {
    return { document: parseHTML(html).document };
  } catch (error) {
    if (error instanceof RangeError)
      throw new ParseFailure('nested_too_deep', 'The page is nested too deep to be read.', error);
    throw new ParseFailure('broken_file', 'The page cannot be read as HTML.', error);
  }
}

function mainContentOf(html: string): DomNode | null {
  const { document } = parsePage(html);
  // Pages of a few lines, and those without a paragraph, are read as they are.
  const pageChars = visibleChars(document);
  if (pageChars < PAGE_SMALL_CHARS && !isProbablyReaderable(document as never)) return null;
  const article = readArticle(document);
  if (article === null) return null;
  const content = parsePage(`<html><body>${article}</body></html>`).document;
  const chars = visibleChars(content);
  return chars < ARTICLE_SMALL_CHARS && chars < pageChars * ARTICLE_SHARE_MIN ? null : (content as unknown as DomNode);
}

function readArticle(document: Page): string | null {
  try {
    const reader = new Readability(document as never, { maxElemsToParse: JUDGED_ELEMENTS_MAX });
    return reader.parse()?.content ?? null;
  } catch {
    // It gives up on pages that are too large or too strange; those are read whole.
    return null;
  }
}

function visibleChars(document: Page): number {
  let chars = 0;
  for (const element of document.querySelectorAll('p,li,td,h1,h2,h3,pre,blockquote,div')) {
    for (const child of element.childNodes) {
      if (child.nodeType === 3) chars += (child.textContent ?? '').trim().length;
    }
  }
  return chars;
}

function titleOf(document: Page): string | null {
  const named = document.querySelector('meta[property="og:title"]')?.getAttribute('content');
  const title = named ?? document.querySelector('title')?.textContent ?? document.querySelector('h1')?.textContent;
  const text = (title ?? '').replace(/\s+/g, ' ').trim();
  return text === '' ? null : text;
}

function publishedAt(document: Page): string | null {
  const said =
    document.querySelector('meta[property="article:published_time"]')?.getAttribute('content') ??
    document.querySelector('time[datetime][pubdate]')?.getAttribute('datetime');
  if (said === undefined || said === null || !/^\d{4}-\d{2}-\d{2}/.test(said)) return null;
  return statedTime(said);
}
