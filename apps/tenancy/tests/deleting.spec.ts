import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { decodeEvent, encodeEvent, newId } from '@cairn/contracts';
import { connectEventBus, type EventBus, EVENT_STREAM, publishEvent } from '@cairn/events';
import { eventually } from '@cairn/testing';
import { createWorkspaceWithMemory } from '../src/workspaces/workspace-creation.ts';
import { type RunningTenancy, runTenancy, type Tenant } from './tenancy-harness.ts';

let tenancy: RunningTenancy;
let bus: EventBus;
beforeAll(async () => {
  tenancy = await runTenancy(2);
  bus = await connectEventBus({ natsUrl: tenancy.nats.url, name: 'spec' });
});
afterAll(async () => {
  await bus.close();
  await tenancy.close();
});

const call = (tenant: Tenant, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  tenancy.call(tenant.caller, method, `/api/v1${path}`, body, { headers });
const canary = () => `canary${randomBytes(8).toString('hex')}`;

/** Everything this service keeps, as text: each row of each table, and each message of the stream. */
async function everything(): Promise<string> {
  const tables = await tenancy.query<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'tenancy' AND table_type = 'BASE TABLE'",
  );
  const rows: string[] = [];
  for (const { name } of tables) {
    const found = await tenancy.query<{ row: string }>(`SELECT t::text AS row FROM tenancy.${name} AS t`);
    // Bytes are shown in hex.
    rows.push(...found.map(({ row }) => row + Buffer.from(row.replace(/[^0-9a-f]/g, ''), 'hex').toString('latin1')));
  }
  const { state } = await bus.manager.streams.info(EVENT_STREAM);
  for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
    const message = await bus.manager.streams.getMessage(EVENT_STREAM, { seq }).catch(() => null);
    if (message !== null) rows.push(Buffer.from(message.data).toString('latin1'));
  }
  return rows.join('\n');
}

async function fill(tenant: Tenant, word: string) {
  const workspace = (
    await call(tenant, 'POST', '/workspaces', { name: word, description: word }, { 'idempotency-key': randomUUID() })
  ).body['workspace'] as Record<string, string>;
  const memory = (
    await call(
      tenant,
      'POST',
      '/memories',
      { display_name: word, workspace_id: workspace['workspace_id'] },
      { 'idempotency-key': randomUUID() },
    )
  ).body as Record<string, string>;
  const space = (
    await call(
      tenant,
      'POST',
      '/spaces',
      { name: word, description: word, memory_id: memory['memory_id'] },
      { 'idempotency-key': randomUUID() },
    )
  ).body as Record<string, string>;
  await call(tenant, 'PUT', `/spaces/${space['space_id']}/members/${word}`, { role: 'reader' });
  return { workspace, memory, space };
}

describe('DELETE /memories/{memory_id}', () => {
  it('responds 202 with the memory deleting, closed first, and leaves no word of it anywhere', async () => {
    const tenant = await tenancy.makeTenant('business');
    const word = canary();
    const { memory, workspace } = await fill(tenant, word);
    await call(tenant, 'PATCH', `/workspaces/${workspace['workspace_id']}`, { name: 'n', description: '', slug: 'n' });
    const before = tenancy.calls.length;
    const path = `/memories/${memory['memory_id']}`;
    const response = await call(tenant, 'DELETE', path);
    expect(response).toMatchObject({ status: 202, body: { memory_id: memory['memory_id'], status: 'deleting' } });
    const scope = { tenantId: tenant.live.tenantId, memoryId: memory['memory_id'] };
    expect(tenancy.calls.slice(before)).toEqual(
      expect.arrayContaining([
        { method: 'eraseKeys', request: { ...scope, spaceId: '' } },
        { method: 'closeScope', request: { scope: expect.objectContaining({ ...scope, engineId: 'default' }) } },
      ]),
    );
    await eventually(
      () => call(tenant, 'GET', path),
      ({ status }) => status === 404,
    );
    expect((await call(tenant, 'DELETE', path)).status).toBe(404);
    expect(tenancy.calls.slice(before).map((recorded) => recorded.method)).toContain('eraseScope');
    // The workspace's own primary memory and what was said when it was made still hold the word.
    await call(tenant, 'DELETE', `/workspaces/${workspace['workspace_id']}`);
    await eventually(everything, (text) => !text.includes(word));
  });

  it('refuses the primary memory of a workspace with 409, and frees the plan’s place of another', async () => {
    const tenant = await tenancy.makeTenant('free');
    expect(await call(tenant, 'DELETE', `/memories/${tenant.live.primaryMemoryId}`)).toMatchObject({ status: 409 });
    const made = [];
    for (const display_name of ['a', 'b']) made.push((await call(tenant, 'POST', '/memories', { display_name })).body);
    expect((await call(tenant, 'POST', '/memories', { display_name: 'c' })).status).toBe(402);
    await call(tenant, 'DELETE', `/memories/${made[0]!['memory_id']}`);
    const after = await call(tenant, 'POST', '/memories', { display_name: 'c' });
    expect(after).toMatchObject({ status: 201, body: { memory_serial: 4 } });
  });

  it('never gives its hostname again', async () => {
    const tenant = await tenancy.makeTenant();
    const memory = (await call(tenant, 'POST', '/memories', { display_name: 'Gone' })).body as Record<string, string>;
    await call(tenant, 'DELETE', `/memories/${memory['memory_id']}`);
    await expect(tenancy.rpc.findMemoryHost({ subdomain: memory['subdomain']! })).rejects.toMatchObject({
      code: 'not_found',
    });
    await eventually(
      () => call(tenant, 'GET', `/memories/${memory['memory_id']}`),
      ({ status }) => status === 404,
    );
    const claimed = await tenancy.database.app.withTenant(tenant.live.tenantId, (tx) =>
      tx.execute(
        "INSERT INTO subdomains (label_sha256, tenant_id, memory_id) VALUES (sha256(convert_to($1, 'UTF8')), $2, $3) ON CONFLICT DO NOTHING",
        [memory['subdomain'], tenant.live.tenantId, newId('memory')],
      ),
    );
    expect(claimed).toBe(0);
  });
});

describe('DELETE /workspaces/{workspace_id}', () => {
  it('takes its memories along, is gone at once, frees its slug, and refuses the default one with 409', async () => {
    const tenant = await tenancy.makeTenant('business');
    const word = canary();
    const { workspace, memory } = await fill(tenant, word);
    const path = `/workspaces/${workspace['workspace_id']}`;
    expect(await call(tenant, 'DELETE', path)).toMatchObject({ status: 202, body: { deleted: true } });
    for (const method of ['GET', 'DELETE']) expect((await call(tenant, method, path)).status).toBe(404);
    expect((await call(tenant, 'POST', '/workspaces', { name: 'x', slug: workspace['slug'] })).status).toBe(201);
    await eventually(
      async () => [
        await call(tenant, 'GET', `/memories/${memory['memory_id']}`),
        await call(tenant, 'GET', `/memories/${workspace['primary_memory_id']}`),
      ],
      (responses) => responses.every(({ status }) => status === 404),
    );
    await call(tenant, 'PATCH', `/workspaces/${tenant.live.defaultWorkspaceId}`, { slug: 'default' });
    expect(await call(tenant, 'DELETE', `/workspaces/${tenant.live.defaultWorkspaceId}`)).toMatchObject({
      status: 409,
    });
  });
});

describe('the operator', () => {
  it('suspends a tenant with its test tenant and takes it up again; keys know before the response', async () => {
    const tenant = await tenancy.makeTenant();
    const { tenantId } = tenant.live;
    const before = tenancy.calls.length;
    const suspended = await tenancy.operator.setTenantStatus({ tenantId, status: 'suspended' });
    expect(suspended.tenant).toMatchObject({ tenantId, status: 'suspended', workspaces: 1, memories: 1 });
    expect(
      tenancy.calls.slice(before).map(({ method, request }) => {
        const applied = request['tenant'] as { tenantId: string; status: string };
        return [method, applied.tenantId, applied.status];
      }),
    ).toEqual([
      ['applyTenant', tenantId, 'suspended'],
      ['applyTenant', tenant.test.tenantId, 'suspended'],
    ]);
    const resumed = await tenancy.operator.setTenantStatus({ tenantId, status: 'active' });
    expect(resumed.tenant).toMatchObject({ status: 'active' });
    await expect(tenancy.operator.setTenantStatus({ tenantId, status: 'odd' })).rejects.toMatchObject({
      code: 'validation_failed',
    });
    const testTenant = { tenantId: tenant.test.tenantId, status: 'suspended' };
    await expect(tenancy.operator.setTenantStatus(testTenant)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('moves a tenant to another plan, whose limits hold from then on', async () => {
    const tenant = await tenancy.makeTenant('free');
    expect((await call(tenant, 'POST', '/workspaces', { name: 'two' })).status).toBe(402);
    await tenancy.operator.setTenantPlan({ tenantId: tenant.live.tenantId, plan: 'business' });
    expect((await call(tenant, 'POST', '/workspaces', { name: 'two' })).status).toBe(201);
    const unknown = tenancy.operator.setTenantPlan({ tenantId: tenant.live.tenantId, plan: 'gold' });
    await expect(unknown).rejects.toMatchObject({ code: 'validation_failed' });
  });

  it('deletes a tenant with its test tenant: refused at once, nothing left in the end, others untouched', async () => {
    const [tenant, bystander] = [await tenancy.makeTenant('business'), await tenancy.makeTenant('business')];
    const [word, stays] = [canary(), canary()];
    await fill(tenant, word);
    await fill({ ...tenant, caller: tenant.testCaller }, word);
    await fill(bystander, stays);
    await call(tenant, 'PUT', '/provider-keys/openai', { api_key: 'sk-x', base_url: `https://${word}.example/` });
    const { tenantId } = tenant.live;
    const deleting = await tenancy.operator.deleteTenant({ tenantId });
    expect(deleting.tenant).toMatchObject({ status: 'deleting' });
    await eventually(
      () => tenancy.operator.listTenants({}),
      ({ tenants }) => !tenants.some((listed) => listed.tenantId === tenantId),
    );
    const left = await everything();
    expect(left).not.toContain(word);
    expect(left).toContain(stays);
    const rows = await tenancy.query('SELECT * FROM tenants WHERE tenant_id = ANY($1)', [
      [tenantId, tenant.test.tenantId],
    ]);
    expect(rows).toEqual([]);
    await expect(tenancy.operator.deleteTenant({ tenantId })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('deletes a tenant whose callers still create: they are refused, and what came in nevertheless is erased', async () => {
    const { live, caller } = await tenancy.makeTenant('business');
    const { tenantId } = live;
    // So that the tenant is there until all have tried.
    tenancy.refused.add('eraseKeys');
    await tenancy.operator.deleteTenant({ tenantId });
    const created = [
      ['/workspaces', { name: 'late' }],
      ['/memories', { display_name: 'late' }],
      ['/spaces', { name: 'late' }],
    ] as const;
    for (const [path, body] of created)
      expect(await tenancy.call(caller, 'POST', `/api/v1${path}`, body)).toMatchObject({
        status: 409,
        body: { code: 'conflict' },
      });
    await tenancy.database.worker.transaction((tx) =>
      createWorkspaceWithMemory(tx, { tenantId, livemode: true, name: 'late', description: '', isDefault: false }),
    );
    tenancy.refused.delete('eraseKeys');
    await eventually(
      () => tenancy.query('SELECT tenant_id FROM tenancy.tenants WHERE tenant_id = $1', [tenantId]),
      (rows) => rows.length === 0,
    );
  });

  it('says each end of a memory as an event, with identifiers alone, and leaves no other, also of runs that it ended', async () => {
    const tenant = await tenancy.makeTenant();
    const memory = (await call(tenant, 'POST', '/memories', { display_name: 'Told' })).body as Record<string, string>;
    const memoryId = memory['memory_id']!;
    tenancy.refused.add('eraseRuns');
    await call(tenant, 'DELETE', `/memories/${memoryId}`);
    await eventually(() =>
      tenancy.calls.some(({ method, request }) => method === 'eraseRuns' && request['memoryId'] === memoryId),
    );
    const ended = { threadId: newId('thread'), kind: 'research', status: 'cancelled' };
    const about = {
      tenantId: tenant.live.tenantId,
      livemode: true,
      workspaceId: tenant.live.defaultWorkspaceId,
      memoryId,
    };
    await publishEvent(bus, encodeEvent('runStatusChanged', about, ended));
    tenancy.refused.delete('eraseRuns');
    const told = async () => {
      const { state } = await bus.manager.streams.info(EVENT_STREAM);
      const found = [];
      for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
        const message = await bus.manager.streams.getMessage(EVENT_STREAM, { seq }).catch(() => null);
        const event = message === null ? null : decodeEvent(message.data);
        if (event !== null && event.memoryId === memory['memory_id']) found.push(event.payload);
      }
      return found;
    };
    const left = await eventually(told, (payloads) =>
      payloads.some(({ case: kind, value }) => kind === 'memoryChanged' && value.status === 'deleted'),
    );
    expect(left.map((payload) => payload.case)).toEqual(['memoryChanged']);
  });
});
