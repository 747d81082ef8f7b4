import type { Citation } from '../analysis/report-types.ts';

/** Words of a report and the numbers of the citations behind them. */
export interface CitedStatement {
  text: string;
  citations: number[];
}

export type ReportBlock =
  | { kind: 'paragraph' | 'list' | 'quote'; statements: CitedStatement[] }
  | { kind: 'table'; columns: string[]; rows: CitedStatement[][] };

interface ReportSection {
  /** Empty for what stands before the first heading. */
  heading: string;
  blocks: ReportBlock[];
}

/** A report taken apart, for formats that are laid out differently from its Markdown. */
export interface ReportDocument {
  title: string;
  sections: ReportSection[];
  citations: readonly Citation[];
}

const SOURCES = 'Sources';

/**
 * Takes a report apart. It is not Markdown of just any kind but what this service writes: a title, headings, paragraphs,
 * lists, quotes and tables of plain words with citation marks. The list of sources is left to the citations.
 */
export function readReport(markdown: string, citations: readonly Citation[]): ReportDocument {
  const sections: ReportSection[] = [{ heading: '', blocks: [] }];
  let title = '';
  let isOpen = false;
  for (const line of markdown.split('\n')) {
    if (line.startsWith('## ')) sections.push({ heading: line.slice(3).trim(), blocks: [] });
    else if (line.startsWith('# ') && title === '') title = line.slice(2).trim();
    else if (line.trim() !== '') addLine(sections.at(-1)!.blocks, line, isOpen);
    // What follows an empty line is another block, be it of the same kind.
    isOpen = line.trim() !== '';
  }
  // A topic may have the same name: the list of sources comes last. Below it stands how sure each part is.
  const sources = sections.findLastIndex(({ heading }) => heading === SOURCES);
  const sure = sections[sources]?.blocks.filter(({ kind }) => kind === 'quote') ?? [];
  if (sure.length > 0) sections.push({ heading: 'Confidence', blocks: sure });
  return {
    title,
    sections: sections
      .filter(({ blocks }, at) => at !== sources && blocks.length > 0)
      .map(({ heading, blocks }) => ({ heading, blocks: blocks.filter(isFilled) })),
    citations,
  };
}

function addLine(blocks: ReportBlock[], line: string, isOpen: boolean): void {
  if (line.trim() === '>') return;
  if (line.startsWith('| ')) addRow(blocks, cellsOf(line), isOpen);
  else if (/^\|(?:\s*-{3,}\s*\|)+$/.test(line)) return;
  else if (line.startsWith('- ')) statementsOf('list', blocks, isOpen).push(wholeStatement(line.slice(2)));
  else if (line.startsWith('> ')) statementsOf('quote', blocks, isOpen).push(wholeStatement(line.slice(2)));
  else blocks.push({ kind: 'paragraph', statements: statementsIn(line) });
}

/** The statements of the last block when it is open and of this kind, else of a new one. */
function statementsOf(kind: 'list' | 'quote', blocks: ReportBlock[], isOpen: boolean): CitedStatement[] {
  const last = blocks.at(-1);
  if (isOpen && last?.kind === kind) return last.statements;
  const statements: CitedStatement[] = [];
  blocks.push({ kind, statements });
  return statements;
}

function addRow(blocks: ReportBlock[], cells: string[], isOpen: boolean): void {
  const last = blocks.at(-1);
  if (!isOpen || last?.kind !== 'table') blocks.push({ kind: 'table', columns: cells, rows: [] });
  else if (!cells.every((cell) => /^-{3,}$/.test(cell))) last.rows.push(cells.map(wholeStatement));
}

/** Cells of reports hold no bar. */
function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

const MARKS = /((?:\[\d{1,6}\]\s?)+)/;

/** Prose is one paragraph of several statements, each before its marks. */
function statementsIn(line: string): CitedStatement[] {
  const pieces = line.split(MARKS);
  const statements: CitedStatement[] = [];
  for (let at = 0; at < pieces.length; at += 2) {
    const text = pieces[at]!.trim();
    const citations = numbersIn(pieces[at + 1] ?? '');
    if (text !== '' || citations.length > 0) statements.push({ text, citations });
  }
  return statements;
}

function wholeStatement(line: string): CitedStatement {
  const pieces = line.split(MARKS);
  return {
    text: pieces
      .filter((_, at) => at % 2 === 0)
      .join(' ')
      .replace(/\s+/g, ' ')
      .trim(),
    citations: pieces.filter((_, at) => at % 2 === 1).flatMap(numbersIn),
  };
}

function numbersIn(marks: string): number[] {
  return [...marks.matchAll(/\[(\d{1,6})\]/g)].map(([, number]) => Number(number));
}

function isFilled(block: ReportBlock): boolean {
  return block.kind === 'table' ? block.rows.length > 0 : block.statements.length > 0;
}
