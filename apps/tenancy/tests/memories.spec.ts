import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createMemory, newId } from '@cairn/contracts';
import type { Identity } from '@cairn/identity';
import { type RunningTenancy, runTenancy, type Tenant } from './tenancy-harness.ts';

const DNS_LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

let tenancy: RunningTenancy;
let tenant: Tenant;
beforeAll(async () => {
  tenancy = await runTenancy(2);
  tenant = await tenancy.makeTenant('business');
});
afterAll(() => tenancy.close());

const create = (body: unknown, identity: Identity = tenant.caller, replica = 0) =>
  tenancy.call(identity, 'POST', '/api/v1/memories', body, { replica });
const list = async (identity: Identity, query = '') => {
  const { body } = await tenancy.call(identity, 'GET', `/api/v1/memories${query}`);
  return body as unknown as {
    memories: { memory_id: string; workspace_id: string; memory_serial: number }[];
    next_cursor?: string;
  };
};

describe('POST /memories', () => {
  it('responds 201 with an active shared memory in the default workspace', async () => {
    const { status, body } = await create({ display_name: 'Handbook' });
    expect(status).toBe(201);
    expect(createMemory.response.schema.safeParse(body).success).toBe(true);
    expect(body).toMatchObject({
      display_name: 'Handbook',
      type: 'shared',
      status: 'active',
      workspace_id: tenant.live.defaultWorkspaceId,
      dlp_policy: 'secrets',
    });
    expect(body).not.toHaveProperty('tenant_id');
  });

  it('takes a workspace of the tenant’s own, and 404 for a foreign or unknown one', async () => {
    const workspace = (await tenancy.call(tenant.caller, 'POST', '/api/v1/workspaces', { name: 'Lab' })).body[
      'workspace'
    ] as Record<string, string>;
    const { body } = await create({ display_name: 'x', workspace_id: workspace['workspace_id'] });
    expect(body).toMatchObject({ workspace_id: workspace['workspace_id'] });
    const foreign = await tenancy.makeTenant();
    for (const id of [foreign.live.defaultWorkspaceId, tenant.test.defaultWorkspaceId, newId('workspace')]) {
      expect(await create({ display_name: 'x', workspace_id: id })).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      });
    }
  });

  it.each<[string, unknown, string]>([
    ['no name', {}, 'display_name'],
    ['an unknown type', { display_name: 'x', type: 'private' }, 'type'],
    ['a type that is not offered', { display_name: 'x', type: 'dedicated' }, 'type'],
    ['an invalid workspace id', { display_name: 'x', workspace_id: 'ws' }, 'workspace_id'],
    ['an unknown policy', { display_name: 'x', dlp_policy: 'all' }, 'dlp_policy'],
    ['an unknown field', { display_name: 'x', name: 'y' }, 'name'],
    ['a status', { display_name: 'x', status: 'active' }, 'status'],
  ])('with %s is 422', async (_what, body, path) => {
    expect(await create(body)).toMatchObject({ status: 422, body: { code: 'validation_failed', errors: [{ path }] } });
  });
});

describe('serial numbers', () => {
  it('count 1, 2, 3 … per tenant without a gap, though refusals and other tenants come between', async () => {
    const [one, two] = [await tenancy.makeTenant('business'), await tenancy.makeTenant('business')];
    const body = { display_name: 'x' };
    await Promise.all([
      ...Array.from({ length: 15 }, (_, n) => create(body, one.caller, n % 2)),
      ...Array.from({ length: 5 }, (_, n) => create(body, two.caller, n % 2)),
      ...Array.from({ length: 5 }, (_, n) => create({ ...body, workspace_id: newId('workspace') }, one.caller, n % 2)),
    ]);
    for (const [caller, count] of [
      [one.caller, 16],
      [two.caller, 6],
    ] as const) {
      const serials = (await list(caller)).memories.map(({ memory_serial }) => memory_serial).sort((a, b) => a - b);
      expect(serials).toEqual(Array.from({ length: count }, (_, n) => n + 1));
    }
  });
});

describe('the memories limit of the plan', () => {
  it('is exact for 30 creations at once over two replicas', async () => {
    const small = await tenancy.makeTenant('team');
    const responses = await Promise.all(
      Array.from({ length: 30 }, (_, n) => create({ display_name: `m${n}` }, small.caller, n % 2)),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(19);
    const refused = responses.filter(({ status }) => status === 402);
    expect(refused).toHaveLength(11);
    expect(refused[0]!.body).toMatchObject({
      code: 'plan_limit_reached',
      upgrade: { resource: 'memories', limit: 20, current: 20, plan: 'team', suggested_plan: 'business' },
    });
  });
});

describe('subdomains', () => {
  it('are DNS labels of their own, whatever the name is written in', async () => {
    const names = [
      'Handbook',
      'Handbook',
      '日本語のメモ',
      'Отдел кадров',
      '🙂🙂',
      '—',
      'a'.repeat(200),
      '../../etc',
      'xn--80ak6aa92e',
      '-x-',
    ];
    const labels: string[] = [];
    for (const display_name of names) labels.push((await create({ display_name })).body['subdomain'] as string);
    expect(labels.filter((label) => !DNS_LABEL.test(label) || label.startsWith('xn--'))).toEqual([]);
    expect(new Set(labels).size).toBe(names.length);
  });

  it('are unique over all tenants, and never given again, by a constraint of the database', async () => {
    const [{ subdomain }] = (await tenancy.query<{ subdomain: string }>('SELECT subdomain FROM memories LIMIT 1')) as [
      { subdomain: string },
    ];
    const other = await tenancy.makeTenant();
    const claimed = tenancy.database.app.withTenant(other.live.tenantId, (tx) =>
      tx.execute(
        "INSERT INTO subdomains (label_sha256, tenant_id, memory_id) VALUES (sha256(convert_to($1, 'UTF8')), $2, $3) ON CONFLICT DO NOTHING",
        [subdomain, other.live.tenantId, newId('memory')],
      ),
    );
    await expect(claimed).resolves.toBe(0);
  });
});

describe('GET /memories', () => {
  it('lists every memory across workspaces, those of one workspace, and pages', async () => {
    const other = await tenancy.makeTenant('business');
    const made = (await tenancy.call(other.caller, 'POST', '/api/v1/workspaces', { name: 'Lab' })).body[
      'workspace'
    ] as Record<string, string>;
    const lab = made['workspace_id']!;
    for (let n = 0; n < 3; n += 1) await create({ display_name: `m${n}`, workspace_id: lab }, other.caller);
    const all = await list(other.caller);
    expect(all.memories).toHaveLength(5);
    const ofLab = await list(other.caller, `?workspace_id=${lab}`);
    expect(ofLab.memories).toHaveLength(4);
    expect(ofLab.memories.every((memory) => memory.workspace_id === lab)).toBe(true);
    const first = await list(other.caller, `?workspace_id=${lab}&limit=3`);
    const second = await list(other.caller, `?workspace_id=${lab}&limit=3&cursor=${first.next_cursor}`);
    expect([...first.memories, ...second.memories]).toEqual(ofLab.memories);
    expect(second.next_cursor).toBeUndefined();
  });

  it('shows nothing of another tenant or of the test tenant', async () => {
    const stranger = await tenancy.makeTenant();
    expect((await list(stranger.caller, `?workspace_id=${tenant.live.defaultWorkspaceId}`)).memories).toEqual([]);
    const ids = (await list(stranger.caller)).memories.map(({ memory_id }) => memory_id);
    expect(ids).toEqual([stranger.live.primaryMemoryId]);
    expect((await list(stranger.testCaller)).memories.map(({ memory_id }) => memory_id)).toEqual([
      stranger.test.primaryMemoryId,
    ]);
  });

  it('by id is 404 for another tenant’s, and for what does not exist', async () => {
    const mine = tenant.live.primaryMemoryId;
    expect((await tenancy.call(tenant.caller, 'GET', `/api/v1/memories/${mine}`)).status).toBe(200);
    const stranger = await tenancy.makeTenant();
    for (const [identity, id] of [
      [stranger.caller, mine],
      [tenant.testCaller, mine],
      [tenant.caller, newId('memory')],
    ] as const) {
      expect(await tenancy.call(identity, 'GET', `/api/v1/memories/${id}`)).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      });
    }
  });

  it('is not for a key that is bound to one memory', async () => {
    const bound: Identity = { ...tenant.caller, kind: 'memory', memoryId: tenant.live.primaryMemoryId };
    expect(await tenancy.call(bound, 'GET', '/api/v1/memories')).toMatchObject({
      status: 403,
      body: { code: 'memory_not_permitted' },
    });
  });
});
