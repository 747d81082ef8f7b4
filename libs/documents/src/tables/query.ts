import type { Period } from './cell.ts';
import type { Column } from './table.ts';

export type Comparison = '<' | '<=' | '>' | '>=' | '=';

/** What a row has to meet. `said` repeats the condition for the reader of the answer. */
export type Condition =
  | { kind: 'values'; column: Column; forms: ReadonlySet<string>; said: string; negated: boolean }
  | { kind: 'contains'; column: Column; form: string; said: string; negated: boolean }
  | { kind: 'number'; column: Column; comparison: Comparison; value: number }
  | { kind: 'columns'; column: Column; comparison: Comparison; other: Column }
  | { kind: 'period'; column: Column; period: Period; said: string }
  | { kind: 'month'; column: Column; month: number; said: string }
  | { kind: 'boolean'; column: Column; value: boolean }
  | { kind: 'empty'; column: Column; negated: boolean };

export type Measure =
  | { kind: 'rows' }
  | { kind: 'count' }
  /** Of all rows, or of all that a column has. */
  | { kind: 'share'; column: Column | null }
  | { kind: 'distinct'; column: Column }
  | { kind: 'sum' | 'average' | 'median'; column: Column };

export interface TableQuery {
  conditions: Condition[];
  measure: Measure;
  group: Column | null;
  /** By a column of rows, or of groups by their measure when `column` is null. */
  order: { column: Column | null; descending: boolean } | null;
  limit: number | null;
  /** Columns to show of rows; the label when there are none. */
  show: Column[];
  /** What the rows are called in the question. */
  noun: string;
}
