/**
 * One row of a table as text that can be understood, found and quoted alone: each value under its column's name. In
 * a table of two columns the first cell is the name.
 */
export function rowText(names: readonly string[], cells: readonly string[]): string {
  if (cells.length === 2 && (names.length === 2 || names.length === 0)) return pairText(cells);
  return cells
    .map((value, column) => {
      const name = names[column] ?? '';
      return value === '' ? '' : name === '' ? value : `${name}: ${value}`;
    })
    .filter((cell) => cell !== '')
    .join('; ');
}

/** The rows of a table, one a line; those of two columns are items, because nothing else parts one from the next. */
export function tableText(names: readonly string[], rows: readonly (readonly string[])[]): string {
  return rows
    .map((cells) => (cells.length === 2 ? `- ${rowText(names, cells)}` : rowText(names, cells)))
    .filter((line) => line !== '' && line !== '- ')
    .join('\n');
}

/** A name and its value, with one colon. */
function pairText(cells: readonly string[]): string {
  const said = cells.filter((cell) => cell !== '');
  return said.map((cell, at) => (at < said.length - 1 ? withoutColon(cell) : cell)).join(': ');
}

/** A name without the colon that it is written with. */
export function withoutColon(name: string): string {
  return name.endsWith(':') ? name.slice(0, -1).trimEnd() : name;
}

const NAME_MAX_CHARS = 80;

/** True when a first row names the columns: text in each cell, no value twice, nothing that is a number. */
export function looksLikeHeader(cells: readonly string[]): boolean {
  const names = cells.map((cell) => cell.trim());
  return (
    names.length > 0 &&
    names.every((name) => name.length <= NAME_MAX_CHARS && !/^[-+]?[\d.,\s]*\d%?$/.test(name)) &&
    names.filter((name) => name !== '').length > names.length / 2 &&
    new Set(names.filter((name) => name !== '').map((name) => name.toLowerCase())).size ===
      names.filter((name) => name !== '').length
  );
}
