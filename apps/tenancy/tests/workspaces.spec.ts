import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { createWorkspace, newId } from '@cairn/contracts';
import type { Identity } from '@cairn/identity';
import { type TestResponse, type RunningTenancy, runTenancy, type Tenant } from './tenancy-harness.ts';

let tenancy: RunningTenancy;
let tenant: Tenant;
beforeAll(async () => {
  tenancy = await runTenancy(2);
  tenant = await tenancy.makeTenant('business');
});
afterAll(() => tenancy.close());

const create = (
  body: unknown,
  identity: Identity = tenant.caller,
  options: { headers?: Record<string, string>; replica?: number } = {},
) => tenancy.call(identity, 'POST', '/api/v1/workspaces', body, options);
const workspaceOf = (response: TestResponse) => response.body['workspace'] as Record<string, string>;
const list = async (identity: Identity, query = '') => {
  const { body } = await tenancy.call(identity, 'GET', `/api/v1/workspaces${query}`);
  return body as unknown as { workspaces: Record<string, string>[]; next_cursor?: string };
};

describe('POST /workspaces', () => {
  it('responds 201 with the workspace, whose primary shared memory is there and active', async () => {
    const response = await create({ name: 'Research', description: 'what we know' });
    expect(response.status).toBe(201);
    expect(createWorkspace.response.schema.safeParse(response.body).success).toBe(true);
    const workspace = workspaceOf(response);
    expect(workspace).toMatchObject({
      tenant_id: tenant.live.tenantId,
      name: 'Research',
      description: 'what we know',
      slug: 'research',
      is_default: false,
    });
    const memory = await tenancy.call(tenant.caller, 'GET', `/api/v1/memories/${workspace['primary_memory_id']}`);
    expect(memory.body).toMatchObject({
      workspace_id: workspace['workspace_id'],
      type: 'shared',
      status: 'active',
      display_name: 'Research',
    });
  });

  it('leaves neither workspace nor memory, label, serial or event when one of them fails', async () => {
    const state = () =>
      tenancy.query(
        `SELECT (SELECT count(*) FROM workspaces) AS workspaces, (SELECT count(*) FROM memories) AS memories, (SELECT count(*) FROM subdomains) AS subdomains,
                (SELECT sum(next_memory_serial) FROM tenants) AS serials, (SELECT count(*) FROM idempotency_keys) AS keys`,
      );
    const before = await state();
    await tenancy.query("ALTER TABLE memories ADD CONSTRAINT breaks CHECK (display_name <> 'Breaks')");
    const response = await create({ name: 'Breaks' }, tenant.caller, { headers: { 'idempotency-key': randomUUID() } });
    await tenancy.query('ALTER TABLE memories DROP CONSTRAINT breaks');
    expect(response).toMatchObject({ status: 500, body: { code: 'internal' } });
    expect(JSON.stringify(response.body)).not.toMatch(/breaks|constraint|memories/);
    expect(await state()).toEqual(before);
  });

  it.each<[string, unknown, string]>([
    ['no name', {}, 'name'],
    ['an empty name', { name: ' ' }, 'name'],
    ['a name too long', { name: 'x'.repeat(201) }, 'name'],
    ['a slug with capitals', { name: 'x', slug: 'Abc' }, 'slug'],
    ['a slug that ends with a hyphen', { name: 'x', slug: 'abc-' }, 'slug'],
    ['a slug too long', { name: 'x', slug: 'a'.repeat(49) }, 'slug'],
    ['a tenant', { name: 'x', tenant_id: 'tnt_1' }, 'tenant_id'],
    ['half a character in its name', { name: 'x\ud800' }, 'name'],
  ])('with %s is 422', async (_what, body, path) => {
    expect(await create(body)).toMatchObject({ status: 422, body: { code: 'validation_failed', errors: [{ path }] } });
  });
});

describe('a slug', () => {
  it('is made of the name and numbered when it is taken', async () => {
    const other = await tenancy.makeTenant('business');
    const slugs = [];
    for (const name of ['Team', 'team!', 'TEAM', '日本語'])
      slugs.push(workspaceOf(await create({ name }, other.caller))['slug']);
    expect(slugs).toEqual(['team', 'team-2', 'team-3', 'workspace']);
  });

  it('that is calls for is kept, and 409 when it is taken', async () => {
    const other = await tenancy.makeTenant('business');
    expect(workspaceOf(await create({ name: 'x', slug: 'mine' }, other.caller))['slug']).toBe('mine');
    expect(await create({ name: 'y', slug: 'mine' }, other.caller)).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    });
    expect((await create({ name: 'x', slug: 'mine' })).status).toBe(201);
  });

  it('is given once, whoever asks at the same time on whichever replica', async () => {
    const other = await tenancy.makeTenant('business');
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, n) => create({ name: 'Same' }, other.caller, { replica: n % 2 })),
    );
    const slugs = responses.map((response) => workspaceOf(response)['slug']);
    expect(new Set(slugs).size).toBe(12);
  });
});

describe('the workspaces limit of the plan', () => {
  it('is exact for 30 creations at once over two replicas', async () => {
    const small = await tenancy.makeTenant('team');
    const responses = await Promise.all(
      Array.from({ length: 30 }, (_, n) => create({ name: `w${n}` }, small.caller, { replica: n % 2 })),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(2);
    expect(responses.filter(({ status }) => status === 402)).toHaveLength(28);
    const { workspaces } = await list(small.caller);
    expect(workspaces).toHaveLength(3);
    const memories = await tenancy.query('SELECT memory_serial FROM memories WHERE tenant_id = $1 ORDER BY 1', [
      small.live.tenantId,
    ]);
    expect(memories).toEqual([{ memory_serial: 1 }, { memory_serial: 2 }, { memory_serial: 3 }]);
  });

  it('responds 402 with the way out, and says that credits are none', async () => {
    const small = await tenancy.makeTenant('free');
    const response = await create({ name: 'x' }, small.caller, { headers: { 'x-request-id': 'req-402' } });
    expect(response.status).toBe(402);
    expect(response.body).toEqual({
      type: '/docs/errors#plan_limit_reached',
      title: 'The limit of the plan is reached',
      status: 402,
      detail: 'The plan free allows 1 workspaces.',
      code: 'plan_limit_reached',
      request_id: 'req-402',
      upgrade: {
        resource: 'workspaces',
        limit: 1,
        current: 1,
        plan: 'free',
        suggested_plan: 'team',
        upgrade_url: null,
        note: expect.stringMatching(/credits/i),
      },
    });
  });

  it('is named when the limit of memories is reached as well', async () => {
    const small = await tenancy.makeTenant('team');
    const created = await Promise.all([
      create({ name: 'test' }, small.testCaller),
      create({ name: 'test' }, small.testCaller),
    ]);
    expect(created.map(({ status }) => status).sort()).toEqual([201, 402]);
    const full = await create({ name: 'x' }, small.testCaller);
    expect(full.body['upgrade']).toMatchObject({ resource: 'workspaces', limit: 2, current: 2 });
  });
});

describe('Idempotency-Key', () => {
  it('makes one workspace for twenty requests at once over two replicas, and replays it', async () => {
    const other = await tenancy.makeTenant('business');
    const headers = { 'idempotency-key': randomUUID() };
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) => create({ name: 'once' }, other.caller, { headers, replica: n % 2 })),
    );
    for (const { status } of responses) expect([201, 409]).toContain(status);
    expect((await list(other.caller)).workspaces).toHaveLength(2);
    const replay = await create({ name: 'once' }, other.caller, { headers, replica: 1 });
    expect(replay.headers.get('idempotency-replayed')).toBe('true');
    expect(replay.body).toEqual(responses.find(({ status }) => status === 201)!.body);
  });

  it('is another one for another tenant', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const [one, two] = [await tenancy.makeTenant(), await tenancy.makeTenant()];
    const first = await create({ name: 'x' }, one.caller, { headers });
    const second = await create({ name: 'y' }, two.caller, { headers });
    expect([first.status, second.status]).toEqual([201, 201]);
  });
});

describe('GET /workspaces', () => {
  it('lists every one without a limit, and pages with one', async () => {
    const other = await tenancy.makeTenant('business');
    for (let n = 0; n < 4; n += 1) await create({ name: `w${n}` }, other.caller);
    const all = (await list(other.caller)).workspaces.map((workspace) => workspace['workspace_id']);
    expect(all).toHaveLength(5);
    const first = await list(other.caller, '?limit=3');
    const second = await list(other.caller, `?limit=3&cursor=${first.next_cursor}`);
    expect([...first.workspaces, ...second.workspaces].map((workspace) => workspace['workspace_id'])).toEqual(all);
    expect(second).not.toHaveProperty('next_cursor');
    expect((await list(other.caller, '?limit=5')).next_cursor).toBeUndefined();
  });

  it('by id is 404 for another tenant’s, for the test tenant and for what does not exist', async () => {
    const mine = tenant.live.defaultWorkspaceId;
    expect((await tenancy.call(tenant.caller, 'GET', `/api/v1/workspaces/${mine}`)).body).toMatchObject({
      workspace: { workspace_id: mine, is_default: true },
    });
    const other = await tenancy.makeTenant();
    for (const [identity, id] of [
      [other.caller, mine],
      [tenant.testCaller, mine],
      [tenant.caller, newId('workspace')],
      [tenant.caller, 'nonsense'],
    ] as const) {
      expect(await tenancy.call(identity, 'GET', `/api/v1/workspaces/${id}`)).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      });
    }
  });
});
