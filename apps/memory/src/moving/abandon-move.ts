import { lockScope } from '../memories/closed-scopes.ts';
import { eraseCopy } from './erase-copy.ts';
import { asTenant, CALL_BUDGET_MS, lockMove, type Move, type MoveEngines } from './move-scope.ts';
import { unwatch } from './prepare-move.ts';

/** `handedOver`: too late, only the target has everything. */
type Abandoned = 'finished' | 'erasing' | 'handedOver';

/** Ends a move that was not handed over: the source goes on, and some of the copy is erased. */
export async function abandonMove({ source, target }: MoveEngines, move: Move): Promise<Abandoned> {
  const values = [move.tenantId, move.memoryId];
  const kept = await asTenant(source.workerDatabase, move, async (tx) => {
    await lockScope(tx, move, 'exclusive');
    const row = await lockMove(tx, move);
    if (row?.move_id !== move.moveId) return 'elsewhere';
    if (row.phase === 'left') return null;
    await tx.execute(
      "UPDATE memory_moves SET phase = 'here', gate_until = NULL WHERE tenant_id = $1 AND memory_id = $2",
      values,
    );
    return 'here';
  });
  if (kept === null) return 'handedOver';
  if (kept === 'here' && !(await unwatch(source, move, 'here'))) return 'erasing';
  const there = await asTenant(target.workerDatabase, move, (tx) => lockMove(tx, move));
  if (there?.move_id !== move.moveId || there.phase !== 'arriving') return 'finished';
  if (!(await eraseCopy(target, move, CALL_BUDGET_MS))) return 'erasing';
  await asTenant(target.workerDatabase, move, (tx) =>
    tx.execute(
      `UPDATE memory_moves SET phase = 'left', position = '{}', since = now()
        WHERE tenant_id = $1 AND memory_id = $2 AND move_id = $3 AND phase = 'arriving'`,
      [...values, move.moveId],
    ),
  );
  return 'finished';
}
