import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newId } from '@cairn/contracts';
import type { Identity } from '@cairn/identity';
import { deleteExpired } from '../src/erasure/delete-expired.ts';
import { eraseScope } from '../src/erasure/erase-scope.ts';
import { runFanOutTurn } from '../src/intake/fan-out.ts';
import { consumeEventBatch } from '../src/intake/consume-events.ts';
import type { IncomingEvent } from '../src/intake/incoming-event.ts';
import { startEnvironment, MEMORY, newTenant, type Environment } from './webhooks-harness.ts';

const WEBHOOKS = 100;
const EVENTS = 40;

let environment: Environment;
beforeAll(async () => {
  environment = await startEnvironment();
});
afterAll(() => environment.close());

const now = () => new Date();

async function register(tenant: Identity, count: number): Promise<void> {
  await environment.ask(
    `INSERT INTO webhooks (tenant_id, webhook_id, url, events, description, active, auto_replay, livemode, secret_sealed)
     SELECT $1, $1 || '_' || n, 'https://hooks.example', '{memory.ingest.completed}', '', true, false, true, ''
       FROM generate_series(1, $2) n`,
    [tenant.tenantId, count],
  );
}

const eventsOf = (tenant: Identity, count: number): IncomingEvent[] =>
  Array.from({ length: count }, () => ({
    event: 'memory.ingest.completed',
    vaultIds: ['vlt_1'],
    body: '{}',
    eventId: newId('event'),
    tenantId: tenant.tenantId,
    memoryId: MEMORY,
    livemode: true,
    occurredAt: new Date(),
    traceparent: null,
  }));

const deps = () => ({ workerDatabase: environment.database.worker, now });

async function rowsOf(table: string, tenant: Identity): Promise<number> {
  return (await environment.ask(`SELECT 1 FROM ${table} WHERE tenant_id = $1`, [tenant.tenantId])).length;
}

it('events of one tenant with very many deliveries are inserted in several transactions, and the next tenant is not kept waiting', async () => {
  const [flooding, other] = [newTenant(), newTenant()];
  await register(flooding, WEBHOOKS);
  await register(other, 1);
  const batch = [...eventsOf(flooding, EVENTS), ...eventsOf(other, 1)];
  const consumed = await consumeEventBatch(deps(), batch);
  expect(await rowsOf('delivery_queue', flooding)).toBeLessThanOrEqual(1_000);
  expect(await rowsOf('delivery_queue', other)).toBe(1);
  expect(consumed.webhookIds).toContain(`${other.tenantId}_1`);

  // The same batch again, and two replicas at once, make nothing twice.
  await consumeEventBatch(deps(), batch);
  for (let turn = 0; turn < EVENTS; turn += 1)
    await Promise.all([0, 1].map(() => runFanOutTurn(environment.database.worker, '', now())));
  expect(await rowsOf('deliveries', flooding)).toBe(WEBHOOKS * EVENTS);
  expect(await rowsOf('delivery_queue', flooding)).toBe(WEBHOOKS * EVENTS);
  expect(await rowsOf('pending_fan_outs', flooding)).toBe(0);
}, 60_000);

it('an event that came before a webhook was registered or switched on is not delivered to it when it comes again', async () => {
  const [registering, switching] = [newTenant(), newTenant()];
  await register(switching, 1);
  await environment.ask('UPDATE webhooks SET active = false WHERE tenant_id = $1', [switching.tenantId]);
  const batch = [...eventsOf(registering, 2), ...eventsOf(switching, 2)];
  await consumeEventBatch(deps(), batch);
  await register(registering, 1);
  await environment.ask('UPDATE webhooks SET active = true WHERE tenant_id = $1', [switching.tenantId]);
  expect(await consumeEventBatch(deps(), batch)).toEqual({ webhookIds: [], isDeferred: false });
  // One that comes for the first time is delivered, also beside those.
  await consumeEventBatch(deps(), [...batch, ...eventsOf(registering, 1), ...eventsOf(switching, 1)]);
  for (const tenant of [registering, switching]) expect(await rowsOf('deliveries', tenant)).toBe(1);
});

it('an event that is older than events are kept is delivered only to webhooks that existed when it occurred', async () => {
  const tenant = newTenant();
  await register(tenant, 2);
  const before = `${tenant.tenantId}_1`;
  await environment.ask("UPDATE webhooks SET created_at = now() - interval '6 days' WHERE webhook_id = $1", [before]);
  const old = eventsOf(tenant, 1).map((event) => ({ ...event, occurredAt: new Date(Date.now() - 5 * 86_400_000) }));
  for (let time = 0; time < 2; time += 1) await consumeEventBatch(deps(), old);
  expect(await environment.ask('SELECT webhook_id FROM deliveries WHERE tenant_id = $1', [tenant.tenantId])).toEqual([
    { webhook_id: before },
  ]);
});

it('what is deferred of something that was erased is never written', async () => {
  const tenant = newTenant();
  await register(tenant, WEBHOOKS);
  expect((await consumeEventBatch(deps(), eventsOf(tenant, EVENTS))).isDeferred).toBe(true);
  const scope = { tenantId: tenant.tenantId, memoryId: MEMORY, vaultId: '' };
  await Promise.all([
    eraseScope(environment.database.worker, scope),
    runFanOutTurn(environment.database.worker, '', now()),
  ]);
  expect(await eraseScope(environment.database.worker, scope)).toBe(true);
  await runFanOutTurn(environment.database.worker, '', now());
  for (const table of ['webhook_events', 'pending_fan_outs', 'deliveries', 'delivery_queue'])
    expect([table, await rowsOf(table, tenant)]).toEqual([table, 0]);
}, 60_000);

it('a tenant whose deliveries cannot be sent as fast has them written slowly; one with a failing endpoint does not', async () => {
  const [flooding, failing] = [newTenant(), newTenant()];
  for (const tenant of [flooding, failing]) {
    await register(tenant, WEBHOOKS);
    for (let batch = 0; batch < 3; batch += 1) await consumeEventBatch(deps(), eventsOf(tenant, 10));
  }
  await environment.ask(`UPDATE webhooks SET failing_since = now() WHERE tenant_id = $1`, [failing.tenantId]);
  for (let turn = 0; turn < 10; turn += 1) await runFanOutTurn(environment.database.worker, '', now());
  const later = () => new Date(Date.now() + 60_000);
  const slow = { workerDatabase: environment.database.worker, now: later };

  await consumeEventBatch(slow, [...eventsOf(flooding, 2), ...eventsOf(failing, 2)]);
  expect(await rowsOf('pending_fan_outs', flooding)).toBe(2);
  expect(await rowsOf('pending_fan_outs', failing)).toBe(0);

  await runFanOutTurn(environment.database.worker, '', later());
  expect(await rowsOf('deliveries', flooding)).toBe(WEBHOOKS * 32);
  // Whoever pauses is passed over by every replica, and what comes for it waits behind what waits already.
  await consumeEventBatch(slow, eventsOf(flooding, 1));
  await runFanOutTurn(environment.database.worker, '', later());
  expect(await rowsOf('pending_fan_outs', flooding)).toBe(1);
  await runFanOutTurn(environment.database.worker, '', new Date(Date.now() + 90_000));
  expect(await rowsOf('pending_fan_outs', flooding)).toBe(0);
}, 60_000);

it('a tenant that another replica is at is passed over as a whole, and the walk goes on behind it', async () => {
  const [busy, other] = [newTenant(), newTenant()].sort((a, b) => (a.tenantId < b.tenantId ? -1 : 1)) as [
    Identity,
    Identity,
  ];
  for (const tenant of [busy, other]) {
    await register(tenant, WEBHOOKS);
    await consumeEventBatch(deps(), eventsOf(tenant, EVENTS));
  }
  const before = await rowsOf('pending_fan_outs', busy);
  await environment.database.worker.transaction(async (tx) => {
    await tx.query("SELECT pg_advisory_xact_lock(hashtextextended('webhooks:fan-out:' || $1, 0))", [busy.tenantId]);
    for (let turn = 0; turn < EVENTS; turn += 1) {
      const { lastTenantId } = await runFanOutTurn(environment.database.worker, '', now());
      expect(lastTenantId).not.toBe('');
      if ((await rowsOf('pending_fan_outs', other)) === 0) break;
    }
    expect(await rowsOf('pending_fan_outs', other)).toBe(0);
    expect(await rowsOf('pending_fan_outs', busy)).toBe(before);
    // Only the busy one is left: that is not the end.
    expect((await runFanOutTurn(environment.database.worker, '', now())).lastTenantId).toBe(busy.tenantId);
  });
  while ((await rowsOf('pending_fan_outs', busy)) > 0) await runFanOutTurn(environment.database.worker, '', now());
  expect(await rowsOf('deliveries', busy)).toBe(WEBHOOKS * EVENTS);
}, 60_000);

it('a webhook that was deleted a moment ago keeps its row, so that no delivery is left without one', async () => {
  const tenant = newTenant();
  await register(tenant, 2);
  const [recent, long] = [`${tenant.tenantId}_1`, `${tenant.tenantId}_2`];
  await environment.ask('UPDATE webhooks SET deleted_at = now() WHERE webhook_id = $1', [recent]);
  await environment.ask("UPDATE webhooks SET deleted_at = now() - interval '6 minutes' WHERE webhook_id = $1", [long]);
  await deleteExpired(environment.database.worker, { deliveredRetentionDays: 1, deadLetterRetentionDays: 1 });
  expect(await environment.ask('SELECT webhook_id FROM webhooks WHERE tenant_id = $1', [tenant.tenantId])).toEqual([
    { webhook_id: recent },
  ]);
});
