import type { OperatorFlags } from './operator.ts';

export type PrintLine = (line?: string) => void;

export interface Json extends OperatorFlags {
  json?: boolean;
}

export const JSON_OPTION = ['--json', 'print JSON instead of a table'] as const;

/** Prints a JSON array or a table. */
export function printTable(say: PrintLine, options: Json, rows: readonly Record<string, string | number>[]): void {
  if (options.json === true) return say(JSON.stringify(rows));
  const names = Object.keys(rows[0] ?? {});
  const widths = names.map((name) => Math.max(name.length, ...rows.map((row) => String(row[name]).length)));
  const line = (cells: readonly string[]) =>
    say(
      cells
        .map((cell, index) => cell.padEnd(widths[index]!))
        .join('  ')
        .trimEnd(),
    );
  if (rows.length === 0) return say('none');
  line(names);
  for (const row of rows) line(names.map((name) => String(row[name])));
}
