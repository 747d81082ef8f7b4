import type { IndexFilter, TimeRange } from '@cairn/search-index';

/** Parameters of a statement under way; assigns each its `$n`. */
interface Parameters {
  values: unknown[];
  add(value: unknown): string;
}

export function parameters(...values: unknown[]): Parameters {
  return {
    values,
    add(value) {
      values.push(value);
      return `$${values.length}`;
    },
  };
}

/** A filter as a condition over `chunk` (chunks) and `document` (documents); values only ever as parameters. */
export function filterSql(filter: IndexFilter, into: Parameters): string {
  if ('and' in filter) return joined(filter.and, 'AND', 'true', into);
  if ('or' in filter) return joined(filter.or, 'OR', 'false', into);
  // A comparison with a missing time is unknown, and its opposite must hold.
  if ('not' in filter) return `(${filterSql(filter.not, into)}) IS NOT TRUE`;
  if ('vaultIds' in filter) return `chunk.vault_id = ANY(${into.add(filter.vaultIds)}::text[])`;
  if ('docIds' in filter) return `chunk.doc_id = ANY(${into.add([...filter.docIds])}::text[])`;
  if ('occurredAt' in filter) return rangeSql('chunk.occurred_at', filter.occurredAt, into);
  return rangeSql('document.created_at', filter.createdAt, into);
}

function joined(parts: readonly IndexFilter[], by: 'AND' | 'OR', empty: string, into: Parameters): string {
  return parts.length === 0 ? empty : `(${parts.map((part) => filterSql(part, into)).join(` ${by} `)})`;
}

function rangeSql(column: string, range: TimeRange, into: Parameters): string {
  const conditions = [`${column} IS NOT NULL`];
  if (range.gteMs !== undefined) conditions.push(`${column} >= ${into.add(new Date(range.gteMs))}`);
  if (range.ltMs !== undefined) conditions.push(`${column} < ${into.add(new Date(range.ltMs))}`);
  return `(${conditions.join(' AND ')})`;
}
