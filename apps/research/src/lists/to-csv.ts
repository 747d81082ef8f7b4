import type { ListRowRecord } from './list-store.ts';

/** RFC 4180 with a line for each row: its name, a column for each cell, and where it is from. */
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

// Spreadsheets differ in what they take for a separator, and evaluate a cell that begins with one of these signs, full
// width included, whatever blanks stand before it (OWASP, CSV Injection). So every cell is quoted, and an apostrophe
// goes before such a sign at the beginning and behind anything that may be read as a separator or as a quote.
const SEPARATED = /(?<=[;,\t|\r\n"'])(?=\s{0,20}[=+\-@＝＋－＠])/g;
const LEADING = /^(?=\s{0,20}[=+\-@＝＋－＠]|[\t\r\n])/;

/** A cell that stays text in every spreadsheet, whatever it separates cells by. */
export function csvCell(text: string): string {
  const inert = text.replace(SEPARATED, "'").replace(LEADING, "'");
  return `"${inert.replaceAll('"', '""')}"`;
}
