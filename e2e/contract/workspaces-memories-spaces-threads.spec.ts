import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { eventually, type SharedCairn } from '@cairn/testing';
import { ingest } from '../tests/api.ts';
import { type Call, callsOf, contract, expectFields, expectRefusal, newTenant, proves } from './contract.ts';

let cairn: SharedCairn;
let call: Call;
beforeAll(async () => {
  ({ cairn, call } = await contract());
}, 120_000);
afterAll(() => cairn.remove());

const made = async (path: string, body: object) => (await call('POST', path, body)).body;
const search = (body: object) => call('POST', '/memory/search', body);

describe('workspaces', () => {
  proves(
    ['POST /workspaces', 'Workspace.*', 'Workspace.provisions', 'D0.statuses', 'D0.optional fields'],
    'name is required; the answer is {workspace} with every field, and its primary shared memory is there',
    async () => {
      const answer = await call('POST', '/workspaces', { name: 'Ops', description: 'd', slug: 'ops-2' });
      expect(answer.status).toBe(201);
      expect(Object.keys(answer.body)).toEqual(['workspace']);
      const { workspace } = answer.body;
      expectFields('Workspace', workspace);
      expect(workspace).toMatchObject({ tenant_id: cairn.tenantId, name: 'Ops', description: 'd', slug: 'ops-2' });
      expect(workspace.is_default).toBe(false);
      const memory = (await call('GET', `/memories/${workspace.primary_memory_id}`)).body;
      expect(memory).toMatchObject({ type: 'shared', status: 'active', workspace_id: workspace.workspace_id });
      expectRefusal(await call('POST', '/workspaces', {}), 422, 'validation_failed', 'name');
    },
  );

  proves(
    ['D3.change and delete', 'D3.delete leaves nothing'],
    'a workspace is listed, read, changed and deleted with its memories; the default one stays',
    async () => {
      const { workspace } = await made('/workspaces', { name: 'Leaving' });
      const path = `/workspaces/${workspace.workspace_id}`;
      expect((await call('GET', '/workspaces')).body.workspaces).toContainEqual(workspace);
      expect((await call('GET', path)).body).toEqual({ workspace });
      const changed = (await call('PATCH', path, { name: 'Renamed' })).body.workspace;
      expect(changed).toMatchObject({ workspace_id: workspace.workspace_id, name: 'Renamed', slug: workspace.slug });
      expect(Date.parse(changed.updated_at)).toBeGreaterThan(Date.parse(workspace.updated_at));
      expect((await call('DELETE', path)).status).toBe(202);
      expectRefusal(await call('GET', path), 404, 'not_found');
      expectRefusal(await search({ query: 'x', memory_id: workspace.primary_memory_id }), 404, 'not_found');
    },
  );
});

describe('memories', () => {
  proves(
    ['POST /memories', 'Memory.*', 'Memory.shared', 'D3.workspace_id', 'D3.memory_serial', 'D3.subdomain'],
    'display_name is required, type is shared or dedicated; a shared memory is active in the answer',
    async () => {
      const home = (await call('GET', '/workspaces')).body.workspaces.find(
        (each: { is_default: boolean }) => each.is_default,
      );
      const answer = await call('POST', '/memories', { display_name: 'Second' });
      expect(answer.status).toBe(201);
      expectFields('Memory', answer.body);
      expect(answer.body).toMatchObject({
        display_name: 'Second',
        type: 'shared',
        status: 'active',
        status_reason: null,
      });
      expect(answer.body.workspace_id).toBe(home.workspace_id);
      expectRefusal(await call('POST', '/memories', {}), 422, 'validation_failed', 'display_name');
      expectRefusal(
        await call('POST', '/memories', { display_name: 'x', type: 'own' }),
        422,
        'validation_failed',
        'type',
      );
      const { memories } = (await call('GET', '/memories')).body;
      const serials = memories.map((memory: { memory_serial: number }) => memory.memory_serial);
      const next = await made('/memories', { display_name: 'Second', type: 'shared' });
      expect(next.memory_serial).toBe(Math.max(...serials) + 1);
      expect(next.subdomain).not.toBe(answer.body.subdomain);
      expect(next.subdomain).toMatch(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/);
    },
  );

  proves(
    ['GET /memories'],
    'covers every memory of the tenant across workspaces, and those of one with workspace_id',
    async () => {
      const { workspace } = await made('/workspaces', { name: 'Elsewhere' });
      const there = await made('/memories', { display_name: 'There', workspace_id: workspace.workspace_id });
      const { memories } = (await call('GET', '/memories')).body;
      expect(new Set(memories.map((each: { workspace_id: string }) => each.workspace_id)).size).toBeGreaterThan(1);
      expect(memories).toContainEqual(there);
      const some = (await call('GET', `/memories?workspace_id=${workspace.workspace_id}`)).body.memories;
      expect(some.map((each: { memory_id: string }) => each.memory_id)).toEqual([
        workspace.primary_memory_id,
        there.memory_id,
      ]);
      await call('DELETE', `/workspaces/${workspace.workspace_id}`);
    },
  );

  proves(
    ['D3.status', 'D3.change and delete', 'D3.delete leaves nothing'],
    'a suspended memory refuses every call and keeps its data; a deleted one is gone when the answer comes',
    async () => {
      const { memory_id } = await made('/memories', { display_name: 'Sleeper' });
      await ingest(cairn.baseUrl, cairn.apiKey, [{ content: 'The otter sleeps on its back.' }], { memory_id });
      const found = () => search({ query: 'otter', memory_id });
      const path = `/memories/${memory_id}`;
      expect((await call('PATCH', path, { status: 'suspended' })).body.status).toBe('suspended');
      expectRefusal(await found(), 409, 'conflict');
      expect((await call('PATCH', path, { status: 'active', display_name: 'Awake' })).body.display_name).toBe('Awake');
      expect((await found()).body.results).toHaveLength(1);
      expect((await call('DELETE', path)).status).toBe(202);
      expectRefusal(await found(), 404, 'not_found');
      await eventually(async () => (await call('GET', path)).status === 404);
    },
  );

  proves(
    ['D3.which memory'],
    'on the base address the memory is the one of the body or the query, else the primary one of the default workspace',
    async () => {
      const { memory_id } = await made('/memories', { display_name: 'Named' });
      await ingest(cairn.baseUrl, cairn.apiKey, [{ content: 'The lynx crossed the ridge.' }], { memory_id });
      expect((await search({ query: 'lynx', memory_id })).body.results).toHaveLength(1);
      expect((await search({ query: 'lynx' })).body.results).toEqual([]);
      expect((await call('GET', `/memory/documents?memory_id=${memory_id}`)).body.documents).toHaveLength(1);
    },
  );
});

describe('spaces', () => {
  proves(
    ['POST /spaces', 'GET /spaces/{space_id}', 'Space.*', 'Space.own', 'D3.spaces'],
    'name is required; the answer has every field, and reading the space answers the same',
    async () => {
      const answer = await call('POST', '/spaces', { name: 'Team A', description: 'what team A does' });
      expect(answer.status).toBe(201);
      expectFields('Space', answer.body);
      const { space_id } = answer.body;
      expect(answer.body).toMatchObject({
        name: 'Team A',
        description: 'what team A does',
        slug: 'team-a',
        member_count: 0,
        mcp_url: `${cairn.baseUrl}/api/v1/spaces/${space_id}/mcp`,
      });
      expect((await call('GET', `/spaces/${space_id}`)).body).toEqual(answer.body);
      expectRefusal(await call('GET', '/spaces/spc_222222222222222222222'), 404, 'not_found');
      expectRefusal(await call('POST', '/spaces', {}), 422, 'validation_failed', 'name');
      expect((await made('/spaces', { name: 'Team B' })).vault_id).not.toBe(answer.body.vault_id);
    },
  );

  proves(['D3.spaces'], 'members are put, listed and removed, and member_count counts them', async () => {
    const { space_id } = await made('/spaces', { name: 'Members' });
    const path = `/spaces/${space_id}/members`;
    expect((await call('PUT', `${path}/ada`, { role: 'writer' })).body).toMatchObject({ user: 'ada', role: 'writer' });
    expect((await call('PUT', `${path}/bob`, { role: 'reader' })).body).toMatchObject({ user: 'bob', role: 'reader' });
    expectRefusal(await call('PUT', `${path}/bob`, { role: 'owner' }), 422, 'validation_failed', 'role');
    const listed = (await call('GET', path)).body.members;
    expect(listed.map(({ user, role }: Record<string, string>) => [user, role])).toEqual([
      ['ada', 'writer'],
      ['bob', 'reader'],
    ]);
    const counted = async () => (await call('GET', `/spaces/${space_id}`)).body.member_count;
    expect(await counted()).toBe(2);
    expect((await call('DELETE', `${path}/ada`)).body).toEqual({ space_id, user: 'ada', deleted: true });
    expect(await counted()).toBe(1);
  });

  proves(
    ['D3.change and delete', 'D3.delete leaves nothing'],
    'what lies in a deleted space is found by nobody from the answer on',
    async () => {
      const space = await made('/spaces', { name: 'Leaving' });
      const path = `/spaces/${space.space_id}`;
      expect((await call('PATCH', path, { name: 'Left' })).body.name).toBe('Left');
      await ingest(cairn.baseUrl, cairn.apiKey, [{ content: 'The pelican nests here.', space_id: space.space_id }]);
      expect((await search({ query: 'pelican' })).body.results[0].vault_id).toBe(space.vault_id);
      expect((await call('DELETE', path)).status).toBe(202);
      expect((await search({ query: 'pelican' })).body.results).toEqual([]);
      expectRefusal(await search({ query: 'pelican', space_id: space.space_id }), 404, 'not_found');
      expectRefusal(await call('GET', path), 404, 'not_found');
    },
  );
});

describe('threads', () => {
  proves(
    ['POST /threads', 'GET /threads', 'Thread.*', 'D3.threads'],
    'title is optional; the answer has every field; a thread lies in its space, else in the memory’s root',
    async () => {
      const space = await made('/spaces', { name: 'Talk' });
      const answer = await call('POST', '/threads', { title: 'Kick-off', space_id: space.space_id });
      expect(answer.status).toBe(201);
      expectFields('Thread', answer.body);
      expect(answer.body).toMatchObject({
        title: 'Kick-off',
        space_id: space.space_id,
        vault_id: space.vault_id,
        turn_count: 0,
      });
      const bare = await made('/threads', {});
      expectFields('Thread', bare);
      expect([bare.space_id, bare.vault_id === space.vault_id]).toEqual([null, false]);
      const listed = await call('GET', '/threads');
      expect(Object.keys(listed.body)).toEqual(['threads']);
      expect(listed.body.threads).toContainEqual(answer.body);
      expect(listed.body.threads).toContainEqual(bare);
    },
  );

  proves(
    ['D3.turns', 'D3.change and delete'],
    'turns are listed oldest first and counted exactly; a search that names the thread adds question and answer',
    async () => {
      const thread = await made('/threads', { title: 'Turns' });
      const path = `/threads/${thread.thread_id}`;
      await Promise.all(
        Array.from({ length: 9 }, (_, n) => call('POST', `${path}/turns`, { role: 'user', content: `turn ${n}` })),
      );
      const last = await call('POST', `${path}/turns`, { role: 'assistant', content: 'last' });
      expect(last.status).toBe(201);
      expect((await call('GET', path)).body.turn_count).toBe(10);
      const { turns } = (await call('GET', `${path}/turns`)).body;
      expect(turns).toHaveLength(10);
      expect(turns.at(-1)).toMatchObject({ role: 'assistant', content: 'last', thread_id: thread.thread_id });
      expect(turns.at(-1).turn_id).toMatch(/^turn_/);
      const answer = await search({ query: 'Is anything here?', thread_id: thread.thread_id });
      const after = (await call('GET', `${path}/turns`)).body.turns.slice(10);
      expect(after.map(({ role, content }: Record<string, string>) => [role, content])).toEqual([
        ['user', 'Is anything here?'],
        ['assistant', answer.body.answer],
      ]);
      expect((await call('GET', path)).body.turn_count).toBe(12);
      expect((await call('PATCH', path, { title: 'Renamed' })).body.title).toBe('Renamed');
      expect((await call('DELETE', path)).body).toEqual({ thread_id: thread.thread_id, deleted: true });
      expectRefusal(await call('GET', path), 404, 'not_found');
    },
  );

  proves(['D3.turns'], 'a search uses the earlier turns of its thread to understand the question', async () => {
    const { memory_id } = await made('/memories', { display_name: 'Follow-up' });
    const documents = [
      { title: 'Mill', content: 'The paper mill of Lindau was built in 1873 by Jakob Senn.' },
      { title: 'Bridge', content: 'The bridge of Lindau was built in 1901 by Ida Kern.' },
    ];
    await ingest(cairn.baseUrl, cairn.apiKey, documents, { memory_id });
    const { thread_id } = await made('/threads', { memory_id });
    await search({ query: 'Who built the paper mill of Lindau?', thread_id, memory_id });
    const next = await search({ query: 'And when was it built?', thread_id, memory_id });
    expect(next.body.answer).toContain('1873');
  });

  proves(
    ['Thread.handle', 'D3.threads'],
    'the thread_id of a run is its handle and no thread of GET /threads',
    async () => {
      const run = await made('/search/agent/web-and-research', { prompt: 'What is in my documents?' });
      expect(run.thread_id).toMatch(/^thr_/);
      const listed = (await call('GET', '/threads')).body.threads.map((each: { thread_id: string }) => each.thread_id);
      expect(listed).not.toContain(run.thread_id);
      expectRefusal(await call('GET', `/threads/${run.thread_id}`), 404, 'not_found');
      const status = await call('GET', `/search/workflow/status/${run.thread_id}`);
      expect(status.body.thread_id).toBe(run.thread_id);
      await call('POST', `/search/workflow/stop/${run.thread_id}`);
    },
  );
});

describe('provider keys', () => {
  proves(['D3.provider keys'], 'a provider key is stored, read without the key and deleted', async () => {
    const path = '/provider-keys/openai';
    const put = await call('PUT', path, { api_key: 'sk-very-secret', base_url: 'https://models.example/v1' });
    expect(put.body).toMatchObject({ provider: 'openai', base_url: 'https://models.example/v1' });
    const shown = [put, await call('GET', path), await call('GET', '/provider-keys')];
    expect(shown.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(JSON.stringify(shown.map(({ body }) => body))).not.toContain('sk-very-secret');
    for (const base_url of ['http://models.example', 'https://a:b@models.example', 'https://models.example/?x=1'])
      expectRefusal(await call('PUT', path, { api_key: 'x', base_url }), 422, 'validation_failed', 'base_url');
    expect((await call('DELETE', path)).status).toBe(200);
    expectRefusal(await call('GET', path), 404, 'not_found');
  });

  proves(['GET /usage/llm own tenant', 'auth.6'], 'nothing of one tenant is in the lists of another', async () => {
    const stranger = callsOf({ baseUrl: cairn.baseUrl, apiKey: (await newTenant(cairn)).api_key });
    const space = await made('/spaces', { name: 'Ours alone' });
    for (const path of ['/workspaces', '/memories', '/spaces', '/threads', '/webhooks', '/api-keys', '/search/lists'])
      expect(JSON.stringify((await stranger('GET', path)).body)).not.toMatch(/Ours alone|Talk|Elsewhere/);
    const usage = await stranger('GET', `/usage/llm?dimension=space&id=${space.space_id}`);
    expect([usage.body.totals.calls, usage.body.series]).toEqual([0, []]);
  });
});
