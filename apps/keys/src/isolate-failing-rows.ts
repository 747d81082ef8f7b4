import { sqlState, type Tx } from '@cairn/postgres';

/** Runs `work` over the rows of a batch; how depends on whether one of them is known to fail. */
type RunBatch = <Row, Result>(
  tx: Tx,
  rows: readonly Row[],
  work: (rows: readonly Row[]) => Promise<Result[]>,
) => Promise<Result[]>;

/** Beyond so many failing rows, a half that fails is left out as a whole. */
const FAILED_ROWS_MAX = 50;

/**
 * Keeps a row that the database rejects from failing the others of its batch. `attempt` is a whole transaction: it runs
 * once with each batch as one statement, and only when that fails again with batches that are bisected down to the
 * failing rows. Those are left out of the results and reported.
 */
export async function isolateFailingRows<Result>(
  attempt: (run: RunBatch) => Promise<Result>,
  onFailed: (error: unknown, rows: number) => void,
): Promise<Result> {
  try {
    return await attempt((_tx, rows, work) => work(rows));
  } catch (error) {
    if (!isRowFailure(error)) throw error;
  }
  let failed = 0;
  const run: RunBatch = async (tx, rows, work) => {
    await tx.execute('SAVEPOINT batch');
    try {
      const results = await work(rows);
      await tx.execute('RELEASE SAVEPOINT batch');
      return results;
    } catch (error) {
      if (!isRowFailure(error)) throw error;
      await tx.execute('ROLLBACK TO SAVEPOINT batch');
      if (rows.length <= 1 || failed >= FAILED_ROWS_MAX) {
        failed += rows.length;
        onFailed(error, rows.length);
        return [];
      }
    }
    const middle = Math.ceil(rows.length / 2);
    return [...(await run(tx, rows.slice(0, middle), work)), ...(await run(tx, rows.slice(middle), work))];
  };
  return attempt(run);
}

/** SQLSTATE classes 22 (data exception), 23 (integrity constraint violation) and P0 (raised by PL/pgSQL). */
function isRowFailure(error: unknown): boolean {
  return /^(?:22|23|P0)/.test(sqlState(error) ?? '');
}
