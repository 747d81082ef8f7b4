import { validationFailed } from '@cairn/errors';
import type { Database, Tx } from '@cairn/postgres';
import { tenantKey } from '../budgets/budget-keys.ts';
import { closedScopes, type Scope } from './closed-scopes.ts';
import { deleteDeliveries } from './delete-deliveries.ts';

const TIME_SLICE_MS = 2_000;
const EVENTS_PER_BATCH = 50;

/** Closes the scope and erases for about two seconds; true when nothing of it is left. May be repeated. */
export async function eraseScope(workerDatabase: Database, scope: Scope): Promise<boolean> {
  if (scope.tenantId === '') throw validationFailed([{ path: 'tenant_id', message: 'is required' }]);
  if (scope.vaultId !== '' && scope.memoryId === '')
    throw validationFailed([{ path: 'memory_id', message: 'is required with vault_id' }]);
  await workerDatabase.transaction((tx) => closedScopes.close(tx, scope));
  const deadline = performance.now() + TIME_SLICE_MS;
  for (;;) {
    const erased = await workerDatabase.transaction((tx) => eraseEventBatch(tx, scope));
    if (erased === 0) break;
    if (performance.now() > deadline) return false;
  }
  if (scope.memoryId === '') await workerDatabase.transaction((tx) => eraseTenantRows(tx, scope.tenantId));
  return true;
}

async function eraseEventBatch(tx: Tx, { tenantId, memoryId, vaultId }: Scope): Promise<number> {
  const events = await tx.query<{ event_id: string }>(
    `SELECT event_id FROM webhook_events
      WHERE tenant_id = $1 AND ($2 = '' OR memory_id = $2) AND ($3 = '' OR $3 = ANY(vault_ids)) LIMIT $4`,
    [tenantId, memoryId, vaultId, EVENTS_PER_BATCH],
  );
  const eventIds = events.map((row) => row.event_id);
  if (eventIds.length === 0) return 0;
  // First, because it waits for a fan-out that is inserting their deliveries.
  await tx.execute('DELETE FROM pending_fan_outs WHERE event_id = ANY($1)', [eventIds]);
  const deliveries = await tx.query<{ delivery_id: string }>(
    'SELECT delivery_id FROM deliveries WHERE event_id = ANY($1)',
    [eventIds],
  );
  await deleteDeliveries(
    tx,
    deliveries.map((row) => row.delivery_id),
  );
  await tx.execute('DELETE FROM webhook_events WHERE event_id = ANY($1)', [eventIds]);
  return eventIds.length;
}

async function eraseTenantRows(tx: Tx, tenantId: string): Promise<void> {
  for (const table of ['webhooks', 'idempotency_keys', 'outbox', 'fan_out_pauses'] as const)
    await tx.execute(`DELETE FROM ${table} WHERE tenant_id = $1`, [tenantId]);
  const key = tenantKey(tenantId);
  await tx.execute(`DELETE FROM delivery_budgets WHERE budget_key = $1 OR starts_with(budget_key, $2)`, [
    key,
    `${key} `,
  ]);
}
