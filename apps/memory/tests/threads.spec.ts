import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { newId } from '@cairn/contracts';
import { bootMemory, type BootedMemory, type Caller } from './memory-harness.ts';

let memory: BootedMemory;
let other: { url: string; close(): Promise<void> };
beforeAll(async () => {
  memory = await bootMemory();
  other = await memory.replica();
});
afterAll(async () => {
  await other.close();
  await memory.close();
});

const call = (caller: Caller, method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  memory.call(caller, method, `/api/v1${path}`, body, headers);
const newThread = async (caller: Caller, body: object = {}) => (await call(caller, 'POST', '/threads', body)).body;
const bound = (caller: Caller, spaceId: string | null = null): Caller => ({
  ...caller,
  identity: { ...caller.identity, kind: 'memory', memoryId: caller.memoryId, spaceId },
});

describe('a thread', () => {
  it('lies in the root vault, or in the vault of its space', async () => {
    const caller = memory.newCaller();
    const space = memory.newSpace(caller);
    expect(await newThread(caller)).toMatchObject({
      title: '',
      space_id: null,
      vault_id: caller.vaultId,
      turn_count: 0,
    });
    expect(await newThread(caller, { title: ' Kick-off ', space_id: space.spaceId, user: 'ada' })).toMatchObject({
      title: 'Kick-off',
      space_id: space.spaceId,
      vault_id: space.vaultId,
      memory_id: caller.memoryId,
      user: 'ada',
    });
  });

  it('is masked by the policy as it is when a text is stored, also right after a change', async () => {
    const caller = memory.newCaller();
    const text = 'Write to ada@example.org.';
    const { thread_id, title } = await newThread(caller, { title: text });
    expect(title).toBe(text);
    caller.settings.dlp_policy = 'pii';
    const masked = 'Write to [[EMAIL_1]].';
    expect((await newThread(caller, { title: text })).title).toBe(masked);
    expect((await call(caller, 'PATCH', `/threads/${thread_id}`, { title: text })).body.title).toBe(masked);
    const turn = await call(caller, 'POST', `/threads/${thread_id}/turns`, { role: 'user', content: text });
    expect(turn.body.content).toBe(masked);
    await call(caller, 'POST', '/memory/search', { query: text, thread_id });
    const { turns } = (await call(caller, 'GET', `/threads/${thread_id}/turns`)).body;
    expect(turns.map(({ content }: { content: string }) => content).join('\n')).not.toContain('ada@');
    expect(turns).toHaveLength(3);
  });

  it('is not begun in a space of another tenant or memory: 404', async () => {
    const [caller, stranger] = [memory.newCaller(), memory.newCaller()];
    const foreign = memory.newSpace(stranger).spaceId;
    const elsewhere = memory.newSpace(memory.newMemory(caller)).spaceId;
    expect((await call(caller, 'POST', '/threads', { space_id: foreign })).status).toBe(404);
    const both = { space_id: elsewhere, memory_id: caller.memoryId };
    expect((await call(caller, 'POST', '/threads', both)).status).toBe(404);
    expect((await call(caller, 'POST', '/threads', { space_id: elsewhere })).status).toBe(201);
  });

  it('is made once for one Idempotency-Key, and refused with another body', async () => {
    const caller = memory.newCaller();
    const headers = { 'idempotency-key': randomUUID() };
    const [one, two] = [
      await call(caller, 'POST', '/threads', { title: 'a' }, headers),
      await call(caller, 'POST', '/threads', { title: 'a' }, headers),
    ];
    expect(two.body).toEqual(one.body);
    expect(two.headers.get('idempotency-replayed')).toBe('true');
    expect((await call(caller, 'POST', '/threads', { title: 'b' }, headers)).status).toBe(422);
    expect((await call(caller, 'GET', '/threads')).body.threads).toHaveLength(1);
  });

  it('is renamed and deleted with its turns; afterwards it is not found', async () => {
    const caller = memory.newCaller();
    const { thread_id } = await newThread(caller, { title: 'old' });
    const path = `/threads/${thread_id}`;
    await call(caller, 'POST', `${path}/turns`, { role: 'user', content: 'hello' });
    expect((await call(caller, 'PATCH', path, { title: 'new' })).body).toMatchObject({ title: 'new', turn_count: 1 });
    expect((await call(caller, 'PATCH', path, {})).body).toMatchObject({ title: 'new' });
    expect((await call(caller, 'DELETE', path)).body).toEqual({ thread_id, deleted: true });
    for (const [method, at, body] of [
      ['GET', path],
      ['DELETE', path],
      ['PATCH', path, { title: 'x' }],
      ['GET', `${path}/turns`],
      ['POST', `${path}/turns`, { role: 'user', content: 'x' }],
    ] as const) {
      expect([method, at, (await call(caller, method, at, body)).status]).toEqual([method, at, 404]);
    }
    const turns = await memory.database.app.withTenant(caller.identity.tenantId, (tx) =>
      tx.query('SELECT * FROM turns'),
    );
    expect(turns).toEqual([]);
  });
});

describe('GET /threads', () => {
  it('lists every thread of the tenant over its memories, or of one memory or space, and pages', async () => {
    const caller = memory.newCaller();
    const second = memory.newMemory(caller);
    const space = memory.newSpace(second);
    const made = [
      await newThread(caller, { title: '1' }),
      await newThread(caller, { title: '2', memory_id: second.memoryId }),
      await newThread(caller, { title: '3', space_id: space.spaceId }),
    ];
    const titles = async (query: string) =>
      (await call(caller, 'GET', `/threads${query}`)).body.threads.map((thread: { title: string }) => thread.title);
    expect(await titles('')).toEqual(['1', '2', '3']);
    expect(await titles(`?memory_id=${second.memoryId}`)).toEqual(['2', '3']);
    expect(await titles(`?space_id=${space.spaceId}`)).toEqual(['3']);
    expect((await call(caller, 'GET', '/threads?limit=2')).body).toMatchObject({ next_cursor: made[1].thread_id });
    expect(await titles(`?limit=2&cursor=${made[1].thread_id}`)).toEqual(['3']);
    expect(await call(memory.newCaller(), 'GET', '/threads')).toMatchObject({ body: { threads: [] } });
  });
});

describe('a memory key', () => {
  it('sees, reads and writes the threads of its memory, or of its one space, and no others', async () => {
    const caller = memory.newCaller();
    const second = memory.newMemory(caller);
    const space = memory.newSpace(second);
    const threads = {
      elsewhere: await newThread(caller),
      root: await newThread(caller, { memory_id: second.memoryId }),
      inside: await newThread(caller, { space_id: space.spaceId }),
    };
    const seen = async (key: Caller) =>
      (await call(key, 'GET', '/threads')).body.threads.map((thread: { thread_id: string }) => thread.thread_id);
    const status = async (key: Caller, { thread_id }: { thread_id: string }) => [
      (await call(key, 'GET', `/threads/${thread_id}`)).body.code ?? 'ok',
      (await call(key, 'POST', `/threads/${thread_id}/turns`, { role: 'user', content: 'x' })).body.code ?? 'ok',
    ];
    const ofMemory = bound(second);
    expect(await seen(ofMemory)).toEqual([threads.root.thread_id, threads.inside.thread_id]);
    expect(await status(ofMemory, threads.inside)).toEqual(['ok', 'ok']);
    expect(await status(ofMemory, threads.elsewhere)).toEqual(['memory_not_permitted', 'memory_not_permitted']);
    const ofSpace = bound(second, space.spaceId);
    expect(await seen(ofSpace)).toEqual([threads.inside.thread_id]);
    expect(await status(ofSpace, threads.inside)).toEqual(['ok', 'ok']);
    expect(await status(ofSpace, threads.root)).toEqual(['memory_not_permitted', 'memory_not_permitted']);
    expect(await newThread(ofSpace)).toMatchObject({ space_id: space.spaceId, vault_id: space.vaultId });
    const wished = { space_id: memory.newSpace(second).spaceId };
    expect(await call(ofSpace, 'POST', '/threads', wished)).toMatchObject({ body: { code: 'memory_not_permitted' } });
  });
});

describe('a search in a thread', () => {
  const SEARCHES = ['/memory/search', '/memory/search/stream'];
  const scoped = (caller: Caller, more: Partial<Caller['identity']>): Caller => ({
    ...caller,
    identity: { ...caller.identity, ...more },
  });

  it.each<[string, Partial<Caller['identity']>, string]>([
    ['no scope of threads', { scopes: ['memory:search'] }, 'scope threads:read and scope threads:write'],
    ['only reading threads', { scopes: ['memory:search', 'threads:read'] }, 'scope threads:write'],
    ['only writing threads', { scopes: ['memory:search', 'threads:write'] }, 'scope threads:read'],
    ['only reading the app', { appPermissions: { memory: ['read'] } }, 'app permission memory:write'],
  ])('is refused to a key with %s, which neither reads earlier turns nor adds any', async (_what, held, lacks) => {
    const caller = memory.newCaller();
    const { thread_id } = await newThread(caller);
    await call(caller, 'POST', `/threads/${thread_id}/turns`, { role: 'user', content: 'The ferry is called Aurora.' });
    const key = scoped(caller, held);
    for (const path of SEARCHES) {
      const refused = await call(key, 'POST', path, { query: 'What is it called?', thread_id });
      expect(refused).toMatchObject({ status: 403, body: { code: 'permission_denied' } });
      expect(refused.body.detail).toBe(`The key lacks ${lacks}.`);
      expect((await call(key, 'POST', path, { query: 'What is it called?' })).status).toBe(200);
    }
    expect((await call(caller, 'GET', `/threads/${thread_id}`)).body.turn_count).toBe(1);
  });

  it('needs nothing else besides searching', async () => {
    const caller = memory.newCaller();
    const { thread_id } = await newThread(caller);
    const key = scoped(caller, { scopes: ['memory:search', 'threads:read', 'threads:write'] });
    for (const path of SEARCHES)
      expect((await call(key, 'POST', path, { query: 'What is it called?', thread_id })).status).toBe(200);
    expect((await call(caller, 'GET', `/threads/${thread_id}`)).body.turn_count).toBe(4);
  });
});

describe('an Idempotency-Key', () => {
  it('shows the key of one memory or space nothing of what another key was answered', async () => {
    const caller = memory.newCaller();
    const elsewhere = memory.newMemory(caller);
    const space = memory.newSpace(caller);
    const headers = { 'idempotency-key': randomUUID() };
    const thread = { title: 'Board' };
    const first = await call(caller, 'POST', '/threads', thread, headers);
    const other = (more: Partial<Caller['identity']>): Caller => ({
      ...caller,
      identity: { ...caller.identity, keyId: newId('key'), ...more },
    });
    const onItsHost = elsewhere;
    const strangers: [Caller, object][] = [
      [other({ kind: 'memory', memoryId: elsewhere.memoryId }), { memory_id: elsewhere.memoryId, space_id: null }],
      [other({ kind: 'memory', memoryId: caller.memoryId, spaceId: space.spaceId }), { space_id: space.spaceId }],
      [onItsHost, { memory_id: elsewhere.memoryId }],
    ];
    for (const [stranger, place] of strangers) {
      const answer = await call(stranger, 'POST', '/threads', thread, headers);
      expect(answer).toMatchObject({ status: 201, body: place });
      expect(answer.headers.get('idempotency-replayed')).toBeNull();
      expect(answer.body.thread_id).not.toBe(first.body.thread_id);
      expect((await call(stranger, 'POST', '/threads', thread, headers)).body).toEqual(answer.body);
    }
    expect((await call(caller, 'POST', '/threads', thread, headers)).body).toEqual(first.body);

    const document = { content: 'The ferry Aurora sails at noon.' };
    const ofSpace = other({ kind: 'memory', memoryId: caller.memoryId, spaceId: space.spaceId });
    const [root, inside] = [
      await call(caller, 'POST', '/memory/documents', document, headers),
      await call(ofSpace, 'POST', '/memory/documents', document, headers),
    ];
    expect(inside.body.documents[0].vault_id).toBe(space.vaultId);
    expect(inside.body.documents[0].doc_id).not.toBe(root.body.documents[0].doc_id);
  });
});

describe('turns', () => {
  it('are counted exactly and in order without a gap while two replicas add fifty at once', async () => {
    const caller = memory.newCaller();
    const { thread_id } = await newThread(caller);
    const add = async (url: string, index: number) =>
      memory.call(caller, 'POST', `/api/v1/threads/${thread_id}/turns`, { role: 'user', content: `${index}` }, {}, url);
    const added = await Promise.all(
      Array.from({ length: 50 }, (_, index) => add(index % 2 === 0 ? memory.url : other.url, index)),
    );
    expect(added.map((answer) => answer.status)).toEqual(added.map(() => 201));
    expect((await call(caller, 'GET', `/threads/${thread_id}`)).body.turn_count).toBe(50);
    const { turns } = (await call(caller, 'GET', `/threads/${thread_id}/turns`)).body;
    expect(new Set(turns.map((turn: { content: string }) => turn.content)).size).toBe(50);
    const pages: unknown[] = [];
    for (let cursor: string | undefined = '0'; cursor !== undefined;) {
      const page: { turns: unknown[]; next_cursor?: string } = (
        await call(caller, 'GET', `/threads/${thread_id}/turns?limit=20&cursor=${cursor}`)
      ).body;
      pages.push(...page.turns);
      cursor = page.next_cursor;
    }
    expect(pages).toEqual(turns);
  });

  it('reject invalid turns and invalid cursors', async () => {
    const caller = memory.newCaller();
    const { thread_id } = await newThread(caller);
    const path = `/threads/${thread_id}/turns`;
    for (const body of [{}, { role: 'system', content: 'x' }, { role: 'user', content: '' }, { role: 'user' }])
      expect((await call(caller, 'POST', path, body)).status).toBe(422);
    expect((await call(caller, 'GET', `${path}?cursor=abc`)).status).toBe(422);
    const stranger = memory.newCaller();
    expect((await call(stranger, 'POST', path, { role: 'user', content: 'x' })).status).toBe(404);
    expect((await call(caller, 'GET', `/threads/${newId('thread')}/turns`)).status).toBe(404);
  });
});
