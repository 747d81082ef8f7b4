import type { RawTable } from './table.ts';

/** A row as documents keep it: `name: value; name: value`, its number below the header, and what its table is called. */
export interface RowText {
  text: string;
  row: number;
  title: string;
}

const NAME_MAX_CHARS = 80;
/** A name of which no row but a few has a value may be a part of one: `note: see; also: that`. */
const NAME_SHARE_MIN = 0.02;

/**
 * Puts the rows of documents together to tables again, with all of their rows. A cell that holds `; ` stays whole,
 * because only what names a column begins the next one; where a few rows have a name that the others lack, nobody can
 * tell whether it is a column that is seldom filled, and the cell is doubtful. Rows that do not fit spoil their table,
 * which is left out: a sum without them would be wrong.
 */
export function tablesOfRows(rows: readonly RowText[]): RawTable[] {
  const tables: RawTable[] = [];
  for (const [title, own] of Map.groupBy(rows, (row) => row.title)) {
    const table = tableOf(title, own);
    if (table !== null) tables.push(table);
  }
  return tables;
}

function tableOf(title: string, rows: readonly RowText[]): RawTable | null {
  const names = columnNames(rows);
  if (names.length < 2) return null;
  const places = new Map(names.map((name, index) => [name, index]));
  const doubtful: [row: number, column: number][] = [];
  const cells = rows.map(({ text }, row) => cellsOf(text, places, (column) => doubtful.push([row, column])));
  if (cells.some((row) => row === null)) return null;
  // A table of two columns is written as a name and its value, without the names of the columns.
  if (rows.length > 1 && !cells.some((row) => row!.filter((cell) => cell !== '').length > 1)) return null;
  return { title, columns: names, rows: cells.map((row) => row!), rowNumbers: rows.map(({ row }) => row), doubtful };
}

/** What stands before the colons, in the order of the rows; only names that follow one another in the same order. */
function columnNames(rows: readonly RowText[]): string[] {
  const counts = new Map<string, number>();
  const followers = new Map<string, string>();
  for (const { text } of rows) {
    let previous = '';
    for (const part of text.split('; ')) {
      const name = nameIn(part);
      if (name === null) continue;
      counts.set(name, (counts.get(name) ?? 0) + 1);
      followers.set(name, previous);
      previous = name;
    }
  }
  const enough = Math.max(1, rows.length * NAME_SHARE_MIN);
  const names: string[] = [];
  for (const [name, count] of counts) {
    if (count < enough) continue;
    // A column that the first rows leave empty stands behind the one that comes before it.
    const before = names.indexOf(followers.get(name) ?? '');
    if (before < 0) names.push(name);
    else names.splice(before + 1, 0, name);
  }
  return names;
}

function nameIn(part: string): string | null {
  const at = part.indexOf(': ');
  return at <= 0 || at > NAME_MAX_CHARS ? null : part.slice(0, at);
}

/** Null when a name comes twice, or the row begins with none. */
function cellsOf(text: string, places: ReadonlyMap<string, number>, doubt: (column: number) => void): string[] | null {
  const cells = Array.from({ length: places.size }, () => '');
  const seen = new Set<number>();
  let open = -1;
  for (const part of text.split('; ')) {
    const name = nameIn(part);
    const place = name === null ? undefined : places.get(name);
    if (place === undefined) {
      if (open < 0) return null;
      if (name !== null) doubt(open);
      cells[open] += `; ${part}`;
      continue;
    }
    if (seen.has(place)) return null;
    seen.add(place);
    open = place;
    cells[place] = part.slice(name!.length + ': '.length);
  }
  return cells;
}
