import { joined, named, type NamedText, plain } from '../named-value.ts';

/**
 * One row of a table as text that can be understood, found and quoted alone: each value under its column's name. In
 * a table of two columns the first cell is the name. Every cell goes by its column.
 */
export function rowText(names: readonly string[], cells: readonly string[], record = 0): NamedText {
  if (cells.length === 2 && (names.length === 2 || names.length === 0)) return pairText(names, cells, record);
  const said = cells.flatMap((text, column) => {
    if (text === '') return [];
    const name = names[column] ?? '';
    const value = named(text, [name === '' ? [] : [name]], record);
    return [name === '' ? value : joined([plain(name), value], ': ')];
  });
  return joined(said, '; ');
}

/** The rows of a table, one a line; those of two columns are items, because nothing else parts one from the next. */
export function tableText(names: readonly string[], rows: readonly (readonly string[])[]): NamedText {
  const lines = rows
    .map((cells, record) => ({ cells, row: rowText(names, cells, record) }))
    .filter(({ row }) => row.text !== '')
    .map(({ cells, row }) => (cells.length === 2 ? joined([plain('- '), row], '') : row));
  return joined(lines, '\n');
}

/** A name and its value, with one colon. The value goes by its column, and by the name that stands before it. */
function pairText(names: readonly string[], cells: readonly string[], record: number): NamedText {
  const column = (at: number) => (names[at] === undefined || names[at] === '' ? [] : [names[at]]);
  const [first = '', second = ''] = cells;
  if (first === '' || second === '') return named(first + second, [column(first === '' ? 1 : 0)], record);
  const key = withoutColon(first);
  return joined([named(key, [column(0)], record), named(second, [column(1), [key]], record)], ': ');
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
