import { cutText } from '@cairn/language';
import { blocksOfTree, documentText, type DomNode } from '@cairn/documents';
import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { isFeedType } from './feed-type.ts';

/** What a crawl extracts from a page. */
export interface PageContent {
  title: string;
  /** The article, or all text when there is none, as `documentText` writes it. */
  text: string;
  links: string[];
  /** RSS and Atom feeds that it names. */
  feeds: string[];
  canonical: string | null;
  noindex: boolean;
  nofollow: boolean;
  /** The page's JSON-LD blocks, each as JSON text. */
  jsonLd: string[];
}

const LINKS_MAX = 2_000;
const FEEDS_MAX = 3;
const TITLE_MAX_CHARS = 300;
const TEXT_MAX_CHARS = 400_000;
const JSON_LD_MAX_CHARS = 200_000;
const ARTICLE_MIN_CHARS = 200;
/** An article with a smaller share of the page's text was probably cut out of a list of similar items. */
const ARTICLE_SHARE_MIN = 0.35;

/** Reads a page. Readability (Mozilla) finds the article; linkedom builds the tree and executes nothing. */
export function readHtml(source: string, url: string): PageContent {
  const html = withBody(source);
  const { document } = parseHTML(html);
  const attribute = (selector: string, name: string) => document.querySelector(selector)?.getAttribute(name) ?? null;
  const robots = [...document.querySelectorAll('meta[name]')]
    .filter((meta) => /^(?:robots|cairnbot)$/i.test(meta.getAttribute('name') ?? ''))
    .map((meta) => meta.getAttribute('content') ?? '')
    .join(',')
    .toLowerCase();
  const base = baseOf(document, url);
  const links = [...document.querySelectorAll('a[href]')]
    .filter((anchor) => !/\bnofollow\b/i.test(anchor.getAttribute('rel') ?? ''))
    .slice(0, LINKS_MAX)
    .flatMap((anchor) => URL.parse(anchor.getAttribute('href') ?? '', base)?.href ?? []);
  const feeds = [...document.querySelectorAll('link[rel][type][href]')]
    .filter(
      (link) => /\balternate\b/i.test(link.getAttribute('rel') ?? '') && isFeedType(link.getAttribute('type') ?? ''),
    )
    .slice(0, FEEDS_MAX)
    .flatMap((link) => URL.parse(link.getAttribute('href') ?? '', base)?.href ?? []);
  const jsonLd = [...document.querySelectorAll('script[type="application/ld+json"]')]
    .map((script) => script.textContent ?? '')
    .filter((text) => text.length <= JSON_LD_MAX_CHARS);
  const heading = document.querySelector('h1')?.textContent?.trim();
  const title = cutText(oneLine(document.querySelector('title')?.textContent ?? heading ?? ''), TITLE_MAX_CHARS) || url;
  const canonical = attribute('link[rel="canonical"]', 'href');
  const head = {
    title,
    links,
    feeds,
    canonical: canonical === null ? null : (URL.parse(canonical, base)?.href ?? null),
    noindex: /\b(?:noindex|none)\b/.test(robots),
    nofollow: /\b(?:nofollow|none)\b/.test(robots),
    jsonLd,
  };
  for (const element of document.querySelectorAll('title,script,style,noscript,template,svg,iframe')) element.remove();
  const whole = textOf(document.body ?? document.documentElement);
  return { ...head, text: cutText(articleOf(html, whole) ?? whole, TEXT_MAX_CHARS) };
}

/** What the links of a page are relative to. */
export function baseOf(
  document: { querySelector(selector: string): { getAttribute(name: string): string | null } | null },
  url: string,
): string {
  const written = document.querySelector('base[href]')?.getAttribute('href');
  return written == null ? url : (URL.parse(written, url)?.href ?? url);
}

/** The body tag is optional (HTML, 13.1.2.4), and linkedom does not insert it. */
export function withBody(html: string): string {
  if (/<body[\s>]/i.test(html)) return html;
  const inner = html.replace(/<\/?(?:!doctype|html|head)\b[^<>]*>/gi, ' ');
  return `<!doctype html><html><head></head><body>${inner}</body></html>`;
}

function articleOf(html: string, whole: string): string | null {
  const { document } = parseHTML(html);
  if (document.body === null) return null;
  const article = new Readability(document as never, { charThreshold: ARTICLE_MIN_CHARS }).parse();
  if (article?.content === undefined || article.content === null) return null;
  const { document: inner } = parseHTML(`<!doctype html><html><body>${article.content}</body></html>`);
  const text = textOf(inner.body);
  if (text.length < ARTICLE_MIN_CHARS || text.length < whole.length * ARTICLE_SHARE_MIN) return null;
  const { title } = article;
  return typeof title === 'string' && title !== '' && !text.includes(title) ? `# ${oneLine(title)}\n\n${text}` : text;
}

function textOf(root: unknown): string {
  return documentText(blocksOfTree(root as DomNode));
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
