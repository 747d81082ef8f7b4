import { sqlState, type Tx } from '@cairn/postgres';

/** Runs `work` over the rows of a batch; how depends on whether one of them is known to fail. */
export type RunBatch = <Row, Result>(
  tx: Tx,
  rows: readonly Row[],
  work: (rows: readonly Row[]) => Promise<Result[]>,
) => Promise<Result[]>;

/** More rows than this are not told apart: the halves that fail after it are left out as they are. */
const FAILED_ROWS_MAX = 50;

/**
 * Keeps a row that the database refuses from failing the others of its batch. `attempt` is a whole transaction: it is
 * made once with each batch as one statement, and only when that fails once more with batches that are halved down to
 * the rows at fault. Those are left out of the results and reported.
 */
export async function isolateFailures<Result>(
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

/** Class 22: a value that no column or calculation holds; 23: a constraint; P0: raised by a function. */
function isRowFailure(error: unknown): boolean {
  return /^(?:22|23|P0)/.test(sqlState(error) ?? '');
}
