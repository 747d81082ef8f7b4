import type { Tx } from '@cairn/postgres';
import { inVaults, seesAll, type Visibility } from '../../memories/visibility.ts';
import type { MemoryScope } from '../../memories/memory-scope.ts';
import type { NameRow } from './name-store.ts';

/** Mentions of one name that are read for its spellings. */
const MENTIONS_MAX = 100;

/**
 * Names with only those spellings, and as often, as chunks in sight use them. The sums that are stored with a name are
 * those of the whole memory, and may tell how a document spells it that the caller must not see.
 */
export async function withVisibleForms<Name extends Pick<NameRow, 'name_no' | 'forms'>>(
  tx: Tx,
  scope: MemoryScope,
  names: readonly Name[],
  visible: Visibility,
): Promise<Name[]> {
  if (seesAll(visible) || names.length === 0) return [...names];
  const rows = await tx.query<{ no: string; surface: string; count: number }>({
    name: 'graph_visible_forms',
    text: `SELECT no, said.surface, sum(said.count + 1)::int AS count FROM unnest($3::bigint[]) AS wanted (no)
            CROSS JOIN LATERAL (SELECT doc_id, chunk_id FROM graph_mentions
                                 WHERE tenant_id = $1 AND memory_id = $2 AND name_no = no AND ${inVaults('vault_id', 4, 5)}
                                 ORDER BY vault_id, doc_id, chunk_id LIMIT ${MENTIONS_MAX}) AS mention
            CROSS JOIN LATERAL (SELECT names, surfaces, counts FROM graph_chunks
                                 WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = mention.doc_id AND chunk_id = mention.chunk_id OFFSET 0) AS chunk
            CROSS JOIN LATERAL unnest(names, surfaces, counts) AS said (name, surface, count)
            WHERE said.name = no GROUP BY no, said.surface`,
    values: [scope.tenantId, scope.memoryId, names.map((name) => name.name_no), visible.vaults, visible.hidden],
  });
  const byName = Map.groupBy(rows, (row) => Number(row.no));
  return names.map((name) => ({
    ...name,
    forms: Object.fromEntries((byName.get(name.name_no) ?? []).map(({ surface, count }) => [surface, count])),
  }));
}
