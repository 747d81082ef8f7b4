import type { Root, RootContent, Table, TableRow } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { toString } from 'mdast-util-to-string';
import { gfm } from 'micromark-extension-gfm';
import { betterIn } from './better.ts';

/** One number in a table of a page of measurements. */
export interface Figure {
  /** Name of the generated section: "pipeline". */
  section: string;
  /** The commit that the section says it was measured at; null when it says none. */
  commit: string | null;
  /** The cells that say what its row is about. */
  row: string;
  /** Heading of its column, as text. */
  column: string;
  /** Which of the numbers of its cell it is, from 0: cells may hold "2.1 / 3.4". */
  part: number;
  /** In milliseconds or bytes where its cell names a unit of time or size. */
  value: number;
  /** As it is written. */
  text: string;
  /** The same for the same place of two versions of a page. */
  place: string;
}

const BEGIN = /^<!-- (?<name>[\w-]+): begin -->/;
const END = /^<!-- [\w-]+: end -->/;
const COMMIT = /\bcommit (?<commit>[0-9a-f]{7,40})\b/;
/** A count or a name. */
const KEY = /^(?:[\d,]+|\D*)$/;
const NUMBER =
  /(?<number>(?<![\p{L}\d])[-−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|(?<![\p{L}\d])\.\d+)(?: ?(?<unit>µs|ms|s|KiB|MiB|GiB|kB|KB|MB|GB)(?![\p{L}\d]))?/gu;
const UNITS: Readonly<Record<string, number>> = {
  µs: 0.001,
  ms: 1,
  s: 1_000,
  KiB: 1_024,
  MiB: 1_048_576,
  GiB: 1_073_741_824,
  kB: 1_000,
  KB: 1_000,
  MB: 1_000_000,
  GB: 1_000_000_000,
};

/** The numbers of all tables of the generated sections of a page of measurements, in the order of the page. */
export function figuresOf(markdown: string): Figure[] {
  const root: Root = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  return sectionsOf(root).flatMap(({ name, content }) => {
    const tables = content.filter((node) => node.type === 'table');
    const commit = COMMIT.exec(content.map((node) => toString(node)).join('\n'))?.groups?.['commit'] ?? null;
    return tables.flatMap((table, at) => figuresOfTable(table, { section: name, commit, place: `${name} ${at}` }));
  });
}

function sectionsOf(root: Root): { name: string; content: RootContent[] }[] {
  const sections: { name: string; content: RootContent[] }[] = [];
  let open: RootContent[] | null = null;
  for (const node of root.children) {
    const mark = node.type === 'html' ? node.value : '';
    const name = BEGIN.exec(mark)?.groups?.['name'];
    if (name !== undefined) {
      open = [];
      sections.push({ name, content: open });
    } else if (END.test(mark)) open = null;
    else open?.push(node);
  }
  return sections;
}

function figuresOfTable(table: Table, about: Pick<Figure, 'section' | 'commit' | 'place'>): Figure[] {
  const [head = [], ...rows] = table.children.map(cellsOf);
  const keys = keyColumns(head, rows);
  const seen = new Map<string, number>();
  return rows.flatMap((cells) => {
    const row = cells.slice(0, keys).join(', ');
    const occurrence = seen.get(row) ?? 0;
    seen.set(row, occurrence + 1);
    return cells.slice(keys).flatMap((cell, at) => {
      const column = head[keys + at] ?? '';
      // Two columns may have one heading: "to nginx", of each kind of load.
      const alike = head.slice(keys, keys + at).filter((other) => other === column).length;
      return numbersOf(cell).map((number, part) => ({
        ...about,
        row,
        column,
        part,
        ...number,
        place: [about.place, row, occurrence, column, alike, part].join('\t'),
      }));
    });
  });
}

/** How many columns say what a row is about: the first, and those after it that have names and whole numbers of no unit. */
function keyColumns(head: readonly string[], rows: readonly (readonly string[])[]): number {
  const isKey = (at: number) => betterIn(head[at]!) === null && rows.every((cells) => KEY.test(cells[at] ?? ''));
  let keys = 1;
  while (keys < head.length - 1 && isKey(keys)) keys += 1;
  return keys;
}

function cellsOf(row: TableRow): string[] {
  return row.children.map((cell) => toString(cell).trim());
}

function numbersOf(cell: string): { value: number; text: string }[] {
  return Array.from(cell.matchAll(NUMBER), ({ 0: text, groups }) => {
    const { number, unit } = groups as { number: string; unit?: string };
    const value = Number(number.replaceAll(',', '').replace('−', '-'));
    return { value: unit === undefined ? value : value * UNITS[unit]!, text };
  });
}
