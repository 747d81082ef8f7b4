import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { fromMarkdown } from 'mdast-util-from-markdown';
import type { Definition, Image, Link, Nodes } from 'mdast';
import { addressOf, BASE, type Page } from './page.ts';

/** A file of the repository that is a page, and what the site calls it. */
export interface PageFile {
  file: string;
  slug: string;
  label?: string;
}

interface Repository {
  root: string;
  /** The address of each page by its file. */
  slugs: ReadonlyMap<string, string>;
}

type Linking = Link | Image | Definition;

const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i;
const DESCRIPTION_MAX_CHARS = 200;

/** Reads the page and turns its links: to other pages of the site, or, where the site has none, into plain words. */
export function readPage({ file, slug, label }: PageFile, repository: Repository): Page {
  const text = readFileSync(join(repository.root, file), 'utf8');
  const heading = /^# (.+)\n+/m.exec(text);
  if (heading === null) throw new Error(`${file} has no title`);
  const body = relinked(text.slice(heading.index + heading[0].length), file, repository);
  return {
    slug,
    title: heading[1]!.replaceAll('`', ''),
    ...(label === undefined ? {} : { label }),
    ...describedBy(body),
    body,
  };
}

/** Its first paragraph, as plain words. */
function describedBy(body: string): { description?: string } {
  const first = fromMarkdown(body).children[0];
  if (first?.type !== 'paragraph') return {};
  const words = wordsOf(first).replaceAll(/\s+/g, ' ').trim();
  if (words.length <= DESCRIPTION_MAX_CHARS) return { description: words };
  return { description: `${words.slice(0, words.lastIndexOf(' ', DESCRIPTION_MAX_CHARS))} …` };
}

function wordsOf(node: Nodes): string {
  if ('value' in node) return node.value;
  return 'children' in node ? node.children.map(wordsOf).join('') : '';
}

/** Each link is replaced in the text where it stands, from the last to the first, so that the places stay true. */
function relinked(body: string, file: string, repository: Repository): string {
  let text = body;
  for (const node of linksOf(fromMarkdown(body)).toReversed()) {
    const [from, to] = [node.position!.start.offset!, node.position!.end.offset!];
    text = text.slice(0, from) + turned(text.slice(from, to), node, file, repository) + text.slice(to);
  }
  return text;
}

function linksOf(node: Nodes): Linking[] {
  if (node.type === 'link' || node.type === 'image' || node.type === 'definition') return [node];
  return 'children' in node ? node.children.flatMap((child) => linksOf(child)) : [];
}

function turned(written: string, node: Linking, file: string, repository: Repository): string {
  if (ELSEWHERE.test(node.url) || node.url.startsWith('#')) return written;
  const [path = '', anchor] = decodeURIComponent(node.url).split('#', 2);
  const target = join(dirname(file), path).replace(/\/$/, '');
  if (node.type === 'image') return written.replace(node.url, `${BASE}/${target.replace(/^docs\//, '')}`);
  const slug = repository.slugs.get(target) ?? repository.slugs.get(`${target}/README.md`);
  const address = slug === undefined ? null : `${addressOf(slug)}${anchor === undefined ? '' : `#${anchor}`}`;
  if (address !== null) return written.replace(`(${node.url}`, () => `(${address}`);
  // Sources are not on the site: their names stay.
  return node.type === 'link' ? written.slice(1, written.lastIndexOf('](')) : '';
}
