import { lockScope } from '../memories/closed-scopes.ts';
import { eraseCopy } from './erase-copy.ts';
import { asTenant, CALL_BUDGET_MS, lockMove, type Move, type MoveEnds } from './move-scope.ts';
import { watch } from './prepare-move.ts';

/** `handedOver`: too late, only the target has everything. */
type Abandoned = 'finished' | 'erasing' | 'handedOver';

/** Ends a move that was not handed over: the source goes on, and some of the copy is erased. */
export async function abandonMove({ source, target }: MoveEnds, move: Move): Promise<Abandoned> {
  const values = [move.tenantId, move.memoryId];
  const isKept = await asTenant(source.workerDatabase, move, async (tx) => {
    await lockScope(tx, move, 'exclusive');
    const row = await lockMove(tx, move);
    if (row?.move_id !== move.moveId) return true;
    if (row.phase === 'left') return false;
    await tx.execute(
      "UPDATE memory_moves SET phase = 'here', gate_until = NULL WHERE tenant_id = $1 AND memory_id = $2",
      values,
    );
    return true;
  });
  if (!isKept) return 'handedOver';
  if (!(await watch(source, move, false))) return 'erasing';
  await asTenant(source.workerDatabase, move, (tx) =>
    tx.execute('DELETE FROM memory_changes WHERE tenant_id = $1 AND memory_id = $2', values),
  );
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
