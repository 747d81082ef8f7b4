import type { Tx } from '@cairn/postgres';

/**
 * In the lock order of this service: queue, deliveries, the rest. The queue once more, because a replay may have queued
 * a delivery while its row was waited for; none can do so afterwards.
 */
const TABLES = ['delivery_queue', 'deliveries', 'delivery_queue', 'dead_letters', 'delivery_attempts'] as const;

/** Deletes deliveries with their attempts, wherever they are. */
export async function deleteDeliveries(tx: Tx, deliveryIds: readonly string[]): Promise<void> {
  if (deliveryIds.length === 0) return;
  for (const table of TABLES) await tx.execute(`DELETE FROM ${table} WHERE delivery_id = ANY($1)`, [deliveryIds]);
}
