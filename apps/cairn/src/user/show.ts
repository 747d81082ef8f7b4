import { oneLine, printable } from './printable.ts';
import type { Session } from './session.ts';

type Cell = string | number | boolean | null | undefined;

/** An answer as JSON where that is wanted, else in the lines that `lines` makes of it. */
export function show<T>(session: Session, value: T, lines: (value: T) => readonly string[]): void {
  if (session.flags.json === true) return showJson(session, value);
  for (const line of lines(value)) session.answer(printable(line));
}

export function showJson(session: Session, value: unknown): void {
  session.answer(JSON.stringify(value, null, session.streams.stdout.isTTY ? 2 : undefined));
}

/** Rows as a JSON array, or as a table of some of their fields. */
export function showRows<T extends object>(
  session: Session,
  rows: readonly T[],
  columns: readonly (keyof T & string)[],
) {
  if (session.flags.json === true) return showJson(session, rows);
  if (rows.length === 0) return session.say('There are none.');
  const cells = rows.map((row) => columns.map((column) => row[column] as Cell));
  for (const line of tableLines(columns, cells)) session.answer(line);
}

/** The lines of a table whose columns are as wide as their widest cell. */
export function tableLines(names: readonly string[], rows: readonly (readonly Cell[])[]): string[] {
  const texts = rows.map((row) => row.map(cellText));
  const widths = names.map((name, column) => Math.max(name.length, ...texts.map((row) => row[column]!.length)));
  return [names, ...texts].map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
}

function cellText(cell: Cell): string {
  return cell === null || cell === undefined || cell === '' ? '-' : oneLine(String(cell));
}

export function bold(session: Pick<Session, 'color'>, text: string): string {
  return session.color ? `\u001b[1m${text}\u001b[0m` : text;
}

export function dim(session: Pick<Session, 'color'>, text: string): string {
  return session.color ? `\u001b[2m${text}\u001b[0m` : text;
}
