import type { Tx } from '@cairn/postgres';
import type { Value } from '../extract/values.ts';
import type { MemoryScope } from '../../memories/memory-scope.ts';

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

/** Inserts contradictions, or writes over those of the same ids. */
export async function saveContradictions(
  tx: Tx,
  scope: MemoryScope,
  rows: readonly Omit<ContradictionRow, 'created_at' | 'updated_at'>[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.execute({
    name: 'graph_contradictions_save',
    text: `INSERT INTO graph_contradictions (tenant_id, memory_id, contradiction_id, entity_id, relation, status, score, fact_ids, winner, decided, note, resolved_by, resolved_at)
     SELECT $1, $2, saved.* FROM jsonb_to_recordset($3::jsonb) AS saved (
       contradiction_id text, entity_id text, relation text, status text, score float8, fact_ids text[],
       winner text, decided jsonb, note text, resolved_by text, resolved_at timestamptz)
     ON CONFLICT (tenant_id, memory_id, contradiction_id) DO UPDATE
        SET entity_id = excluded.entity_id, status = excluded.status, score = excluded.score, fact_ids = excluded.fact_ids, winner = excluded.winner,
            decided = excluded.decided, note = excluded.note, resolved_by = excluded.resolved_by, resolved_at = excluded.resolved_at, updated_at = now()`,
    values: [scope.tenantId, scope.memoryId, JSON.stringify(rows)],
  });
}

export async function deleteContradictions(tx: Tx, scope: MemoryScope, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.execute(
    'DELETE FROM graph_contradictions WHERE tenant_id = $1 AND memory_id = $2 AND contradiction_id = ANY($3)',
    [scope.tenantId, scope.memoryId, ids],
  );
}
