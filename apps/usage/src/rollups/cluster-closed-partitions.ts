import type { Database } from '@cairn/postgres';

/** Calls arrive late now and then; after this long few do. */
const CLOSED_AFTER_DAYS = 2;
/** Readers and writers must not queue long behind this: it is tried again an hour later. */
const LOCK_TIMEOUT_MS = 1_000;

/**
 * Clusters the roll-ups of each ended month by their primary key, once. They were inserted day by day, so that a year
 * of one id is spread over as many pages as it has rows; clustered it takes a hundredth of them. The partition is locked
 * for seconds meanwhile. Returns the number of partitions clustered.
 */
export async function clusterClosedPartitions(deps: {
  maintenanceDatabase: Database;
  now: () => Date;
}): Promise<number> {
  const { maintenanceDatabase: database } = deps;
  const closedBefore = new Date(deps.now().getTime() - CLOSED_AFTER_DAYS * 86_400_000).toISOString().slice(0, 7);
  const due = await database.transaction((tx) =>
    tx.query<{ part: string; key: string }>(
      `SELECT part.relname AS part, key.relname AS key
         FROM pg_inherits JOIN pg_class part ON part.oid = inhrelid
         JOIN pg_index ON indrelid = part.oid AND indisprimary AND NOT indisclustered
         JOIN pg_class key ON key.oid = indexrelid
        WHERE inhparent = 'llm_rollups'::regclass AND replace(right(part.relname, 7), '_', '-') < $1
        ORDER BY 1`,
      [closedBefore],
    ),
  );
  for (const { part, key } of due) {
    await database.transaction(async (tx) => {
      await tx.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
      // Names come from the system catalogue, where make_usage_month() created them.
      await tx.execute(`CLUSTER ${part} USING ${key}`);
      await tx.execute(`ANALYZE ${part}`);
    });
  }
  return due.length;
}
