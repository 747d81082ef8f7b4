import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cairn/contracts';
import { eventually } from '@cairn/testing';
import { requeue } from '../src/deliveries/requeue.ts';
import { deleteExpired } from '../src/erasure/delete-expired.ts';
import { type Receiver, startReceiver, status } from './receiver.ts';
import { ingested, MEMORY, newTenant, type RunningWebhooks, runWebhooks, settled } from './webhooks-harness.ts';

let webhooks: RunningWebhooks;
let receiver: Receiver;
beforeAll(async () => {
  webhooks = await runWebhooks();
  receiver = await startReceiver();
});
afterAll(async () => {
  await webhooks.close();
  await receiver.close();
});

const TABLES = ['tenant_events', 'webhook_events', 'deliveries', 'delivery_queue', 'delivery_attempts', 'dead_letters'];

async function rowsOf(tenantId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of TABLES)
    counts[table] = (await webhooks.ask(`SELECT 1 FROM ${table} WHERE tenant_id = $1`, [tenantId])).length;
  return counts;
}

const NOTHING = Object.fromEntries(TABLES.map((table) => [table, 0]));

async function erase(scope: { tenantId: string; memoryId?: string; vaultId?: string }): Promise<void> {
  await eventually(async () => (await webhooks.erasure.eraseScope(scope)).finished);
}

/** Begins the work while a replay of the delivery is not committed yet, and commits it once the work waits for it. */
async function duringReplay(deliveryId: string, work: () => Promise<void>): Promise<void> {
  const later = new Date(Date.now() + 3_600_000);
  let working = Promise.resolve();
  await webhooks.database.worker.transaction(async (tx) => {
    const [backend] = await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await requeue(tx, [deliveryId], later);
    working = work();
    await eventually(
      () => webhooks.ask('SELECT 1 FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))', [backend!.pid]),
      (waiting) => waiting.length > 0,
    );
  });
  await working;
}

describe('an erasure', () => {
  it('of a memory leaves nothing that was to be delivered about it, and takes nothing in about it afterwards', async () => {
    const tenant = newTenant();
    const other = newId('memory');
    receiver.answer(status(500));
    const { webhook_id: id } = await webhooks.register(tenant, receiver.url);
    await webhooks.emit(tenant, 'ingestCompleted', ingested());
    await webhooks.emit(tenant, 'ingestCompleted', ingested(), { memoryId: other });
    await eventually(
      () => webhooks.deliveries(tenant, id),
      (list) => list.length === 2,
    );
    await erase({ tenantId: tenant.tenantId, memoryId: MEMORY });
    const left = await webhooks.ask<{ memory_id: string }>(
      'SELECT memory_id FROM webhook_events WHERE tenant_id = $1',
      [tenant.tenantId],
    );
    expect(left).toEqual([{ memory_id: other }]);
    expect(await rowsOf(tenant.tenantId)).toMatchObject({ webhook_events: 1, deliveries: 1 });
    // One that was on its way when the memory was deleted.
    await webhooks.emit(tenant, 'ingestCompleted', ingested());
    await webhooks.emit(tenant, 'ingestCompleted', ingested(), { memoryId: other });
    await eventually(
      () => webhooks.deliveries(tenant, id),
      (list) => list.length === 2,
    );
    expect(
      await webhooks.ask('SELECT 1 FROM webhook_events WHERE tenant_id = $1 AND memory_id = $2', [
        tenant.tenantId,
        MEMORY,
      ]),
    ).toEqual([]);
  });

  it('of a vault takes what is about it and leaves the rest of its memory', async () => {
    const tenant = newTenant();
    receiver.answer(status(200));
    const { webhook_id: id } = await webhooks.register(tenant, receiver.url);
    const [gone, stays] = [newId('vault'), newId('vault')];
    const fact = (vaultId: string) => ({ factId: 'f', value: '12', docId: newId('document'), vaultId });
    const emitAbout = async (vaultId: string) => {
      await webhooks.emit(tenant, 'ingestCompleted', { ...ingested(), vaultId });
      await webhooks.emit(tenant, 'entityCreated', { entityId: 'e', name: 'n', type: 't', vaultIds: [vaultId] });
      const facts = [fact(stays), fact(vaultId)];
      await webhooks.emit(tenant, 'contradictionDetected', {
        contradictionId: 'c',
        entityId: 'e',
        relation: 'r',
        facts,
      });
    };
    for (const vaultId of [gone, stays]) await emitAbout(vaultId);
    await settled(webhooks, tenant, id, 6);
    await erase({ tenantId: tenant.tenantId, memoryId: MEMORY, vaultId: gone });
    await emitAbout(gone);
    await webhooks.emit(tenant, 'ingestCompleted', { ...ingested(), vaultId: stays });
    await settled(webhooks, tenant, id, 4);
    const vaults = await webhooks.ask('SELECT DISTINCT vault_ids FROM webhook_events WHERE tenant_id = $1', [
      tenant.tenantId,
    ]);
    expect(vaults).toEqual([{ vault_ids: [stays] }]);
  });

  it('of a tenant leaves nothing, and touches no other', async () => {
    const [tenant, other] = [newTenant(), newTenant()];
    receiver.answer(status(200));
    for (const one of [tenant, other]) {
      const { webhook_id: id } = await webhooks.register(one, receiver.url);
      await webhooks.emit(one, 'ingestCompleted', ingested());
      await webhooks.call(one, 'POST', `/api/v1/webhooks/${id}/test`, {});
      await settled(webhooks, one, id, 2);
    }
    await erase({ tenantId: tenant.tenantId });
    await erase({ tenantId: tenant.tenantId });
    expect(await rowsOf(tenant.tenantId)).toEqual(NOTHING);
    for (const table of ['webhooks', 'idempotency_keys'])
      expect(await webhooks.ask(`SELECT 1 FROM ${table} WHERE tenant_id = $1`, [tenant.tenantId])).toEqual([]);
    expect(await rowsOf(other.tenantId)).toMatchObject({ deliveries: 2, delivery_attempts: 2 });
  });

  it('leaves nothing that is replayed at the same time', async () => {
    const tenant = newTenant();
    receiver.answer(status(200));
    const { webhook_id: id } = await webhooks.register(tenant, receiver.url);
    await webhooks.emit(tenant, 'ingestCompleted', ingested());
    const [delivered] = await settled(webhooks, tenant, id, 1);
    await duringReplay(delivered.delivery_id, () => erase({ tenantId: tenant.tenantId, memoryId: MEMORY }));
    expect(await rowsOf(tenant.tenantId)).toEqual(NOTHING);
  });

  it('without a tenant is refused', async () => {
    await expect(webhooks.erasure.eraseScope({ tenantId: '' })).rejects.toMatchObject({ code: 'validation_failed' });
    await expect(webhooks.erasure.eraseScope({ tenantId: 't', vaultId: 'v' })).rejects.toMatchObject({
      code: 'validation_failed',
    });
  });
});

describe('what has had its time', () => {
  it('goes when it was delivered long ago; a dead letter stays for at least fourteen days and then for its own time', async () => {
    const tenant = newTenant();
    receiver.answer(status(200));
    const { webhook_id: id } = await webhooks.register(tenant, receiver.url);
    for (let n = 0; n < 4; n += 1) await webhooks.emit(tenant, 'ingestCompleted', ingested());
    const made = (await settled(webhooks, tenant, id, 4)).map((one) => one.delivery_id);
    const [oldDelivered, newDelivered, oldDead, newDead] = made;
    const age = async (delivery: string, days: number, dead: boolean) => {
      await webhooks.ask(
        `UPDATE deliveries SET created_at = now() - make_interval(days => $2), settled_at = now() - make_interval(days => $2),
                state = $3 WHERE delivery_id = $1`,
        [delivery, days, dead ? 'dead_lettered' : 'delivered'],
      );
      await webhooks.ask(
        `UPDATE webhook_events SET created_at = now() - make_interval(days => $2)
          WHERE event_id = (SELECT event_id FROM deliveries WHERE delivery_id = $1)`,
        [delivery, days],
      );
      if (dead)
        await webhooks.ask(
          `INSERT INTO dead_letters SELECT tenant_id, delivery_id, webhook_id, settled_at FROM deliveries WHERE delivery_id = $1`,
          [delivery],
        );
    };
    await age(oldDelivered, 8, false);
    await age(newDelivered, 6, false);
    await age(oldDead, 31, true);
    await age(newDead, 29, true);
    await deleteExpired(webhooks.database.worker, { deliveredRetentionDays: 7, deadLetterRetentionDays: 30 });
    const left = (await webhooks.deliveries(tenant, id)).map((one) => one.delivery_id);
    expect(new Set(left)).toEqual(new Set([newDelivered, newDead]));
    expect(await rowsOf(tenant.tenantId)).toEqual({
      // They have days of their own.
      tenant_events: 4,
      webhook_events: 2,
      deliveries: 2,
      delivery_queue: 0,
      delivery_attempts: 2,
      dead_letters: 1,
    });
    // What is kept can still be replayed.
    await webhooks.call(tenant, 'POST', `/api/v1/webhooks/${id}/replay`, {});
    await eventually(
      () => webhooks.deliveries(tenant, id, '?state=delivered'),
      (list) => list.length === 2,
    );
  });

  it('leaves nothing that is replayed while it goes', async () => {
    const tenant = newTenant();
    receiver.answer(status(200));
    const { webhook_id: id } = await webhooks.register(tenant, receiver.url);
    await webhooks.emit(tenant, 'ingestCompleted', ingested());
    const [delivered] = await settled(webhooks, tenant, id, 1);
    await webhooks.ask(
      `UPDATE deliveries SET created_at = created_at - interval '8 days', settled_at = settled_at - interval '8 days'
        WHERE delivery_id = $1`,
      [delivered.delivery_id],
    );
    await duringReplay(delivered.delivery_id, () =>
      deleteExpired(webhooks.database.worker, { deliveredRetentionDays: 7, deadLetterRetentionDays: 30 }),
    );
    expect(await rowsOf(tenant.tenantId)).toMatchObject({ deliveries: 0, delivery_queue: 0, delivery_attempts: 0 });
  });
});

describe('a queued delivery whose event is gone', () => {
  it('is deleted with its attempts when its claim expires', async () => {
    const { tenantId } = newTenant();
    const deliveryId = newId('delivery');
    await webhooks.ask(
      `INSERT INTO delivery_attempts (tenant_id, delivery_id, attempt, round, retry, started_at)
       VALUES ($1, $2, 1, 1, 0, now())`,
      [tenantId, deliveryId],
    );
    await webhooks.ask(
      `INSERT INTO delivery_queue (tenant_id, delivery_id, webhook_id, event_id, due_at, attempts, round, claimed_until)
       VALUES ($1, $2, $3, $4, now(), 1, 1, now())`,
      [tenantId, deliveryId, newId('webhook'), newId('event')],
    );
    await eventually(
      () => rowsOf(tenantId),
      (rows) => rows['delivery_queue'] === 0,
    );
    expect(await rowsOf(tenantId)).toEqual(NOTHING);
  });
});
