import type { Tx } from '@cairn/postgres';

/** Deletes deliveries with their attempts, wherever they are; in the lock order of this service: queue, deliveries, the rest. */
export async function deleteDeliveries(tx: Tx, deliveryIds: readonly string[]): Promise<void> {
  if (deliveryIds.length === 0) return;
  for (const table of ['delivery_queue', 'deliveries', 'dead_letters', 'delivery_attempts'] as const)
    await tx.execute(`DELETE FROM ${table} WHERE delivery_id = ANY($1)`, [deliveryIds]);
}
