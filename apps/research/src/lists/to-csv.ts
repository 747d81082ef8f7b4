import type { ListRowRecord } from './list-store.ts';

/** RFC 4180, one line per row: its name, one column per cell, and its sources. */
export function csvOf(rows: readonly Pick<ListRowRecord, 'name' | 'cells' | 'sources'>[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row.cells)))];
  const lines = [
    ['name', ...columns, 'sources'],
    ...rows.map((row) => [
      row.name,
      ...columns.map((column) => row.cells[column]?.value ?? ''),
      row.sources.map((source) => source.uri ?? source.title).join(' | '),
    ]),
  ];
  return lines.map((line) => `${line.map(csvCell).join(',')}\r\n`).join('');
}

// Spreadsheets differ in their separators, and evaluate a cell that begins with one of these characters, full-width
// forms included, even after blanks (OWASP, CSV Injection). So every cell is quoted, and an apostrophe is put before
// such a character at the beginning and after anything that may be read as a separator or quote.
const SEPARATED = /(?<=[;,\t|\r\n"'])(?=\s{0,20}[=+\-@＝＋－＠])/g;
const LEADING = /^(?=\s{0,20}[=+\-@＝＋－＠]|[\t\r\n])/;

/** A cell that stays text in every spreadsheet, whatever its separator. */
export function csvCell(text: string): string {
  const inert = text.replace(SEPARATED, "'").replace(LEADING, "'");
  return `"${inert.replaceAll('"', '""')}"`;
}
