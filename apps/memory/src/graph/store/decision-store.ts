import type { Tx } from '@cairn/postgres';
import type { MemoryScope } from '../../memories/memory-scope.ts';

export interface DecisionRow {
  decision_id: string;
  kind: 'merge' | 'split' | 'different';
  /** Keys of names, as `keyText` writes them. */
  names: string[];
  doc_ids: string[];
  decided_by: string;
  created_at: Date;
}

const COLUMNS = 'decision_id, kind, names, doc_ids, decided_by, created_at';

/** Decisions that name one of the keys, the oldest first. */
export async function decisionsAbout(tx: Tx, scope: MemoryScope, keys: readonly string[]): Promise<DecisionRow[]> {
  return tx.query<DecisionRow>({
    name: 'graph_decisions_about',
    text: `SELECT ${COLUMNS} FROM graph_decisions WHERE tenant_id = $1 AND memory_id = $2 AND names && $3 ORDER BY created_at, decision_id`,
    values: [scope.tenantId, scope.memoryId, keys],
  });
}

/** Splits of what documents mean: by document, the keys that mean something else there and the sense they have. */
export async function sensesOf(
  tx: Tx,
  scope: MemoryScope,
  docIds: readonly string[],
): Promise<Map<string, Map<string, string>>> {
  const rows = await tx.query<DecisionRow>({
    name: 'graph_decisions_senses',
    text: `SELECT ${COLUMNS} FROM graph_decisions WHERE tenant_id = $1 AND memory_id = $2 AND kind = 'split' AND doc_ids && $3
            ORDER BY created_at, decision_id`,
    values: [scope.tenantId, scope.memoryId, docIds],
  });
  const senses = new Map<string, Map<string, string>>();
  for (const row of rows)
    for (const docId of row.doc_ids) {
      const known = senses.get(docId) ?? new Map<string, string>();
      for (const key of row.names) known.set(key, row.decision_id);
      senses.set(docId, known);
    }
  return senses;
}

export async function findDecision(tx: Tx, scope: MemoryScope, decisionId: string): Promise<DecisionRow | null> {
  const rows = await tx.query<DecisionRow>(
    `SELECT ${COLUMNS} FROM graph_decisions WHERE tenant_id = $1 AND memory_id = $2 AND decision_id = $3`,
    [scope.tenantId, scope.memoryId, decisionId],
  );
  return rows[0] ?? null;
}

export async function insertDecision(
  tx: Tx,
  scope: MemoryScope,
  row: Omit<DecisionRow, 'created_at'>,
): Promise<DecisionRow> {
  const rows = await tx.query<DecisionRow>(
    `INSERT INTO graph_decisions (tenant_id, memory_id, decision_id, kind, names, doc_ids, decided_by)
     VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ${COLUMNS}`,
    [scope.tenantId, scope.memoryId, row.decision_id, row.kind, row.names, row.doc_ids, row.decided_by],
  );
  return rows[0]!;
}

export async function deleteDecision(tx: Tx, scope: MemoryScope, decisionId: string): Promise<void> {
  await tx.execute('DELETE FROM graph_decisions WHERE tenant_id = $1 AND memory_id = $2 AND decision_id = $3', [
    scope.tenantId,
    scope.memoryId,
    decisionId,
  ]);
}

export async function listDecisions(
  tx: Tx,
  scope: MemoryScope,
  after: string,
  rowsMax: number | null,
): Promise<DecisionRow[]> {
  return tx.query<DecisionRow>(
    `SELECT ${COLUMNS} FROM graph_decisions WHERE tenant_id = $1 AND memory_id = $2 AND decision_id > $3 ORDER BY decision_id LIMIT $4`,
    [scope.tenantId, scope.memoryId, after, rowsMax],
  );
}

/** Forgets what decisions say of names that are gone and of documents that are; a decision that says nothing goes. */
export async function pruneDecisions(
  tx: Tx,
  scope: MemoryScope,
  gone: { keys: readonly string[]; docIds: readonly string[] },
): Promise<void> {
  await tx.execute({
    name: 'graph_decisions_forget',
    text: `UPDATE graph_decisions
              SET names = CASE WHEN doc_ids = '{}' THEN ARRAY(SELECT name FROM unnest(names) AS name WHERE name <> ALL($3))
                               WHEN doc_ids <@ $4 THEN '{}' ELSE names END,
                  doc_ids = ARRAY(SELECT doc FROM unnest(doc_ids) AS doc WHERE doc <> ALL($4))
            WHERE tenant_id = $1 AND memory_id = $2 AND (names && $3 OR doc_ids && $4)`,
    values: [scope.tenantId, scope.memoryId, gone.keys, gone.docIds],
  });
  await tx.execute({
    name: 'graph_decisions_empty',
    text: `DELETE FROM graph_decisions WHERE tenant_id = $1 AND memory_id = $2 AND kind <> 'split' AND cardinality(names) < 2
              OR tenant_id = $1 AND memory_id = $2 AND cardinality(names) = 0`,
    values: [scope.tenantId, scope.memoryId],
  });
}
