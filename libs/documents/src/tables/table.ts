import type { Period } from './cell.ts';
import { normalForm, type TableWord } from './words.ts';

/** A table as it was read: texts only. */
export interface RawTable {
  /** What it is called: its file, sheet or heading. */
  title: string;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  /** Number of each row for whoever checks it; from 1 where it is not given. */
  rowNumbers?: readonly number[];
  /** Cells, by row and column from 0, that may hold something of another column beside their own. */
  doubtful?: readonly (readonly [row: number, column: number])[];
}

type ColumnType = 'number' | 'date' | 'boolean' | 'category' | 'text';

export interface Column {
  index: number;
  name: string;
  words: readonly TableWord[];
  type: ColumnType;
  /** `EUR`, `kg`, `%`: as the name or every cell says it; empty where neither does. */
  unit: string;
  /** Every filled cell is another one. */
  isUnique: boolean;
  distinct: number;
  /** Numbers of the cells of a number column, by row; null where there is none. */
  numbers: readonly (number | null)[];
  /** A cell of which the number is only likely: `1,234` where nothing shows how the table writes decimals. */
  assumed: string | null;
  dates: readonly (Period | null)[];
  booleans: readonly (boolean | null)[];
  /** Rows whose cell says something that cannot be read: masked, cut off, or of another type than the column. */
  unread: ReadonlySet<number>;
}

export interface Table {
  title: string;
  titleWords: readonly TableWord[];
  columns: readonly Column[];
  rows: readonly (readonly string[])[];
  rowNumbers: readonly number[];
  /** The column that distinguishes the rows, and the one that names them to people. */
  key: Column | null;
  label: Column | null;
  /** Rows that repeat what others say together. */
  totals: ReadonlySet<number>;
}

/** Normal forms of cells, each text once. */
export function createNormaliser(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const cached = known.get(text);
    if (cached !== undefined) return cached;
    const form = normalForm(text);
    if (known.size < 200_000) known.set(text, form);
    return form;
  };
}
