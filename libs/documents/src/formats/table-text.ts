/**
 * One row of a table as text that can be understood, found and quoted alone: each value under its column's name. In
 * a table of two columns the first cell is the name.
 */
export function rowText(names: readonly string[], cells: readonly string[]): string {
  if (names.length === 2 && cells.length === 2) return cells.filter((cell) => cell !== '').join(': ');
  return cells
    .map((value, column) => {
      const name = names[column] ?? '';
      return value === '' ? '' : name === '' ? value : `${name}: ${value}`;
    })
    .filter((cell) => cell !== '')
    .join('; ');
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
