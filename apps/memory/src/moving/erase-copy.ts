import type { WholeEngine } from '../memories/engines.ts';
import { asTenant, lockMove, type Move, superseded } from './move-scope.ts';
import { readShapes } from './table-shapes.ts';

const ROWS_PER_STATEMENT = 1_000;

/**
 * Erases the memory's rows on an engine that does not serve it, for about `budgetMs`. True when nothing of them is left.
 * Each transaction looks that the memory is not served here.
 */
export async function eraseCopy(engine: WholeEngine, move: Move, budgetMs: number): Promise<boolean> {
  const until = performance.now() + budgetMs;
  const shapes = await asTenant(engine.workerDatabase, move, readShapes, { mode: 'snapshot' });
  // Rows that others need go last.
  const tables = [
    ...shapes.toReversed().map(({ name }) => name),
    'index_merge_leases',
    'index_placements',
    'index_sends',
  ];
  for (const name of tables) {
    for (;;) {
      const erased = await asTenant(engine.workerDatabase, move, async (tx) => {
        const row = await lockMove(tx, move);
        if (row?.move_id !== move.moveId || (row.phase !== 'arriving' && row.phase !== 'left'))
          throw superseded('the memory is served here');
        return tx.execute(
          `DELETE FROM ${name} WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM ${name} WHERE tenant_id = $1 AND memory_id = $2 LIMIT ${ROWS_PER_STATEMENT}))`,
          [move.tenantId, move.memoryId],
        );
      });
      if (erased === 0) break;
      if (performance.now() > until) return false;
    }
  }
  return true;
}
