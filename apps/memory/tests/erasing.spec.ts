import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MemoryStoreService, newId } from '@cairn/contracts';
import { rpcClient } from '@cairn/service-kit';
import { eventually } from '@cairn/testing';
import { whileOpen } from '../src/memories/closed-scopes.ts';
import { TABLES_OF_MEMORIES } from '../src/erasure/erased-tables.ts';
import { bootMemory, type BootedMemory, type Caller } from './memory-harness.ts';
import { lookInto, type StoredWords } from './stored-words.ts';

let memory: BootedMemory;
let stored: StoredWords;
beforeAll(async () => {
  // One step per call, so that every erasure is one of many calls.
  memory = await bootMemory({ CAIRN_ERASE_BUDGET_MS: '1' });
  stored = lookInto(memory.database.superuserUrl);
});
afterAll(async () => {
  await stored.close();
  await memory.close();
});

const DOCUMENTS = '/api/v1/memory/documents';
const ref = (caller: Caller) => ({ tenantId: caller.identity.tenantId, memoryId: caller.memoryId });
const scopeOf = (caller: Caller, vaultId = '') => ({ scope: { ...ref(caller), vaultId } });

/** A document that says the word in every place a document has for words. */
const saying = (word: string, n = 0) => ({
  content: `# About ${word}${n}\n\nThe ${word}body of number ${n} ${'is long enough to be a chunk of its own '.repeat(20)}`,
  title: `A title with ${word}title`,
  external_id: `${word}-${n}`,
  metadata: { [`${word}key`]: `${word}value` },
});

/** A conversation that says the word in its title, its user and its turns; its answers are kept for repeats. */
async function converse(caller: Caller, word: string, spaceId?: string): Promise<string> {
  const key = () => ({ 'idempotency-key': randomUUID() });
  const about = {
    title: `${word}thread`,
    user: `${word}user`,
    ...(spaceId === undefined ? {} : { space_id: spaceId }),
  };
  const thread = await memory.call(caller, 'POST', '/api/v1/threads', about, key());
  expect(thread.status).toBe(201);
  const turns = `/api/v1/threads/${thread.body.thread_id}/turns`;
  for (const role of ['user', 'assistant'])
    await memory.call(caller, 'POST', turns, { role, content: `${word}turn by ${role}` }, key());
  return thread.body.thread_id;
}

/** Has a search and a comment on it kept. */
async function ask(caller: Caller, word: string, space_id?: string): Promise<void> {
  await memory.call(caller, 'PATCH', `/api/v1/memories/${caller.memoryId}/search-log`, { enabled: true });
  const query = `What is a ${word}question?`;
  const { search_id } = (await memory.call(caller, 'POST', '/api/v1/memory/search', { query, space_id })).body;
  const rating = { helpful: false, comment: `No ${word}comment` };
  const rated = await memory.call(caller, 'POST', `/api/v1/memory/searches/${search_id}/feedback`, rating);
  expect(rated.status).toBe(200);
}

async function eraseAll(scope: ReturnType<typeof scopeOf>, store = memory.store): Promise<number> {
  for (let calls = 1; ; calls += 1) {
    // It waits for a relay that is publishing, which a dead broker holds up.
    if ((await store.eraseScope(scope, { timeoutMs: 30_000 })).finished) return calls;
    if (calls > 2_000) throw new Error('erasing does not end');
  }
}

async function search(caller: Caller, query: string): Promise<string[]> {
  const found = await memory.call(caller, 'POST', '/api/v1/memory/search', { query, top_k: 100 });
  expect(found.status).toBe(200);
  return found.body.results.map((result: { doc_id: string }) => result.doc_id);
}

describe('an erased memory', () => {
  it('leaves no row of it and no word in any table; the memory beside it keeps everything', async () => {
    const gone = memory.newCaller();
    const kept = memory.newMemory(gone);
    await memory.ingest(
      gone,
      Array.from({ length: 40 }, (_, n) => saying('qwgonememory', n)),
    );
    await memory.ingest(kept, [saying('qwkeptmemory')]);
    const key = { 'idempotency-key': `qwgonememory-${randomUUID()}` };
    await memory.call(gone, 'POST', DOCUMENTS, saying('qwgonememory', 41), key);
    await converse(gone, 'qwgonememory');
    await ask(gone, 'qwgonememory');
    const keptThread = await converse(kept, 'qwkeptmemory');
    expect(await stored.tablesWith('qwgonememory')).toEqual(
      expect.arrayContaining(['chunks', 'documents', 'idempotency_keys', 'search_log', 'threads', 'turns']),
    );
    expect(await stored.wordsWith(ref(gone), 'qwgonememory')).not.toEqual([]);
    await memory.store.closeScope(scopeOf(gone));
    expect(await eraseAll(scopeOf(gone))).toBeGreaterThan(2);
    expect(await stored.tablesWith('qwgonememory')).toEqual([]);
    expect(await stored.tablesWith(gone.memoryId)).toEqual(['closed_scopes']);
    expect(await search(kept, 'qwkeptmemorybody')).toHaveLength(1);
    expect((await memory.call(kept, 'GET', `/api/v1/threads/${keptThread}/turns`)).body.turns).toHaveLength(2);
    expect(await stored.wordsWith(ref(kept), 'qwkeptmemory')).not.toEqual([]);
  });

  it('is not found by any operation of any replica from when it is closed, also where it was just used', async () => {
    const caller = memory.newCaller();
    const [id] = await memory.ingest(caller, [saying('qwclosed')]);
    await memory.store.closeScope(scopeOf(caller));
    const answers = [
      await memory.call(caller, 'POST', '/api/v1/memory/search', { query: 'qwclosed' }),
      await memory.call(caller, 'GET', DOCUMENTS),
      await memory.call(caller, 'GET', `${DOCUMENTS}/${id}`),
      await memory.call(caller, 'DELETE', `${DOCUMENTS}/${id}`),
      await memory.call(caller, 'POST', DOCUMENTS, { content: 'late' }),
    ];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(answers.map(() => [404, 'not_found']));
    await eraseAll(scopeOf(caller));
    expect((await memory.call(caller, 'POST', DOCUMENTS, { content: 'later' })).status).toBe(404);
  });

  it('stays gone though ingestion was running when it was closed, and though replicas end in the middle', async () => {
    const caller = memory.newCaller();
    const replica = await memory.replica();
    const other = rpcClient(MemoryStoreService, replica.grpc, memory.tenancyTokens);
    await memory.ingest(caller, [saying('qwracing', 0)]);
    const running = Array.from({ length: 30 }, (_, n) =>
      memory.call(caller, 'POST', DOCUMENTS, {
        documents: [saying('qwracing', 2 * n + 1), saying('qwracing', 2 * n + 2)],
      }),
    );
    await Promise.race(running);
    await memory.store.closeScope(scopeOf(caller));
    let finished = false;
    for (let call = 0; call < 5 && !finished; call += 1) finished = (await other.eraseScope(scopeOf(caller))).finished;
    await replica.close();
    other.close();
    const answers = await Promise.all([...running, eraseAll(scopeOf(caller))]);
    const statuses = new Set(answers.slice(0, -1).map((answer) => (answer as { status: number }).status));
    expect([...statuses].filter((status) => status !== 202 && status !== 404)).toEqual([]);
    expect(await stored.tablesWith('qwracing')).toEqual([]);
    expect(await stored.tablesWith(caller.memoryId)).toEqual(['closed_scopes']);
  });

  it('is closed only when those who write to it are done, and whoever comes meanwhile is refused', async () => {
    const caller = memory.newCaller();
    const [id] = await memory.ingest(caller, [saying('qwwaits')]);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let closed = false;
    let closing: Promise<unknown> | undefined;
    const begun = whileOpen(memory.database.app, ref(caller), async (tx) => {
      closing = memory.store.closeScope(scopeOf(caller)).finally(() => {
        closed = true;
      });
      await held;
      await tx.execute('UPDATE documents SET title = $2 WHERE doc_id = $1', [id, 'qwwaitslast']);
      return 'written';
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(closed).toBe(false);
    const late = memory.call(caller, 'POST', DOCUMENTS, saying('qwwaits', 2));
    release();
    expect(await begun).toBe('written');
    await closing;
    expect((await late).status).toBe(404);
    expect(await whileOpen(memory.database.app, ref(caller), async () => 'never')).toBeNull();
    await eraseAll(scopeOf(caller));
    expect(await stored.tablesWith('qwwaits')).toEqual([]);
  });

  it('takes along the events of it that still wait for the broker', async () => {
    const caller = memory.newCaller();
    await memory.nats.kill9();
    try {
      await memory.ingest(caller, [saying('qwoutbox')]);
      expect(await stored.tablesWith('qwoutboxtitle')).toContain('outbox');
      await memory.store.closeScope(scopeOf(caller));
      await eraseAll(scopeOf(caller));
      expect(await stored.tablesWith('qwoutbox')).toEqual([]);
    } finally {
      await memory.nats.restart();
    }
  });

  it('is found in every table that has a column for it', async () => {
    const tables = await stored.tablesHaving('memory_id');
    const ofTheIndex = tables.filter((table) => table.startsWith('index_'));
    // What says for ever that a memory is closed, or where it has been, is identifiers and times alone.
    const staying = ['closed_scopes', 'memory_moves'];
    expect(tables).toEqual([...TABLES_OF_MEMORIES, ...ofTheIndex, ...staying, 'idempotency_keys'].sort());
  });
});

describe('what an engine holds', () => {
  it('is listed by memory, whoever owns it, and no longer after the erasure', async () => {
    const [one, other] = [memory.newCaller(), memory.newCaller()];
    for (const caller of [one, other]) await memory.ingest(caller, [saying('qwlisted')]);
    const listed = async () => {
      const ids: string[] = [];
      for (;;) {
        const page = await memory.store.listStoredMemories({ afterMemoryId: ids.at(-1) ?? '', engineId: 'default' });
        if (page.memories.length === 0) return ids;
        ids.push(...page.memories.map(({ memoryId }) => memoryId));
      }
    };
    expect(await listed()).toEqual(expect.arrayContaining([one.memoryId, other.memoryId]));
    await memory.store.closeScope(scopeOf(one));
    await eraseAll(scopeOf(one));
    expect(await listed()).not.toContain(one.memoryId);
    expect(await listed()).toContain(other.memoryId);
  });
});

describe('an erased vault', () => {
  it('leaves no row and no word of its own in the memory that lives on, in pages or out of them', async () => {
    const caller = memory.newCaller();
    const { spaceId, vaultId: vault } = memory.newSpace(caller);
    const inSpace = (word: string, n: number) => ({ ...saying(word, n), space_id: spaceId });
    await memory.ingest(
      caller,
      Array.from({ length: 100 }, (_, n) => inSpace('qwgonevault', n)),
    );
    const kept = await memory.ingest(
      caller,
      Array.from({ length: 60 }, (_, n) => saying('qwkeptroot', n)),
    );
    await converse(caller, 'qwgonevault', spaceId);
    await ask(caller, 'qwgonevault', spaceId);
    await converse(caller, 'qwkeptroot');
    const [deletedBefore] = await memory.ingest(caller, [inSpace('qwgonevaultearly', 0)]);
    await memory.call(caller, 'DELETE', `${DOCUMENTS}/${deletedBefore}`);
    expect(await stored.wordsWith(ref(caller), 'qwgonevaultearly')).not.toEqual([]);
    await memory.store.closeScope(scopeOf(caller, vault));
    await eraseAll(scopeOf(caller, vault));
    expect(await stored.wordsWith(ref(caller), 'qwgonevault')).toEqual([]);
    expect(await stored.orphanedPages(ref(caller))).toBe(0);
    expect(await stored.tablesWith('qwgonevault')).toEqual([]);
    expect(await stored.tablesWith(vault)).toEqual(['closed_scopes']);
    expect(new Set(await search(caller, 'qwkeptrootbody'))).toEqual(new Set(kept));
    expect((await memory.call(caller, 'GET', '/api/v1/threads')).body.threads).toHaveLength(1);
  });

  it('leaves nothing in what people decided about the memory, nor in answers about that', async () => {
    const caller = memory.newCaller();
    const { spaceId, vaultId: vault } = memory.newSpace(caller);
    const price = (said: string) => `The list price of the Bolt Reader B7 is ${said} now.`;
    await memory.ingest(caller, [
      { content: price('€71.39'), space_id: spaceId },
      { content: `One page says so. ${price('€14.50')}` },
      { content: `Another page says so. ${price('€16.00')}` },
      { content: 'Qwarmonk Systems is based in Bergen.', space_id: spaceId },
      { content: 'Big Blue is based in Oslo.' },
    ]);
    const send = async (path: string, body: object) => {
      const answer = await memory.call(caller, 'POST', path, body, { 'idempotency-key': randomUUID() });
      expect([200, 201]).toContain(answer.status);
    };
    const [open] = (await memory.call(caller, 'GET', '/api/v1/memory/contradictions')).body.contradictions;
    const { fact_id } = open.facts.find((fact: { value: string }) => fact.value === '€14.50');
    await send(`/api/v1/memory/contradictions/${open.contradiction_id}/resolve`, { winner: fact_id });
    const entityIds: string[] = [];
    for (const name of ['qwarmonk', 'big'])
      entityIds.push(
        (await memory.call(caller, 'GET', `/api/v1/memory/graph/entities?query=${name}`)).body.entities[0].entity_id,
      );
    await send('/api/v1/memory/graph/merges', { entity_ids: entityIds });
    expect(await stored.tablesWith('71.39')).toEqual(
      expect.arrayContaining(['graph_contradictions', 'idempotency_keys']),
    );
    expect(await stored.tablesWith('qwarmonk')).toEqual(
      expect.arrayContaining(['graph_decisions', 'idempotency_keys']),
    );
    await memory.store.closeScope(scopeOf(caller, vault));
    await eraseAll(scopeOf(caller, vault));
    expect(await stored.tablesWith('71.39')).toEqual([]);
    expect(await stored.tablesWith('qwarmonk')).toEqual([]);
    const { contradictions } = (await memory.call(caller, 'GET', '/api/v1/memory/contradictions')).body;
    expect(contradictions).toMatchObject([{ status: 'resolved', winner: fact_id }]);
  });

  it('is in no answer from when it is closed, while the rest of the memory is', async () => {
    const caller = memory.newCaller();
    const { spaceId, vaultId: vault } = memory.newSpace(caller);
    const [hidden] = await memory.ingest(caller, [{ ...saying('qwhidden'), space_id: spaceId }]);
    const [shown] = await memory.ingest(caller, [saying('qwshown')]);
    const thread = `/api/v1/threads/${await converse(caller, 'qwhidden', spaceId)}`;
    expect(await search(caller, 'long enough to be a chunk')).toHaveLength(2);
    await memory.store.closeScope(scopeOf(caller, vault));
    expect(await search(caller, 'long enough to be a chunk')).toEqual([shown]);
    const listed = await memory.call(caller, 'GET', DOCUMENTS);
    expect(listed.body.documents.map((document: { doc_id: string }) => document.doc_id)).toEqual([shown]);
    for (const method of ['GET', 'DELETE'])
      expect((await memory.call(caller, method, `${DOCUMENTS}/${hidden}`)).status).toBe(404);
    const late = [
      await memory.call(caller, 'POST', DOCUMENTS, { content: 'late', space_id: spaceId }),
      await memory.call(caller, 'POST', '/api/v1/threads', { title: 'late', space_id: spaceId }),
      await memory.call(caller, 'POST', `${thread}/turns`, { role: 'user', content: 'late' }),
      await memory.call(caller, 'GET', thread),
      await memory.call(caller, 'GET', `${thread}/turns`),
      await memory.call(caller, 'PATCH', thread, { title: 'late' }),
      await memory.call(caller, 'DELETE', thread),
    ];
    expect(late.map(({ status }) => status)).toEqual(late.map(() => 404));
    expect((await memory.call(caller, 'GET', '/api/v1/threads')).body.threads).toEqual([]);
    expect((await memory.call(caller, 'GET', `${DOCUMENTS}/${shown}`)).status).toBe(200);
  });

  it('that is the root vault takes nothing in any more, though the memory does', async () => {
    const caller = memory.newCaller();
    await memory.ingest(caller, [saying('qwroot')]);
    await memory.store.closeScope(scopeOf(caller, caller.vaultId));
    await eraseAll(scopeOf(caller, caller.vaultId));
    expect((await memory.call(caller, 'POST', DOCUMENTS, { content: 'late' })).status).toBe(404);
    expect(await stored.tablesWith('qwroot')).toEqual([]);
    expect((await memory.call(caller, 'GET', DOCUMENTS)).body.documents).toEqual([]);
  });
});

describe('a deleted document', () => {
  it.each([
    ['by itself', 'qwgonealone', 'qwkeptalone'],
    ['by a job', 'qwgonebyjob', 'qwkeptbyjob'],
  ])(
    'is in no answer that was kept for repeats when it goes %s, and no repeat takes it in',
    async (how, gone, kept) => {
      const caller = memory.newCaller();
      const { spaceId } = memory.newSpace(caller);
      const taking = { 'idempotency-key': randomUUID() };
      const takeIn = () => memory.call(caller, 'POST', DOCUMENTS, saying(gone), taking);
      const taken = await takeIn();
      const docId: string = taken.body.documents[0].doc_id;
      const path = `${DOCUMENTS}/${docId}`;
      await eventually(
        () => memory.call(caller, 'GET', path),
        ({ body }) => body.status === 'completed',
      );
      const [keptId] = await memory.ingest(caller, [saying(kept)]);
      const moving = { 'idempotency-key': randomUUID() };
      const move = () => memory.call(caller, 'POST', `${path}/route`, { space_id: spaceId }, moving);
      expect((await move()).status).toBe(200);
      const other = { 'idempotency-key': randomUUID() };
      await memory.call(caller, 'POST', `${DOCUMENTS}/${keptId}/route`, { space_id: spaceId }, other);
      for (const word of [gone, kept]) expect(await stored.tablesWith(word)).toContain('idempotency_keys');
      if (how === 'by itself') await memory.call(caller, 'DELETE', path);
      else await memory.call(caller, 'POST', `${DOCUMENTS}/delete`, { doc_ids: [docId] });
      await eventually(
        () => memory.call(caller, 'GET', path),
        ({ status }) => status === 404,
      );
      expect(await stored.tablesWith(gone)).not.toContain('idempotency_keys');
      expect(await stored.tablesWith(kept)).toContain('idempotency_keys');
      expect((await move()).status).toBe(404);
      expect((await takeIn()).body).toEqual(taken.body);
      expect((await memory.call(caller, 'GET', path)).status).toBe(404);
    },
  );
});

describe('a deleted thread', () => {
  it('leaves no word of it, not even in answers that were kept for repeats', async () => {
    const caller = memory.newCaller();
    const gone = await converse(caller, 'qwgonethread');
    await converse(caller, 'qwkeptthread');
    expect((await memory.call(caller, 'DELETE', `/api/v1/threads/${gone}`)).status).toBe(200);
    expect(await stored.tablesWith('qwgonethread')).toEqual([]);
    expect(await stored.tablesWith('qwkeptthread')).toEqual(['idempotency_keys', 'threads', 'turns']);
  });
});

describe('the calls of tenancy', () => {
  it('may be repeated, before, while and after', async () => {
    const caller = memory.newCaller();
    await memory.ingest(caller, [saying('qwrepeated')]);
    await Promise.all([memory.store.closeScope(scopeOf(caller)), memory.store.closeScope(scopeOf(caller))]);
    await Promise.all([eraseAll(scopeOf(caller)), eraseAll(scopeOf(caller))]);
    expect(await eraseAll(scopeOf(caller))).toBe(1);
    await memory.store.closeScope(scopeOf(caller));
    expect(await eraseAll(scopeOf(caller))).toBe(1);
    expect(await stored.tablesWith('qwrepeated')).toEqual([]);
  });

  it('erase nothing that was not closed, and nothing without a name', async () => {
    const caller = memory.newCaller();
    await memory.ingest(caller, [saying('qwopen')]);
    await expect(memory.store.eraseScope(scopeOf(caller))).rejects.toMatchObject({ code: 'conflict' });
    await expect(memory.store.eraseScope({})).rejects.toMatchObject({ code: 'validation_failed' });
    await expect(
      memory.store.closeScope({ scope: { tenantId: caller.identity.tenantId, vaultId: newId('vault') } }),
    ).rejects.toMatchObject({ code: 'validation_failed' });
    expect(await search(caller, 'qwopenbody')).toHaveLength(1);
  });

  it('are refused from anybody else', async () => {
    const stranger = rpcClient(MemoryStoreService, memory.grpc, memory.gatewayTokens);
    await expect(stranger.closeScope(scopeOf(memory.newCaller()))).rejects.toMatchObject({ code: 'permission_denied' });
    await expect(stranger.prepareEngine({ ownerUrl: 'postgres://x' })).rejects.toMatchObject({
      code: 'permission_denied',
    });
    stranger.close();
  });
});
