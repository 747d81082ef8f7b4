import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { subjectOfScope } from '@cairn/contracts';
import { connectEventBus, EVENT_STREAM } from '@cairn/events';
import { createTestDatabase, eventually, type TestDatabase } from '@cairn/testing';
import { MIGRATIONS } from '../src/runtime/migrate-schema.ts';
import { type Answer, bootMemory, type BootedMemory, type Caller } from './memory-harness.ts';
import { startFlakyProxy, type FlakyProxy } from './flaky-proxy.ts';
import { lookInto } from './stored-words.ts';

const DOCUMENTS = '/api/v1/memory/documents';
const SEARCH = '/api/v1/memory/search';

let memory: BootedMemory;
let second: TestDatabase;
let proxy: FlakyProxy;
let revision = 1n;
beforeAll(async () => {
  memory = await bootMemory();
  // Provisioned as tenancy does it: roles and schema, no tables yet.
  second = await createTestDatabase({ service: 'memory', migrations: [] });
  await memory.store.prepareEngine({ ownerUrl: second.ownerUrl });
  proxy = await startFlakyProxy(second.url);
});
beforeEach(() => nameEngine());
afterEach(() => {
  memory.engines.delete('eng_lost');
});
afterAll(async () => {
  await memory.close();
  await proxy.cut();
  await second.close();
});

function nameEngine(engineId = 'eng_second'): void {
  const { url, workerUrl } = second;
  memory.engines.set(engineId, { url: proxy.through(url), workerUrl: proxy.through(workerUrl), revision });
}

const search = (caller: Caller, query: string) => memory.call(caller, 'POST', SEARCH, { query });
const codeOf = ({ status, body }: Answer) => [status, body.code];

describe('memories on two engines', () => {
  it('are ingested, searched, read and deleted each on its own, and no engine has the other’s data', async () => {
    const here = memory.newCaller();
    const there = memory.newMemory(here, 'eng_second');
    const [a] = await memory.ingest(here, [{ content: 'The qwhere okapi.', title: 'qwhere' }]);
    const [b] = await memory.ingest(there, [{ content: 'The qwthere okapi.', title: 'qwthere' }]);
    for (const [caller, own] of [
      [here, a],
      [there, b],
    ] as const) {
      const found = await search(caller, 'okapi');
      expect(found.body.results.map((result: { doc_id: string }) => result.doc_id)).toEqual([own]);
      const listed = await memory.call(caller, 'GET', DOCUMENTS);
      expect(listed.body.documents).toHaveLength(1);
    }
    expect((await memory.call(here, 'GET', `${DOCUMENTS}/${b}`)).status).toBe(404);
    const looks = [lookInto(memory.database.superuserUrl), lookInto(second.superuserUrl)];
    expect([await looks[0]!.tablesWith('qwthere'), await looks[0]!.tablesWith(there.memoryId)]).toEqual([[], []]);
    expect([await looks[1]!.tablesWith('qwhere'), await looks[1]!.tablesWith(here.memoryId)]).toEqual([[], []]);
    await Promise.all(looks.map((look) => look.close()));
    expect((await memory.call(there, 'DELETE', `${DOCUMENTS}/${b}`)).status).toBe(200);
    expect((await search(there, 'okapi')).body.results).toEqual([]);
    expect((await search(here, 'okapi')).body.results).toHaveLength(1);
  });

  it('both tell what happened to them', async () => {
    const callers = [memory.newCaller(), memory.newCaller({}, 'eng_second')];
    for (const caller of callers) await memory.ingest(caller, [{ content: 'Something to tell.' }]);
    const bus = await connectEventBus({ natsUrl: memory.nats.url, name: 'spec' });
    for (const { identity, memoryId } of callers) {
      const subject = subjectOfScope({ tenantId: identity.tenantId, memoryId });
      await eventually(() => bus.manager.streams.getMessage(EVENT_STREAM, { last_by_subj: subject }));
    }
    await bus.close();
  });

  it('are closed and erased each on its own', async () => {
    const there = memory.newCaller({}, 'eng_second');
    await memory.ingest(there, [{ content: 'The qwerasedthere okapi.' }]);
    const scope = {
      engineId: 'eng_second',
      tenantId: there.identity.tenantId,
      memoryId: there.memoryId,
    };
    await memory.store.closeScope({ scope });
    await eventually(async () => (await memory.store.eraseScope({ scope })).finished);
    const look = lookInto(second.superuserUrl);
    expect(await look.tablesWith('qwerasedthere')).toEqual([]);
    await look.close();
  });
});

describe('an engine that is down', () => {
  it('makes its memories answer 503 and nothing else; all is well once it is back', async () => {
    const here = memory.newCaller();
    const there = memory.newCaller({}, 'eng_second');
    await memory.ingest(here, [{ content: 'An okapi here.' }]);
    const [id] = await memory.ingest(there, [{ content: 'An okapi there.' }]);
    await proxy.cut();
    try {
      expect(codeOf(await search(there, 'okapi'))).toEqual([503, 'unavailable']);
      expect(codeOf(await memory.call(there, 'GET', `${DOCUMENTS}/${id}`))).toEqual([503, 'unavailable']);
      expect(codeOf(await memory.call(there, 'POST', DOCUMENTS, { content: 'x' }))).toEqual([503, 'unavailable']);
      await memory.ingest(here, [{ content: 'A second okapi here.' }]);
      expect((await search(here, 'okapi')).body.results).toHaveLength(2);
      expect((await fetch(`${memory.url}/readyz`)).status).toBe(200);
    } finally {
      await proxy.restore();
    }
    expect((await search(there, 'okapi')).body.results).toHaveLength(1);
    await memory.ingest(there, [{ content: 'A second okapi there.' }]);
    expect((await search(there, 'okapi')).body.results).toHaveLength(2);
  });

  it('does not hold up the start of a replica, which has it as soon as it is back', async () => {
    const here = memory.newCaller();
    const there = memory.newCaller({}, 'eng_second');
    await proxy.cut();
    const replica = await memory.replica().finally(() => proxy.restore());
    const at = (caller: Caller) => memory.call(caller, 'GET', DOCUMENTS, undefined, {}, replica.url);
    expect((await at(here)).status).toBe(200);
    expect((await at(there)).status).toBe(200);
    await replica.close();
  });

  it('is said by preparing it, and may be prepared again and again', async () => {
    await memory.store.prepareEngine({ ownerUrl: second.ownerUrl });
    await proxy.cut();
    const away = memory.store.prepareEngine({ ownerUrl: proxy.through(second.ownerUrl) });
    await expect(away.finally(() => proxy.restore())).rejects.toMatchObject({ code: 'unavailable' });
    await expect(memory.store.prepareEngine({ ownerUrl: 'not a url with p4ssw0rd' })).rejects.toMatchObject({
      code: 'validation_failed',
      message: expect.not.stringContaining('p4ssw0rd'),
    });
  });
});

describe('the directory of engines', () => {
  it('is asked at once for an engine that a memory names and nobody knows, and each such engine is used', async () => {
    const slow = await bootMemory({ CAIRN_ENGINE_POLL_MS: '3600000' });
    const caller = slow.newCaller({}, 'eng_new');
    expect(codeOf(await slow.call(caller, 'GET', DOCUMENTS))).toEqual([503, 'unavailable']);
    slow.engines.set('eng_new', { url: second.url, workerUrl: second.workerUrl, revision: 1n });
    expect((await slow.call(caller, 'GET', DOCUMENTS)).status).toBe(200);
    await slow.close();
  });

  it('moves an engine without failing a request, and takes a lower revision for an old answer', async () => {
    const there = memory.newCaller({}, 'eng_second');
    await memory.ingest(there, [{ content: 'An okapi that is searched for.' }]);
    const statuses: number[] = [];
    let done = false;
    const asking = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (!done) statuses.push((await search(there, 'okapi')).status);
      }),
    );
    for (let move = 0; move < 4; move += 1) {
      revision += 1n;
      nameEngine();
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    memory.engines.set('eng_second', {
      url: 'postgres://nobody@127.0.0.1:1/x',
      workerUrl: 'postgres://x/x',
      revision: 1n,
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    done = true;
    await asking;
    expect(new Set(statuses)).toEqual(new Set([200]));
    await memory.ingest(there, [{ content: 'Another okapi, after the moves.' }]);
  });

  it('lets go of an engine that it names no more: its memory is not found, until it names it again', async () => {
    nameEngine('eng_lost');
    const lost = memory.newCaller({}, 'eng_lost');
    await memory.ingest(lost, [{ content: 'An okapi.' }]);
    memory.engines.delete('eng_lost');
    await eventually(
      () => search(lost, 'okapi'),
      (answer) => answer.status !== 200,
    );
    expect(codeOf(await search(lost, 'okapi'))).toEqual([404, 'not_found']);
    nameEngine('eng_lost');
    expect((await search(lost, 'okapi')).body.results).toHaveLength(1);
  });

  it('that holds nonsense for one engine harms no other', async () => {
    memory.engines.set('eng_nonsense', { url: 'nonsense p4ssw0rd', workerUrl: '', revision: 1n });
    const nowhere = memory.newCaller({}, 'eng_nonsense');
    expect(codeOf(await search(nowhere, 'okapi'))).toEqual([503, 'unavailable']);
    expect((await search(memory.newCaller({}, 'eng_second'), 'okapi')).status).toBe(200);
  });

  it('that cannot be asked at boot does not keep the service from starting', async () => {
    const alone = await bootMemory({ CAIRN_TENANCY_GRPC: '127.0.0.1:1' });
    expect((await fetch(`${alone.url}/readyz`)).status).toBe(200);
    await alone.close();
  });
});

it('runs the migrations that the service itself runs', async () => {
  const tables = lookInto(second.superuserUrl);
  const own = lookInto(memory.database.superuserUrl);
  expect(await tables.tablesHaving('tenant_id')).toEqual(await own.tablesHaving('tenant_id'));
  expect(MIGRATIONS).toHaveLength(2);
  await Promise.all([tables.close(), own.close()]);
});
