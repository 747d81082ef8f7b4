import { eraseCopy } from './erase-copy.ts';
import { moveEvents } from './move-events.ts';
import { asTenant, CALL_BUDGET_MS, lockMove, type Move, type MoveEngines } from './move-scope.ts';
import { unwatch } from './prepare-move.ts';

/** Erases some of what the memory left on the source; its published events go where it is. True when nothing is left. */
export async function leaveEngine(ends: MoveEngines, move: Move): Promise<boolean> {
  const { source } = ends;
  const row = await asTenant(source.workerDatabase, move, (tx) => lockMove(tx, move));
  // It came back meanwhile.
  if (row?.move_id !== move.moveId || row.phase !== 'left') return true;
  if (!(await moveEvents(ends, move))) return false;
  if (!(await eraseCopy(source, move, CALL_BUDGET_MS))) return false;
  return unwatch(source, move, 'left');
}
