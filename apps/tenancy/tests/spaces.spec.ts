import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { createSpace, MEMORY_KEY_DEFAULT_SCOPES, newId } from '@cairn/contracts';
import type { Identity } from '@cairn/identity';
import { type RunningTenancy, runTenancy, type Tenant } from './tenancy-harness.ts';

let tenancy: RunningTenancy;
let tenant: Tenant;
beforeAll(async () => {
  tenancy = await runTenancy(2);
  tenant = await tenancy.makeTenant();
});
afterAll(() => tenancy.close());

const call = (
  method: string,
  path: string,
  body?: unknown,
  identity: Identity = tenant.caller,
  options: { headers?: Record<string, string>; replica?: number } = {},
) => tenancy.call(identity, method, `/api/v1${path}`, body, options);
const newSpace = async (name: string, more: object = {}) =>
  (await call('POST', '/spaces', { name, ...more })).body as Record<string, string>;
const newMemory = async () =>
  (await call('POST', '/memories', { display_name: 'Other' })).body as Record<string, string>;

describe('POST /spaces', () => {
  it('responds 201 with a space that has a vault of its own in the default memory', async () => {
    const response = await call('POST', '/spaces', { name: 'Übersee Projekt', description: 'ships' });
    expect(response.status).toBe(201);
    expect(createSpace.response.schema.safeParse(response.body).success).toBe(true);
    expect(response.body).toMatchObject({
      name: 'Übersee Projekt',
      slug: 'ubersee-projekt',
      memory_id: tenant.live.primaryMemoryId,
      member_count: 0,
      mcp_url: `https://cairn.example/api/v1/spaces/${response.body['space_id']}/mcp`,
    });
    expect(response.body['vault_id']).toMatch(/^vlt_/);
  });

  it('gives each memory its own slugs, and refuses one that is taken with 409', async () => {
    const memory_id = (await newMemory())['memory_id'];
    expect((await newSpace('Same'))['slug']).toBe('same');
    expect((await newSpace('Same'))['slug']).toBe('same-2');
    expect((await newSpace('Same', { memory_id }))['slug']).toBe('same');
    expect(await call('POST', '/spaces', { name: 'x', slug: 'same' })).toMatchObject({ status: 409 });
  });

  it('is 404 in a memory of another tenant, and 402 with a whole upgrade when the plan is full', async () => {
    const other = await tenancy.makeTenant();
    const foreign = { name: 'x', memory_id: other.live.primaryMemoryId };
    expect(await call('POST', '/spaces', foreign)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    const small = await tenancy.makeTenant('free');
    const made = await Promise.all(
      Array.from({ length: 14 }, (_, index) =>
        call('POST', '/spaces', { name: `s${index}` }, small.caller, { replica: index % 2 }),
      ),
    );
    expect(made.filter((response) => response.status === 201)).toHaveLength(10);
    const refused = made.filter((response) => response.status === 402);
    expect(refused).toHaveLength(4);
    expect(refused[0]!.body).toMatchObject({
      code: 'plan_limit_reached',
      upgrade: { resource: 'spaces', limit: 10, current: 10, plan: 'free', suggested_plan: 'team', upgrade_url: null },
    });
  });

  it('is done once for 20 parallel requests with one Idempotency-Key over two replicas', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        call('POST', '/spaces', { name: 'Once' }, tenant.caller, { headers, replica: index % 2 }),
      ),
    );
    const made = responses.filter((response) => response.status === 201);
    expect(made.length).toBeGreaterThan(0);
    expect(new Set(made.map((response) => response.body['space_id'])).size).toBe(1);
    const others = responses.filter((response) => response.status !== 201);
    expect(others.every((response) => response.body.code === 'idempotency_in_flight')).toBe(true);
  });
});

describe('GET /spaces', () => {
  it('lists the spaces of the tenant or of one memory, pages, and shows none of others', async () => {
    const fresh = await tenancy.makeTenant();
    const memory = (await call('POST', '/memories', { display_name: 'm' }, fresh.caller)).body;
    for (const name of ['a', 'b', 'c']) await call('POST', '/spaces', { name }, fresh.caller);
    await call('POST', '/spaces', { name: 'd', memory_id: memory['memory_id'] }, fresh.caller);
    const names = async (query: string, identity = fresh.caller) => {
      const { body } = await call('GET', `/spaces${query}`, undefined, identity);
      return (body['spaces'] as { name: string }[]).map((space) => space.name);
    };
    expect(await names('')).toEqual(['a', 'b', 'c', 'd']);
    expect(await names(`?memory_id=${memory['memory_id']}`)).toEqual(['d']);
    const first = await call('GET', '/spaces?limit=3', undefined, fresh.caller);
    expect(await names(`?limit=3&cursor=${first.body['next_cursor']}`)).toEqual(['d']);
    expect(await names('', fresh.testCaller)).toEqual([]);
  });

  it('shows a memory key what it is bound to: its memory’s spaces, or its one space', async () => {
    const memory_id = (await newMemory())['memory_id']!;
    const [one, two] = [await newSpace('one', { memory_id }), await newSpace('two', { memory_id })];
    const elsewhere = await newSpace('elsewhere');
    const bound: Identity = {
      ...tenant.caller,
      kind: 'memory',
      scopes: MEMORY_KEY_DEFAULT_SCOPES,
      memoryId: memory_id,
    };
    const seen = async (identity: Identity) =>
      ((await call('GET', '/spaces', undefined, identity)).body['spaces'] as { space_id: string }[]).map(
        (space) => space.space_id,
      );
    expect(await seen(bound)).toEqual([one['space_id'], two['space_id']]);
    expect(await seen({ ...bound, spaceId: two['space_id']! })).toEqual([two['space_id']]);
    const read = (id: string, identity: Identity) => call('GET', `/spaces/${id}`, undefined, identity);
    expect((await read(one['space_id']!, bound)).status).toBe(200);
    expect(await read(elsewhere['space_id']!, bound)).toMatchObject({ body: { code: 'memory_not_permitted' } });
    expect(await read(one['space_id']!, { ...bound, spaceId: two['space_id']! })).toMatchObject({ status: 403 });
    expect(await call('POST', '/spaces', { name: 'x' }, bound)).toMatchObject({ status: 403 });
  });
});

describe('members of a space', () => {
  it('are counted exactly while many change them at once, listed by name and paged', async () => {
    const { space_id } = await newSpace('Crowd');
    const put = (user: string, role = 'reader', replica = 0) =>
      call('PUT', `/spaces/${space_id}/members/${encodeURIComponent(user)}`, { role }, tenant.caller, { replica });
    await Promise.all(Array.from({ length: 24 }, (_, index) => put(`user-${index % 12}`, 'reader', index % 2)));
    await put('anna@example.com', 'writer');
    const gone = await Promise.all(
      Array.from({ length: 6 }, () => call('DELETE', `/spaces/${space_id}/members/user-3`)),
    );
    expect(gone.map((response) => response.status).sort()).toEqual([200, 404, 404, 404, 404, 404]);
    expect((await call('GET', `/spaces/${space_id}`)).body).toMatchObject({ member_count: 12 });
    const page = await call('GET', `/spaces/${space_id}/members?limit=2`);
    expect(page.body).toMatchObject({
      members: [
        { user: 'anna@example.com', role: 'writer' },
        { user: 'user-0', role: 'reader' },
      ],
      next_cursor: expect.any(String),
    });
    const next = await call('GET', `/spaces/${space_id}/members?limit=1&cursor=${page.body['next_cursor']}`);
    expect(next.body).toMatchObject({ members: [{ user: 'user-1' }] });
  });

  it('are refused with an unknown role, and not found in a space of another tenant', async () => {
    const { space_id } = await newSpace('Roles');
    const path = `/spaces/${space_id}/members/bob`;
    expect((await call('PUT', path, { role: 'owner' })).status).toBe(422);
    const other = await tenancy.makeTenant();
    expect((await call('PUT', path, { role: 'reader' }, other.caller)).status).toBe(404);
    expect((await call('GET', `/spaces/${space_id}/members`, undefined, other.caller)).status).toBe(404);
  });
});

describe('PATCH and DELETE /spaces/{space_id}', () => {
  it('change what is named; what is deleted is gone at once, its vault and keys closed first', async () => {
    const before = await newSpace('Short-lived', { description: 'd' });
    const path = `/spaces/${before['space_id']}`;
    const after = await call('PATCH', path, { name: 'Renamed' });
    expect(after.body).toEqual({ ...before, name: 'Renamed', updated_at: after.body['updated_at'] });
    const recorded = tenancy.calls.length;
    expect(await call('DELETE', path)).toMatchObject({
      status: 202,
      body: { space_id: before['space_id'], deleted: true },
    });
    expect(tenancy.calls.slice(recorded).map((entry) => entry.method)).toEqual(
      expect.arrayContaining(['eraseKeys', 'closeScope']),
    );
    for (const method of ['GET', 'DELETE']) expect((await call(method, path)).status).toBe(404);
    expect((await call('PATCH', path, { name: 'x' })).status).toBe(404);
    expect((await call('PATCH', `/spaces/${newId('space')}`, { name: 'x' })).status).toBe(404);
  });
});
