import { validationFailed } from '@cairn/errors';
import { type Database, eraseStoredEvents, type Tx } from '@cairn/postgres';
import { tenantKey } from '../budgets/budget-keys.ts';
import { closedScopes, type Scope } from './closed-scopes.ts';
import { deleteDeliveries } from './delete-deliveries.ts';

const TIME_SLICE_MS = 2_000;
const EVENTS_PER_BATCH = 50;
const STREAMED_PER_BATCH = 5_000;

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
  while ((await workerDatabase.transaction((tx) => eraseStreamedEvents(tx, scope))) > 0)
    if (performance.now() > deadline) return false;
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

/** What is kept for streams, with or without a delivery. */
async function eraseStreamedEvents(tx: Tx, { tenantId, memoryId, vaultId }: Scope): Promise<number> {
  return tx.execute(
    `DELETE FROM tenant_events WHERE event_id IN (
       SELECT event_id FROM tenant_events
        WHERE tenant_id = $1 AND ($2 = '' OR memory_id = $2) AND ($3 = '' OR $3 = ANY(vault_ids)) LIMIT $4)`,
    [tenantId, memoryId, vaultId, STREAMED_PER_BATCH],
  );
}

async function eraseTenantRows(tx: Tx, tenantId: string): Promise<void> {
  await eraseStoredEvents(tx, tenantId);
  for (const table of ['webhooks', 'idempotency_keys', 'fan_out_pauses', 'event_positions'] as const)
    await tx.execute(`DELETE FROM ${table} WHERE tenant_id = $1`, [tenantId]);
  const key = tenantKey(tenantId);
  await tx.execute(`DELETE FROM delivery_budgets WHERE budget_key = $1 OR starts_with(budget_key, $2)`, [
    key,
    `${key} `,
  ]);
}
