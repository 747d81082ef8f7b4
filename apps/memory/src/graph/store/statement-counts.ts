import type { Tx } from '@cairn/postgres';
import { inVaults, type Visibility } from '../../memories/visibility.ts';
import type { MemoryScope } from '../../memories/memory-scope.ts';
import type { NameRow } from './name-store.ts';

/** More statements about one name than this say no more about its class. */
const COUNTED_MAX = 20;

/** SQL: how many statements are about `graph_names.name_no` or have it as their value; vaults as in `inVaults`. */
export function statementCount(nameNo: string, vaults: number, hidden: number): string {
  const seen = (column: string) =>
    `SELECT 1 FROM graph_facts AS fact WHERE fact.tenant_id = $1 AND fact.memory_id = $2 AND fact.${column} = ${nameNo}
        AND ${inVaults('fact.vault_id', vaults, hidden)}`;
  return `(SELECT count(*)::int FROM ((${seen('subject_no')} LIMIT ${COUNTED_MAX}) UNION ALL (${seen('object_no')} LIMIT ${COUNTED_MAX})) AS said)`;
}

/**
 * Names of entities with the number of statements about each, in so far as it is needed: only where the names of one
 * entity have several classes does it decide anything.
 */
export async function withStatements(
  tx: Tx,
  scope: MemoryScope,
  names: readonly NameRow[],
  visible: Visibility,
): Promise<(NameRow & { statements?: number })[]> {
  const unclear = [...Map.groupBy(names, (name) => name.entity_id).values()]
    .filter((own) => new Set(own.map((name) => name.class).filter((known) => known !== 'other')).size > 1)
    .flat();
  if (unclear.length === 0) return [...names];
  const rows = await tx.query<{ no: number; statements: number }>({
    name: 'graph_statement_counts',
    text: `SELECT no, ${statementCount('no', 4, 5)} AS statements FROM unnest($3::bigint[]) AS name (no)`,
    values: [scope.tenantId, scope.memoryId, unclear.map((name) => name.name_no), visible.vaults, visible.hidden],
  });
  const counts = new Map(rows.map(({ no, statements }) => [Number(no), statements]));
  return names.map((name) => ({ ...name, statements: counts.get(name.name_no) ?? 0 }));
}
