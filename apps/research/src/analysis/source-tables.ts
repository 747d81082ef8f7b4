import { type RawTable, tablesOfRows } from '@cairn/documents';

/** A table of a source, and where each of its rows stands in the source's text. */
export interface SourceTable {
  sourceId: string;
  table: RawTable;
  /** By row number, which counts from 1. */
  rows: readonly { start: number; text: string }[];
}

interface Line {
  start: number;
  text: string;
}

/** `Round: Seed; Lead: Bryn Partners`: how the readers of documents write a row. */
const ROW = /^[^\s:;#][^:;]{0,79}: [^;]{1,2000}; [^\s:;][^:;]{0,79}: \S/;
const HEADING = /^#{1,6} (.+)$/;
const ROWS_MIN = 2;
const LABELS_MAX = 200;
/** A source of more is a page of labelled lines rather than of tables, and each is compared with every other. */
const RUNS_MAX = 200;

/**
 * The tables of a text, each with all of its rows. A table that other lines interrupt is left out, because a part of
 * it may be unreadable, and a sum without that would be wrong; so is one whose labels stand on a line outside of it,
 * which may be a row with a single filled cell.
 */
export function tablesOfSource(source: { source_id: string; title: string; body: string }): SourceTable[] {
  let left = RUNS_MAX;
  const sections: { heading: string; tables: Line[][] }[] = [];
  for (const { heading, lines } of sectionsOf(source.body)) {
    const { runs, strays } = runsOf(lines, left);
    left -= runs.length;
    if (left < 0) return [];
    sections.push({ heading, tables: wholeRuns(runs, strays) });
  }
  return sections.flatMap(({ heading, tables }) => {
    const title = heading === '' || heading === source.title ? source.title : `${source.title}, ${heading}`;
    return tables.flatMap((rows): SourceTable[] => {
      const [table, ...more] = tablesOfRows(rows.map(({ text }, index) => ({ text, row: index + 1, title })));
      return table === undefined || more.length > 0 ? [] : [{ sourceId: source.source_id, table, rows }];
    });
  });
}

function sectionsOf(body: string): { heading: string; lines: Line[] }[] {
  const sections: { heading: string; lines: Line[] }[] = [{ heading: '', lines: [] }];
  let start = 0;
  for (const text of body.split('\n')) {
    const heading = HEADING.exec(text)?.[1];
    if (heading !== undefined) sections.push({ heading, lines: [] });
    else if (text.trim() !== '') sections.at(-1)!.lines.push({ start, text });
    start += text.length + 1;
  }
  return sections;
}

interface LabelledRun {
  lines: Line[];
  labels: Set<string>;
}

/** Lines that follow one another and have columns in common, until there are too many; and the labels of all others. */
function runsOf(lines: readonly Line[], most: number): { runs: LabelledRun[]; strays: Set<string> } {
  const runs: LabelledRun[] = [];
  const strays = new Set<string>();
  let open: LabelledRun | null = null;
  for (const line of lines) {
    const labels = labelsOf(line.text);
    const isContinued: boolean = open !== null && labels.some((label) => open!.labels.has(label));
    if (open !== null && isContinued) open.lines.push(line);
    else if (ROW.test(line.text)) runs.push((open = { lines: [line], labels: new Set() }));
    else open = null;
    if (runs.length > most) break;
    for (const label of labels)
      if (open === null) strays.add(label);
      else if (open.labels.size < LABELS_MAX) open.labels.add(label);
  }
  return { runs, strays };
}

function wholeRuns(runs: readonly LabelledRun[], strays: ReadonlySet<string>): Line[][] {
  const isInterrupted = (run: LabelledRun) =>
    [...run.labels].some((label) => strays.has(label)) ||
    runs.some((other) => other !== run && [...other.labels].filter((label) => run.labels.has(label)).length >= 2);
  return runs.filter((run) => run.lines.length >= ROWS_MIN && !isInterrupted(run)).map(({ lines }) => lines);
}

function labelsOf(row: string): string[] {
  return row.split('; ').flatMap((cell) => {
    const colon = cell.indexOf(': ');
    return colon <= 0 || colon > 80 ? [] : [cell.slice(0, colon)];
  });
}
