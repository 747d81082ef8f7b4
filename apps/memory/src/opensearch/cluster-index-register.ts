import type { Database, Tx } from '@cairn/postgres';

/** What an engine knows of the index in its cluster. */
export interface ClusterIndexRegister {
  /** Its identity; null: none yet, or it is about to be created again. */
  known(): Promise<string | null>;
  /** Before the index is used; null: before it is created. Committed when it resolves. */
  note(uuid: string | null): Promise<void>;
  /** Runs `work` while no other process looks for the index or creates it. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

const LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('search cluster index', 0))";

/** `workerDatabase` is connected as the worker role: what is lost is everybody's. */
export function clusterIndexRegister(workerDatabase: Database): ClusterIndexRegister {
  return {
    known: () => workerDatabase.transaction(readClusterIndex),
    note: (uuid) => workerDatabase.transaction((tx) => noteClusterIndex(tx, uuid)),
    alone: (work) =>
      workerDatabase.transaction(async (tx) => {
        await tx.query(LOCK);
        return work();
      }),
  };
}

/** As the snapshot knows it. */
export async function readClusterIndex(tx: Tx): Promise<string | null> {
  const rows = await tx.query<{ index_uuid: string | null }>({
    name: 'search_cluster_index_read',
    text: 'SELECT index_uuid FROM search_cluster_index',
  });
  return rows[0]?.index_uuid ?? null;
}

/** When it is not the one that was known, what memories had in that one is to be copied again. */
async function noteClusterIndex(tx: Tx, uuid: string | null): Promise<void> {
  const rows = await tx.query<{ index_uuid: string | null }>(
    `INSERT INTO search_cluster_index AS known (index_uuid) VALUES ($1)
     ON CONFLICT (only_row) DO UPDATE SET index_uuid = known.index_uuid RETURNING index_uuid`,
    [uuid],
  );
  const known = rows[0]!.index_uuid;
  if (known === uuid) return;
  // Null: that was done when it was missed.
  if (known !== null)
    await tx.execute(
      `UPDATE index_placements SET is_lost = phase IN ('serving', 'leaving'),
              copied_to = CASE phase WHEN 'leaving' THEN copied_to ELSE '' END
        WHERE phase <> 'segments'`,
    );
  await tx.execute('UPDATE search_cluster_index SET index_uuid = $1', [uuid]);
}
