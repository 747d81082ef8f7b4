import type { IndexFilter, TimeRange } from '@cairn/search-index';
import type { Clause } from './search-cluster.ts';

/** A filter in the cluster's language. */
export function filterClause(filter: IndexFilter): Clause {
  if ('and' in filter) return { bool: { filter: filter.and.map(filterClause) } };
  if ('or' in filter) {
    if (filter.or.length === 0) return { match_none: {} };
    return { bool: { should: filter.or.map(filterClause), minimum_should_match: 1 } };
  }
  if ('not' in filter) return { bool: { must_not: [filterClause(filter.not)] } };
  if ('vaultIds' in filter) return { terms: { vault: [...filter.vaultIds] } };
  if ('docIds' in filter) return { terms: { doc: [...filter.docIds] } };
  if ('occurredAt' in filter) return { range: { occurred_at: rangeOf(filter.occurredAt) } };
  return { range: { created_at: rangeOf(filter.createdAt) } };
}

function rangeOf({ gteMs, ltMs }: TimeRange) {
  return { ...(gteMs === undefined ? {} : { gte: gteMs }), ...(ltMs === undefined ? {} : { lt: ltMs }) };
}

/** What PostgreSQL says of a chunk that was found. */
export interface FilteredChunk {
  docId: string;
  vaultId: string;
  occurredAtMs: number | null;
  createdAtMs: number;
}

/** The same filter over PostgreSQL's row: what the cluster has not heard of yet must not slip through. */
export function passesFilter(filter: IndexFilter, chunk: FilteredChunk): boolean {
  if ('and' in filter) return filter.and.every((part) => passesFilter(part, chunk));
  if ('or' in filter) return filter.or.some((part) => passesFilter(part, chunk));
  if ('not' in filter) return !passesFilter(filter.not, chunk);
  if ('vaultIds' in filter) return filter.vaultIds.includes(chunk.vaultId);
  if ('docIds' in filter) return filter.docIds.has(chunk.docId);
  if ('occurredAt' in filter) return isWithin(chunk.occurredAtMs, filter.occurredAt);
  return isWithin(chunk.createdAtMs, filter.createdAt);
}

function isWithin(timeMs: number | null, { gteMs = -Infinity, ltMs = Infinity }: TimeRange): boolean {
  return timeMs !== null && timeMs >= gteMs && timeMs < ltMs;
}
