import type { Database } from '@cairn/postgres';

interface EngineLoad {
  bytes: bigint;
  chunks: bigint;
  transactions: bigint;
  memories: { memoryId: string; bytes: bigint }[];
  inSearchCluster: string[];
}

/** What an engine holds and does, cheaply: from the server's own statistics. */
export async function readEngineLoad(
  workerDatabase: Database,
  { withMemories, withSearchCluster }: { withMemories: boolean; withSearchCluster: boolean },
): Promise<EngineLoad> {
  return workerDatabase.transaction(
    async (tx) => {
      const [load] = await tx.query<{ bytes: number; chunks: number; transactions: number }>(
        `SELECT pg_database_size(current_database()) AS bytes,
                (SELECT greatest(reltuples, 0)::bigint FROM pg_class WHERE oid = 'chunks'::regclass) AS chunks,
                (SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database()) AS transactions`,
      );
      const memories = withMemories
        ? await tx.query<{ memory_id: string; bytes: number }>(
            'SELECT memory_id, sum(content_bytes + coalesce(original_bytes, 0))::bigint AS bytes FROM documents GROUP BY memory_id',
          )
        : [];
      const placed = withSearchCluster
        ? await tx.query<{ memory_id: string }>(
            "SELECT memory_id FROM index_placements WHERE phase <> 'segments' OR copied_to IS NOT NULL",
          )
        : [];
      return {
        bytes: BigInt(load!.bytes),
        chunks: BigInt(load!.chunks),
        transactions: BigInt(load!.transactions),
        memories: memories.map((row) => ({ memoryId: row.memory_id, bytes: BigInt(row.bytes) })),
        inSearchCluster: placed.map((row) => row.memory_id),
      };
    },
    { mode: 'snapshot' },
  );
}
