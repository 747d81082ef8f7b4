import { dirname, join } from 'node:path/posix';
import { lineOf, placesOf, type SourceFile } from '../source-files.ts';
import type { Violation } from '../violation.ts';

/** Inline links and images, reference definitions, and the two HTML attributes that READMEs use. */
const LINKS = [
  /\]\(\s*<?([^)\s>]+)/g,
  /^ {0,3}\[[^\]\n]{1,200}\]:[ \t]{1,9}<?([^\s>]+)/gm,
  /\b(?:href|src)="([^"]+)"/g,
];
const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i;

interface Page {
  file: SourceFile;
  /** The text without code, which may show links that are none; positions are kept. */
  prose: string;
  anchors: Set<string>;
}

/** Relative links that lead nowhere, and anchors that no heading has. */
export function deadLinks(files: SourceFile[], paths: string[]): Violation[] {
  const markdown = files.filter(({ path }) => path.endsWith('.md'));
  const pages = new Map(markdown.map((file) => [file.path, readPage(file)]));
  const places = placesOf(paths);
  return [...pages.values()].flatMap((page) =>
    linksOf(page).flatMap(({ target, line }) => {
      const problem = problemOf(page, target, pages, places);
      return problem === null ? [] : [{ file: page.file.path, line, message: problem }];
    }),
  );
}

function readPage(file: SourceFile): Page {
  const prose = withoutComments(withoutFences(file.text).replace(/(?<!`)(`{1,5})[^`\n]+\1(?!`)/g, blank));
  return { file, prose, anchors: anchorsOf(file.text, prose) };
}

/** Blocks of code blanked out, from a line of at least three signs to the next that begins with as many. */
function withoutFences(text: string): string {
  let fence: string | null = null;
  return text
    .split('\n')
    .map((line) => {
      const signs = /^ *(`{3,}|~{3,})/.exec(line)?.[1];
      if (fence === null) {
        if (signs === undefined) return line;
        fence = signs;
        return blank(line);
      }
      if (signs?.startsWith(fence) === true && /^[ `~]*$/.test(line)) fence = null;
      return blank(line);
    })
    .join('\n');
}

function withoutComments(text: string): string {
  let prose = '';
  let last = 0;
  for (let start = text.indexOf('<!--'); start >= 0; start = text.indexOf('<!--', last)) {
    const end = text.indexOf('-->', start);
    if (end < 0) break;
    prose += text.slice(last, start) + blank(text.slice(start, end + 3));
    last = end + 3;
  }
  return prose + text.slice(last);
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}

/** Heading anchors as GitHub makes them, and explicit ones. */
function anchorsOf(text: string, prose: string): Set<string> {
  const anchors = new Set<string>();
  for (const heading of prose.matchAll(/^ {0,3}#{1,6} +/gm)) {
    const title = text.slice(heading.index + heading[0].length).split('\n', 1)[0] ?? '';
    const slug = title
      .trimEnd()
      .replace(/(?<!#)(?<= )#+$/, '')
      .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
      .replace(/(?<!\w)_([^_]+)_(?!\w)/g, '$1')
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-');
    let anchor = slug;
    for (let copy = 1; anchors.has(anchor); copy++) anchor = `${slug}-${copy}`;
    anchors.add(anchor);
  }
  for (const [, explicit] of prose.matchAll(/<a\s+(?:id|name)="([^"]+)"/g)) anchors.add(explicit!);
  return anchors;
}

function linksOf({ prose }: Page): { target: string; line: number }[] {
  return LINKS.flatMap((pattern) => [...prose.matchAll(pattern)])
    .map((match) => ({ target: match[1]!, line: lineOf(prose, match.index) }))
    .filter(({ target }) => !ELSEWHERE.test(target));
}

function problemOf(page: Page, target: string, pages: Map<string, Page>, places: Set<string>): string | null {
  const [path = '', anchor] = decode(target).split('#', 2);
  const from = path.startsWith('/') ? '' : dirname(page.file.path);
  const place = path === '' ? page.file.path : join(from, path).replace(/^\/|\/$/g, '');
  if (place !== '.' && !places.has(place)) return `dead link: ${target}`;
  const anchors = pages.get(place)?.anchors;
  return anchor !== undefined && anchors?.has(anchor) === false ? `dead anchor: ${target}` : null;
}

function decode(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}
