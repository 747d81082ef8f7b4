import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newId } from '@cairn/contracts';
import type { Identity } from '@cairn/identity';
import { eraseScope } from '../src/erasure/erase-scope.ts';
import { takeFanOutTurn } from '../src/intake/fan-out.ts';
import { type Arrived, takeInEvents } from '../src/intake/take-in-events.ts';
import { makeWorld, MEMORY, newTenant, type World } from './running-webhooks.ts';

const WEBHOOKS = 100;
const EVENTS = 40;

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

const now = () => new Date();

async function register(tenant: Identity, count: number): Promise<void> {
  await world.ask(
    `INSERT INTO webhooks (tenant_id, webhook_id, url, events, description, active, auto_replay, livemode, secret_sealed)
     SELECT $1, $1 || '_' || n, 'https://hooks.example', '{memory.ingest.completed}', '', true, false, true, ''
       FROM generate_series(1, $2) n`,
    [tenant.tenantId, count],
  );
}

const arrivals = (tenant: Identity, count: number): Arrived[] =>
  Array.from({ length: count }, () => ({
    event: 'memory.ingest.completed',
    vaultIds: ['vlt_1'],
    body: '{}',
    eventId: newId('event'),
    tenantId: tenant.tenantId,
    memoryId: MEMORY,
  }));

const parts = () => ({ workerDatabase: world.database.worker, now });

async function rowsOf(table: string, tenant: Identity): Promise<number> {
  return (await world.ask(`SELECT 1 FROM ${table} WHERE tenant_id = $1`, [tenant.tenantId])).length;
}

it('events of one tenant with very many deliveries are written in parts, and the next tenant is not kept waiting', async () => {
  const [flooding, other] = [newTenant(), newTenant()];
  await register(flooding, WEBHOOKS);
  await register(other, 1);
  const batch = [...arrivals(flooding, EVENTS), ...arrivals(other, 1)];
  const taken = await takeInEvents(parts(), batch);
  expect(await rowsOf('delivery_queue', flooding)).toBeLessThanOrEqual(1_000);
  expect(await rowsOf('delivery_queue', other)).toBe(1);
  expect(taken.webhookIds).toContain(`${other.tenantId}_1`);

  // The same batch again, and two replicas at once, make nothing twice.
  await takeInEvents(parts(), batch);
  for (let turn = 0; turn < EVENTS; turn += 1)
    await Promise.all([0, 1].map(() => takeFanOutTurn(world.database.worker, '', now())));
  expect(await rowsOf('deliveries', flooding)).toBe(WEBHOOKS * EVENTS);
  expect(await rowsOf('delivery_queue', flooding)).toBe(WEBHOOKS * EVENTS);
  expect(await rowsOf('pending_fan_outs', flooding)).toBe(0);
}, 60_000);

it('what is deferred of something that was erased is never written', async () => {
  const tenant = newTenant();
  await register(tenant, WEBHOOKS);
  expect((await takeInEvents(parts(), arrivals(tenant, EVENTS))).isDeferred).toBe(true);
  const scope = { tenantId: tenant.tenantId, memoryId: MEMORY, vaultId: '' };
  await Promise.all([eraseScope(world.database.worker, scope), takeFanOutTurn(world.database.worker, '', now())]);
  expect(await eraseScope(world.database.worker, scope)).toBe(true);
  await takeFanOutTurn(world.database.worker, '', now());
  for (const table of ['webhook_events', 'pending_fan_outs', 'deliveries', 'delivery_queue'])
    expect([table, await rowsOf(table, tenant)]).toEqual([table, 0]);
}, 60_000);
