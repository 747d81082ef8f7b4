import type { Tx } from '@cairn/postgres';
import type { MemoryScope } from '../document-store.ts';
import type { Value } from './extract/values.ts';

/** A value that was known when somebody decided. */
export interface DecidedValue {
  value: Value;
  negated: boolean;
}

export interface ContradictionRow {
  contradiction_id: string;
  entity_id: string;
  relation: string;
  status: 'open' | 'resolved';
  score: number;
  fact_ids: string[];
  winner: string | null;
  /** All values that were known when it was decided, that of the winner first. */
  decided: DecidedValue[] | null;
  note: string | null;
  resolved_by: string | null;
  resolved_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

const COLUMNS =
  'contradiction_id, entity_id, relation, status, score, fact_ids, winner, decided, note, resolved_by, resolved_at, created_at, updated_at';

export async function contradictionsOfEntities(
  tx: Tx,
  scope: MemoryScope,
  entityIds: readonly string[],
): Promise<ContradictionRow[]> {
  if (entityIds.length === 0) return [];
  return tx.query<ContradictionRow>({
    name: 'graph_contradictions_of',
    text: `SELECT ${COLUMNS} FROM graph_contradictions WHERE tenant_id IS NOT DISTINCT FROM $1 AND memory_id IS NOT DISTINCT FROM $2 AND entity_id = ANY($3) ORDER BY contradiction_id`,
    values: [scope.tenantId, scope.memoryId, entityIds],
  });
}

export async function findContradiction(
  tx: Tx,
  scope: MemoryScope,
  id: string,
  lock = false,
): Promise<ContradictionRow | null> {
  const rows = await tx.query<ContradictionRow>(
    `SELECT ${COLUMNS} FROM graph_contradictions WHERE tenant_id = $1 AND memory_id = $2 AND contradiction_id = $3 ${lock ? 'FOR UPDATE' : ''}`,
    [scope.tenantId, scope.memoryId, id],
  );
  return rows[0] ?? null;
}

export async function listContradictionRows(
  tx: Tx,
  scope: MemoryScope,
  wanted: { status?: string | undefined; entityId?: string | undefined; after: string; fetch: number | null },
): Promise<ContradictionRow[]> {
  return tx.query<ContradictionRow>(
    `SELECT ${COLUMNS} FROM graph_contradictions
      WHERE tenant_id = $1 AND memory_id = $2 AND ($3::text IS NULL OR status = $3) AND ($4::text IS NULL OR entity_id = $4)
        AND contradiction_id > $5 ORDER BY contradiction_id LIMIT $6`,
    [scope.tenantId, scope.memoryId, wanted.status ?? null, wanted.entityId ?? null, wanted.after, wanted.fetch],
  );
}

export async function saveContradiction(
  tx: Tx,
  scope: MemoryScope,
  row: Omit<ContradictionRow, 'created_at' | 'updated_at'>,
): Promise<void> {
  await tx.execute(
    `INSERT INTO graph_contradictions (tenant_id, memory_id, contradiction_id, entity_id, relation, status, score, fact_ids, winner, decided, note, resolved_by, resolved_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
     ON CONFLICT (tenant_id, memory_id, contradiction_id) DO UPDATE
        SET entity_id = excluded.entity_id, status = excluded.status, score = excluded.score, fact_ids = excluded.fact_ids, winner = excluded.winner,
            decided = excluded.decided, note = excluded.note, resolved_by = excluded.resolved_by, resolved_at = excluded.resolved_at, updated_at = now()`,
    [
      scope.tenantId,
      scope.memoryId,
      row.contradiction_id,
      row.entity_id,
      row.relation,
      row.status,
      row.score,
      row.fact_ids,
      row.winner,
      row.decided === null ? null : JSON.stringify(row.decided),
      row.note,
      row.resolved_by,
      row.resolved_at,
    ],
  );
}

export async function deleteContradictions(tx: Tx, scope: MemoryScope, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.execute(
    'DELETE FROM graph_contradictions WHERE tenant_id = $1 AND memory_id = $2 AND contradiction_id = ANY($3)',
    [scope.tenantId, scope.memoryId, ids],
  );
}
