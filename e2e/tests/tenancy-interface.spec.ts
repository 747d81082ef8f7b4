import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { initialMemorySettings } from '@cairn/contracts';
import { type SharedCairn, sharedCairn } from '@cairn/testing';
import { ingest } from './api.ts';
import { conformanceCheckedApi, type ConformanceCheckedCall } from './conformance-checks.ts';

let cairn: SharedCairn;
let call: ConformanceCheckedCall;
beforeAll(async () => {
  cairn = await sharedCairn();
  call = await conformanceCheckedApi(cairn);
}, 90_000);
afterAll(() => cairn.remove());

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const make = async (path: string, body: object) => (await call('POST', `/api/v1${path}`, body)).body;

describe('POST /api/v1/workspaces', () => {
  it('JSON: name (string, required) → {workspace: Workspace} with every field of the table', async () => {
    const answer = await call('POST', '/api/v1/workspaces', { name: 'Ops', description: 'd', slug: 'ops' });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      workspace: {
        workspace_id: expect.stringMatching(/^ws_/),
        tenant_id: cairn.tenantId,
        name: 'Ops',
        description: 'd',
        slug: 'ops',
        is_default: false,
        primary_memory_id: expect.stringMatching(/^mem_/),
        created_at: expect.stringMatching(ISO),
        updated_at: expect.stringMatching(ISO),
      },
    });
    const memory = await call('GET', `/api/v1/memories/${answer.body.workspace.primary_memory_id}`);
    expect(memory.body).toMatchObject({
      type: 'shared',
      status: 'active',
      workspace_id: answer.body.workspace.workspace_id,
    });
  });

  it('refuses a missing name, an unknown field and a tenant_id with 422, naming them', async () => {
    for (const [body, path] of [
      [{}, 'name'],
      [{ name: 'x', nmae: 'y' }, 'nmae'],
      [{ name: 'x', tenant_id: cairn.tenantId }, 'tenant_id'],
    ] as const) {
      const answer = await call('POST', '/api/v1/workspaces', body);
      expect(answer).toMatchObject({ status: 422, body: { code: 'validation_failed', errors: [{ path }] } });
    }
  });

  it('is subject to the workspaces limit of the plan: 402 with a complete upgrade, which credits do not lift', async () => {
    await call('POST', '/api/v1/workspaces', { name: 'Third' });
    const answer = await call('POST', '/api/v1/workspaces', { name: 'Fourth' });
    expect(answer.status).toBe(402);
    expect(answer.body).toMatchObject({
      code: 'plan_limit_reached',
      upgrade: {
        resource: 'workspaces',
        limit: 3,
        current: 3,
        plan: 'team',
        suggested_plan: 'business',
        upgrade_url: null,
        note: expect.stringContaining('Credits'),
      },
    });
  });
});

describe('GET, PATCH, DELETE /api/v1/workspaces[/{workspace_id}] (+)', () => {
  it('list, read, change and delete', async () => {
    const { workspaces } = (await call('GET', '/api/v1/workspaces')).body;
    expect(workspaces).toHaveLength(3);
    const third = workspaces.find((workspace: { name: string }) => workspace.name === 'Third');
    const path = `/api/v1/workspaces/${third.workspace_id}`;
    expect((await call('GET', path)).body).toEqual({ workspace: third });
    expect((await call('PATCH', path, { name: 'Renamed' })).body.workspace.name).toBe('Renamed');
    expect((await call('DELETE', path)).status).toBe(202);
    expect((await call('GET', path)).status).toBe(404);
    expect((await call('POST', '/api/v1/workspaces', { name: 'Room again' })).status).toBe(201);
  });
});

describe('POST /api/v1/memories', () => {
  it('JSON: display_name (string, required); type (shared or dedicated) → Memory with every field of the table', async () => {
    const answer = await call('POST', '/api/v1/memories', { display_name: 'Second' });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      memory_id: expect.stringMatching(/^mem_/),
      workspace_id: expect.stringMatching(/^ws_/),
      display_name: 'Second',
      type: 'shared',
      status: 'active',
      status_reason: null,
      memory_serial: expect.any(Number),
      subdomain: expect.stringMatching(/^second-[a-z0-9]{8}$/),
      ...initialMemorySettings(),
      created_at: expect.stringMatching(ISO),
    });
    expect((await call('POST', '/api/v1/memories', {})).status).toBe(422);
    expect((await call('POST', '/api/v1/memories', { display_name: 'x', type: 'own' })).status).toBe(422);
  });

  it('numbers the memories of a tenant 1, 2, 3 …', async () => {
    const { memories } = (await call('GET', '/api/v1/memories')).body;
    const serials = memories.map((memory: { memory_serial: number }) => memory.memory_serial);
    expect(Math.min(...serials)).toBe(1);
    expect(new Set(serials).size).toBe(serials.length);
    expect((await make('/memories', { display_name: 'Next' })).memory_serial).toBe(Math.max(...serials) + 1);
  });
});

describe('GET /api/v1/memories', () => {
  it('query: workspace_id (optional) → {memories: Memory[]} covering every memory across workspaces', async () => {
    const { workspace } = (await call('POST', '/api/v1/workspaces', { name: 'Elsewhere' })).body ?? {};
    const all = (await call('GET', '/api/v1/memories')).body.memories as { workspace_id: string; memory_id: string }[];
    expect(new Set(all.map((memory) => memory.workspace_id)).size).toBeGreaterThan(1);
    const home = workspace?.workspace_id ?? all[0]!.workspace_id;
    const some = (await call('GET', `/api/v1/memories?workspace_id=${home}`)).body.memories;
    expect(some).toEqual(all.filter((memory) => memory.workspace_id === home));
    const page = (await call('GET', '/api/v1/memories?limit=1')).body;
    expect(page).toMatchObject({ memories: [all[0]], next_cursor: all[0]!.memory_id });
    expect((await call('GET', '/api/v1/memories?tenant_id=x')).status).toBe(422);
  });
});

describe('PATCH and DELETE /api/v1/memories/{memory_id} (+)', () => {
  it('suspend: every call about the memory is refused at once and its data stays; active again: all is there', async () => {
    const memory_id = (await make('/memories', { display_name: 'Sleeper' })).memory_id;
    const search = () => call('POST', '/api/v1/memory/search', { query: 'otter', memory_id });
    await call('POST', '/api/v1/memory/documents', { content: 'The otter sleeps on its back.', memory_id });
    await until(async () => (await search()).body.results.length > 0);
    await call('PATCH', `/api/v1/memories/${memory_id}`, { status: 'suspended' });
    expect(await search()).toMatchObject({ status: 409, body: { code: 'conflict' } });
    await call('PATCH', `/api/v1/memories/${memory_id}`, { status: 'active' });
    expect((await search()).body.results).toHaveLength(1);
  });

  it('delete: gone for every call when it answers', async () => {
    const memory_id = (await make('/memories', { display_name: 'Leaver' })).memory_id;
    const search = () => call('POST', '/api/v1/memory/search', { query: 'heron', memory_id });
    await call('POST', '/api/v1/memory/documents', { content: 'The heron leaves in autumn.', memory_id });
    await until(async () => (await search()).body.results.length > 0);
    expect((await call('DELETE', `/api/v1/memories/${memory_id}`)).status).toBe(202);
    expect(await search()).toMatchObject({ status: 404, body: { code: 'not_found' } });
    await until(async () => (await call('GET', `/api/v1/memories/${memory_id}`)).status === 404);
  });
});

describe('POST /api/v1/spaces', () => {
  it('JSON: name (string, required) → Space with every field of the table', async () => {
    const answer = await call('POST', '/api/v1/spaces', { name: 'Team A', description: 'what team A does' });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      space_id: expect.stringMatching(/^spc_/),
      name: 'Team A',
      slug: 'team-a',
      description: 'what team A does',
      vault_id: expect.stringMatching(/^vlt_/),
      memory_id: expect.stringMatching(/^mem_/),
      member_count: 0,
      mcp_url: `${cairn.baseUrl}/api/v1/spaces/${answer.body.space_id}/mcp`,
      created_at: expect.stringMatching(ISO),
      updated_at: expect.stringMatching(ISO),
    });
    expect((await call('POST', '/api/v1/spaces', {})).status).toBe(422);
  });
});

describe('GET /api/v1/spaces/{space_id}', () => {
  it('path space_id → Space; 404 for one that is not there', async () => {
    const space = await make('/spaces', { name: 'Read me' });
    expect((await call('GET', `/api/v1/spaces/${space.space_id}`)).body).toEqual(space);
    for (const id of ['spc_1', 'x']) expect((await call('GET', `/api/v1/spaces/${id}`)).status).toBe(404);
    expect((await call('GET', '/api/v1/spaces')).body.spaces).toContainEqual(space);
  });

  it('members (+): put, list, delete; member_count counts them', async () => {
    const { space_id } = await make('/spaces', { name: 'Members' });
    const path = `/api/v1/spaces/${space_id}/members`;
    expect((await call('PUT', `${path}/ada`, { role: 'writer' })).body).toMatchObject({ user: 'ada', role: 'writer' });
    expect((await call('GET', path)).body.members).toHaveLength(1);
    expect((await call('GET', `/api/v1/spaces/${space_id}`)).body.member_count).toBe(1);
    expect((await call('DELETE', `${path}/ada`)).body).toEqual({ space_id, user: 'ada', deleted: true });
    expect((await call('GET', `/api/v1/spaces/${space_id}`)).body.member_count).toBe(0);
  });

  it('change and delete (+): what lies in a deleted space is found by nobody', async () => {
    const space = await make('/spaces', { name: 'Leaving' });
    const path = `/api/v1/spaces/${space.space_id}`;
    expect((await call('PATCH', path, { name: 'Left' })).body.name).toBe('Left');
    await ingest(cairn.baseUrl, cairn.apiKey, [{ content: 'The pelican nests here.', space_id: space.space_id }]);
    const search = (body: object) => call('POST', '/api/v1/memory/search', { query: 'pelican', ...body });
    expect((await search({ space_id: space.space_id })).body.results[0].vault_id).toBe(space.vault_id);
    expect((await search({})).body.results).toHaveLength(1);
    expect((await call('DELETE', path)).status).toBe(202);
    expect((await search({})).body.results).toEqual([]);
    expect((await search({ space_id: space.space_id })).status).toBe(404);
  });
});

describe('POST /api/v1/threads', () => {
  it('JSON: title (string) → Thread with every field of the table', async () => {
    const space = await make('/spaces', { name: 'Talk' });
    const answer = await call('POST', '/api/v1/threads', { title: 'Kick-off', space_id: space.space_id, user: 'ada' });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      thread_id: expect.stringMatching(/^thr_/),
      title: 'Kick-off',
      memory_id: space.memory_id,
      space_id: space.space_id,
      vault_id: space.vault_id,
      user: 'ada',
      turn_count: 0,
      created_at: expect.stringMatching(ISO),
      updated_at: expect.stringMatching(ISO),
    });
    expect((await make('/threads', {})).space_id).toBeNull();
  });
});

describe('GET /api/v1/threads', () => {
  it('→ {threads: Thread[]}; read, turns oldest first, exact turn_count, change and delete (+)', async () => {
    const thread = await make('/threads', { title: 'Turns' });
    const path = `/api/v1/threads/${thread.thread_id}`;
    expect((await call('GET', '/api/v1/threads')).body.threads).toContainEqual(thread);
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        call('POST', `${path}/turns`, { role: 'user', content: `turn ${index}` }),
      ),
    );
    await call('POST', `${path}/turns`, { role: 'assistant', content: 'last' });
    expect((await call('GET', path)).body.turn_count).toBe(21);
    const { turns } = (await call('GET', `${path}/turns`)).body;
    expect(turns).toHaveLength(21);
    expect(turns.at(-1)).toMatchObject({ role: 'assistant', content: 'last', thread_id: thread.thread_id });
    expect((await call('PATCH', path, { title: 'Renamed' })).body.title).toBe('Renamed');
    expect((await call('DELETE', path)).body).toEqual({ thread_id: thread.thread_id, deleted: true });
    expect((await call('GET', path)).status).toBe(404);
  });
});

describe('PUT, GET, DELETE /api/v1/provider-keys/{provider} (+)', () => {
  it('stores a key that no answer shows again', async () => {
    const path = '/api/v1/provider-keys/openai';
    const put = await call('PUT', path, { api_key: 'sk-very-secret' });
    const answers = [put, await call('GET', path), await call('GET', '/api/v1/provider-keys')];
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
    expect(JSON.stringify(answers.map((answer) => answer.body))).not.toContain('sk-very-secret');
    expect((await call('DELETE', path)).status).toBe(200);
  });
});

describe('Idempotency-Key', () => {
  it.each([
    ['/workspaces', { name: 'Idem' }],
    ['/memories', { display_name: 'Idem' }],
    ['/spaces', { name: 'Idem' }],
    ['/threads', { title: 'Idem' }],
  ])('on POST %s gives the stored answer again, and refuses another body', async (path, body) => {
    if (path === '/workspaces') await makeRoomForWorkspace();
    const headers = { 'idempotency-key': randomUUID() };
    const first = await call('POST', `/api/v1${path}`, body, { headers });
    const again = await call('POST', `/api/v1${path}`, body, { headers });
    expect([first.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 201, 'true']);
    expect(again.body).toEqual(first.body);
    const other = await call(
      'POST',
      `/api/v1${path}`,
      {
        ...body,
        ...(path === '/threads' ? { title: 'x' } : path === '/memories' ? { display_name: 'x' } : { name: 'x' }),
      },
      { headers },
    );
    expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_mismatch' } });
  });
});

async function makeRoomForWorkspace(): Promise<void> {
  const { workspaces } = (await call('GET', '/api/v1/workspaces')).body;
  const spare = workspaces.filter((workspace: { is_default: boolean }) => !workspace.is_default);
  if (workspaces.length === 3) await call('DELETE', `/api/v1/workspaces/${spare[0].workspace_id}`);
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('not in time');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
