import { asTenant, type Move, type MoveEngines, underEpoch } from './move-scope.ts';
import { insertRows, readPage } from './row-transfer.ts';
import { LATE_TABLES, type TableShape } from './table-shapes.ts';

interface Tombstones {
  segment_id: string;
  ordinals: Buffer;
  marked_at: Date;
}

/**
 * Copies as a whole what belongs to an engine's own time: tombstones under the transaction of the target, as the caches
 * there compare it with their snapshots, and what is to be swept.
 */
export async function copyLateTables(
  { source, target }: MoveEngines,
  move: Move,
  { epoch, shapes }: { epoch: number; shapes: readonly TableShape[] },
): Promise<void> {
  const garbage = shapes.find(({ name }) => name === 'index_garbage')!;
  const values = [move.tenantId, move.memoryId];
  const copied = await asTenant(
    source.workerDatabase,
    move,
    async (from) => {
      const changes = await from.query<{ change_no: number }>(
        'SELECT change_no FROM memory_changes WHERE tenant_id = $1 AND memory_id = $2 AND table_name = ANY($3)',
        [...values, LATE_TABLES],
      );
      const tombstones = await from.query<Tombstones>(
        `SELECT segment_id, string_agg(ordinals, ''::bytea) AS ordinals, min(marked_at) AS marked_at
           FROM index_tombstones WHERE tenant_id = $1 AND memory_id = $2 GROUP BY segment_id`,
        values,
      );
      await underEpoch(target, move, epoch, async (to) => {
        for (const table of LATE_TABLES)
          await to.execute(`DELETE FROM ${table} WHERE tenant_id = $1 AND memory_id = $2`, values);
        await to.execute(
          `INSERT INTO index_tombstones (tenant_id, memory_id, segment_id, ordinals, marked_at)
           SELECT $1, $2, * FROM unnest($3::uuid[], $4::bytea[], $5::timestamptz[])`,
          [
            ...values,
            tombstones.map((row) => row.segment_id),
            tombstones.map((row) => row.ordinals),
            tombstones.map((row) => row.marked_at),
          ],
        );
        let page = await readPage(from, garbage, move, null);
        for (; page !== null; page = await readPage(from, garbage, move, page.last))
          await insertRows(to, garbage, page.rows, false);
      });
      return changes.map((change) => change.change_no);
    },
    { mode: 'snapshot' },
  );
  await asTenant(source.workerDatabase, move, (tx) =>
    tx.execute('DELETE FROM memory_changes WHERE tenant_id = $1 AND memory_id = $2 AND change_no = ANY($3::bigint[])', [
      ...values,
      copied,
    ]),
  );
}
