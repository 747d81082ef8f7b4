import type { Database } from '@cairn/postgres';

/** Calls come late now and then; after this long few do. */
const ENDED_BEFORE_DAYS = 2;
/** Who reads or writes is not made to wait long behind this: it tries again an hour later. */
const LOCK_TIMEOUT_MS = 1_000;

/**
 * Writes the roll-ups of months that are over in the order of their key, once. They came day by day, so a year of one
 * id was spread over as many pages as it has rows; in order it lies on a hundredth of them. The month can be neither
 * read nor written meanwhile, for seconds. Gives how many months it put in order.
 */
export async function orderEndedMonths(parts: { maintenanceDatabase: Database; now: () => Date }): Promise<number> {
  const { maintenanceDatabase: database } = parts;
  const endedBefore = new Date(parts.now().getTime() - ENDED_BEFORE_DAYS * 86_400_000).toISOString().slice(0, 7);
  const due = await database.transaction((tx) =>
    tx.query<{ part: string; key: string }>(
      `SELECT part.relname AS part, key.relname AS key
         FROM pg_inherits JOIN pg_class part ON part.oid = inhrelid
         JOIN pg_index ON indrelid = part.oid AND indisprimary AND NOT indisclustered
         JOIN pg_class key ON key.oid = indexrelid
        WHERE inhparent = 'llm_rollups'::regclass AND replace(right(part.relname, 7), '_', '-') < $1
        ORDER BY 1`,
      [endedBefore],
    ),
  );
  for (const { part, key } of due) {
    await database.transaction(async (tx) => {
      await tx.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
      // Names come from the catalogue, where make_usage_month() wrote them.
      await tx.execute(`CLUSTER ${part} USING ${key}`);
      await tx.execute(`ANALYZE ${part}`);
    });
  }
  return due.length;
}
