/** A table in Markdown; columns are padded as the formatter pads them, so that it leaves the page alone. */
export function paddedTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')))];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |\n`;
  const [first, ...body] = all;
  return line(first!) + line(widths.map((width) => '-'.repeat(width))) + body.map(line).join('');
}
