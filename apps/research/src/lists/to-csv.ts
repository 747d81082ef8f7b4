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

/** A spreadsheet takes what begins like a formula for one: such a cell gets an apostrophe before it. */
export function csvCell(text: string): string {
  const inert = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
