import type { WholeEngine } from '../memories/engines.ts';
import { countStorage } from './move-storage.ts';
import { asTenant, lockMove, type Move, superseded } from './move-scope.ts';

/** Serves the memory from here, in one transaction. Only after the source has left it and it was registered here. */
export async function receiveMemory(target: WholeEngine, move: Move): Promise<void> {
  const values = [move.tenantId, move.memoryId];
  await asTenant(target.workerDatabase, move, async (tx) => {
    const row = await lockMove(tx, move);
    if (row?.move_id !== move.moveId) throw superseded('the target knows another move');
    if (row.phase !== 'arriving') return;
    // What a worker of the source held is nobody's here, and its interrupted attempt does not count.
    await tx.execute(
      `UPDATE ingest_queue SET owner = NULL, lease_until = NULL, attempts = greatest(attempts - 1, 0)
        WHERE tenant_id = $1 AND memory_id = $2 AND owner IS NOT NULL`,
      values,
    );
    await tx.execute(
      'UPDATE graph_memories SET lease_owner = NULL, lease_until = NULL WHERE tenant_id = $1 AND memory_id = $2',
      values,
    );
    await tx.query(
      `SELECT skip_graph_names(arrived) FROM (
         SELECT max(name_no) AS arrived FROM graph_names WHERE tenant_id = $1 AND memory_id = $2) AS names
        WHERE arrived IS NOT NULL`,
      values,
    );
    await countStorage(tx, move, 1);
    await tx.execute(
      `UPDATE memory_moves SET phase = 'here', epoch = epoch + 1, position = '{}', since = now()
        WHERE tenant_id = $1 AND memory_id = $2`,
      values,
    );
  });
}
