import type { SearchFilter } from '@cairn/contracts';
import { validationFailed } from '@cairn/errors';
import { type Tx, sqlBuilder } from '@cairn/postgres';
import type { IndexFilter } from '@cairn/search-index';
import type { Knex } from 'knex';
import type { MemoryScope } from '../memories/memory-scope.ts';
import type { Visibility } from '../memories/visibility.ts';

type Leaf = Extract<SearchFilter, { field: string }>;

/** What a filter may be answered from. */
interface FilteredView extends MemoryScope {
  visible: Visibility;
  /** Documents that a condition on metadata may match. */
  matchedMax?: number;
}

const COMPARISONS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;
const MATCHED_DOCUMENTS_MAX = 200_000;
/** What ISO 8601 writes with four digits; further times are none that PostgreSQL could compare. */
const YEAR_ONE_MS = Date.parse('0001-01-01T00:00:00Z');
const YEAR_10_000_MS = Date.parse('+010000-01-01T00:00:00Z');

/**
 * Turns a request's filter into the index's. What the index keeps itself (vault, document, times) stays a
 * condition there; conditions on metadata are answered by PostgreSQL, in the same snapshot, as the set of visible
 * documents that meet them.
 */
export async function compileFilter(
  tx: Tx,
  view: FilteredView,
  filter: SearchFilter,
  path = 'filters',
): Promise<IndexFilter> {
  if ('and' in filter) return { and: await compileAll(tx, view, filter.and, `${path}.and`) };
  if ('or' in filter) return { or: await compileAll(tx, view, filter.or, `${path}.or`) };
  if ('not' in filter) return { not: await compileFilter(tx, view, filter.not, `${path}.not`) };
  if (filter.field === 'vault_id') return idFilter(filter, path, (ids) => ({ vaultIds: ids }));
  if (filter.field === 'doc_id') return idFilter(filter, path, (ids) => ({ docIds: new Set(ids) }));
  if (filter.field === 'occurred_at') return timeFilter(filter, path, (occurredAt) => ({ occurredAt }));
  if (filter.field === 'created_at') return timeFilter(filter, path, (createdAt) => ({ createdAt }));
  return { docIds: await documentsByMetadata(tx, view, filter, path) };
}

async function compileAll(
  tx: Tx,
  view: FilteredView,
  filters: readonly SearchFilter[],
  path: string,
): Promise<IndexFilter[]> {
  const compiled: IndexFilter[] = [];
  for (const [index, filter] of filters.entries())
    compiled.push(await compileFilter(tx, view, filter, `${path}.${index}`));
  return compiled;
}

function idFilter(leaf: Leaf, path: string, make: (ids: string[]) => IndexFilter): IndexFilter {
  const ids = Array.isArray(leaf.value) ? leaf.value : [leaf.value];
  if (!ids.every((id) => typeof id === 'string')) throw wrong(path, 'value', 'must be an id');
  if (leaf.op === 'eq' && !Array.isArray(leaf.value)) return make(ids);
  if (leaf.op === 'ne' && !Array.isArray(leaf.value)) return { not: make(ids) };
  if (leaf.op === 'in' && Array.isArray(leaf.value)) return make(ids);
  throw wrong(path, 'op', `cannot be ${leaf.op} with this field and value`);
}

function timeFilter(
  leaf: Leaf,
  path: string,
  make: (range: { gteMs?: number; ltMs?: number }) => IndexFilter,
): IndexFilter {
  if (leaf.op === 'exists') {
    if (typeof leaf.value !== 'boolean') throw wrong(path, 'value', 'must be true or false');
    return leaf.value ? make({}) : { not: make({}) };
  }
  const ms = typeof leaf.value === 'string' ? Date.parse(leaf.value) : NaN;
  if (Number.isNaN(ms) || ms < YEAR_ONE_MS || ms >= YEAR_10_000_MS)
    throw wrong(path, 'value', 'must be an ISO 8601 date-time');
  switch (leaf.op) {
    case 'eq':
      return make({ gteMs: ms, ltMs: ms + 1 });
    case 'ne':
      return { not: make({ gteMs: ms, ltMs: ms + 1 }) };
    case 'gt':
      return make({ gteMs: ms + 1 });
    case 'gte':
      return make({ gteMs: ms });
    case 'lt':
      return make({ ltMs: ms });
    case 'lte':
      return make({ ltMs: ms + 1 });
    default:
      throw wrong(path, 'op', `cannot be ${leaf.op} for a time`);
  }
}

async function documentsByMetadata(tx: Tx, view: FilteredView, leaf: Leaf, path: string): Promise<Set<string>> {
  const { visible, matchedMax = MATCHED_DOCUMENTS_MAX } = view;
  const key = leaf.field.slice('metadata.'.length);
  const query = sqlBuilder('documents')
    .select('doc_id')
    .where({ tenant_id: view.tenantId, memory_id: view.memoryId })
    .limit(matchedMax + 1);
  if (visible.vaults !== null) void query.whereIn('vault_id', visible.vaults);
  if (visible.hidden.length > 0) void query.whereNotIn('vault_id', visible.hidden);
  void query.andWhere((where) => metadataCondition(where, key, leaf, path));
  const rows = await tx.run<{ doc_id: string }>(query);
  if (rows.length > matchedMax) throw wrong(path, 'field', `matches more than ${matchedMax} documents; narrow it`);
  return new Set(rows.map((row) => row.doc_id));
}

function metadataCondition(where: Knex.QueryBuilder, key: string, leaf: Leaf, path: string): void {
  const { op, value } = leaf;
  const json = JSON.stringify(value);
  if (op === 'exists') {
    if (typeof value !== 'boolean') throw wrong(path, 'value', 'must be true or false');
    void where.whereRaw(value ? 'jsonb_exists(metadata, ?)' : 'NOT jsonb_exists(metadata, ?)', [key]);
  } else if (op === 'in') {
    if (!Array.isArray(value)) throw wrong(path, 'value', 'must be a list');
    void where.whereRaw(
      'EXISTS (SELECT 1 FROM jsonb_array_elements(?::jsonb) AS wanted WHERE metadata -> ? @> wanted)',
      [json, key],
    );
  } else if (Array.isArray(value)) {
    throw wrong(path, 'value', `must be a single value for ${op}`);
  } else if (op === 'eq') {
    // A list in the metadata contains its elements.
    void where.whereRaw('metadata -> ? @> ?::jsonb', [key, json]);
  } else if (op === 'ne') {
    void where.whereRaw('NOT coalesce(metadata -> ? @> ?::jsonb, false)', [key, json]);
  } else {
    if (typeof value !== 'number' && typeof value !== 'string')
      throw wrong(path, 'value', 'must be a number or a text');
    const type = typeof value === 'number' ? 'number' : 'string';
    void where.whereRaw(`jsonb_typeof(metadata -> ?) = ? AND metadata -> ? ${COMPARISONS[op]} ?::jsonb`, [
      key,
      type,
      key,
      json,
    ]);
  }
}

function wrong(path: string, place: string, message: string) {
  return validationFailed([{ path: `${path}.${place}`, message }]);
}

/** A filter for which all that are given must hold; undefined when none is given. */
export function allOf(filters: readonly (IndexFilter | undefined)[]): IndexFilter | undefined {
  const and = filters.filter((filter) => filter !== undefined);
  return and.length < 2 ? and[0] : { and };
}
