import type { Database } from '@cairn/postgres';

const PAGE = 500;

/** A page of the memories that an engine holds rows of, by id; open and closed ones. Needs the worker role. */
export async function listStoredMemories(
  workerDatabase: Database,
  afterMemoryId: string,
): Promise<{ tenantId: string; memoryId: string }[]> {
  const rows = await workerDatabase.transaction((tx) =>
    tx.query<{ tenant_id: string; memory_id: string }>(
      `SELECT tenant_id, memory_id FROM (
         SELECT tenant_id, memory_id FROM documents WHERE memory_id > $1
         UNION SELECT tenant_id, memory_id FROM ingest_queue WHERE memory_id > $1
         UNION SELECT tenant_id, memory_id FROM index_memories WHERE memory_id > $1
         UNION SELECT tenant_id, memory_id FROM graph_memories WHERE memory_id > $1) AS stored
        ORDER BY memory_id LIMIT ${PAGE}`,
      [afterMemoryId],
    ),
  );
  return rows.map((row) => ({ tenantId: row.tenant_id, memoryId: row.memory_id }));
}
