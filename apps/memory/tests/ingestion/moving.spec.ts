import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase, type Database } from '@cairn/postgres';
import { createSegmentIndex } from '@cairn/search-index';
import { createGraphLinker } from '../../src/graph/linking/graph-linker.ts';
import type { ReadWindows } from '../../src/graph/linking/windows.ts';
import { routeDocument, type RouteDocumentDeps } from '../../src/ingestion/routing/route-document.ts';
import { createSpaceRouters } from '../../src/ingestion/routing/space-routers.ts';
import { closeScope, whileOpen } from '../../src/memories/closed-scopes.ts';
import type { Engines, OpenMemory } from '../../src/memories/engines.ts';
import type { TargetMemory } from '../../src/memories/memory-scope.ts';
import { eventually } from '@cairn/testing';
import { bootMemory, type BootedMemory, type Caller } from '../memory-harness.ts';
import { readHere } from '../read-here.ts';
import { DOCUMENTS, eventsOf, found, takenIn } from './take-in.ts';
import { ANALYSER } from '../../src/text/analyser.ts';

let memory: BootedMemory;
let database: Database;
beforeAll(async () => {
  memory = await bootMemory();
  database = createDatabase({ url: memory.database.url, applicationName: 'spec', poolMax: 4 });
}, 60_000);
afterAll(async () => {
  await database.close();
  await memory.close();
});

/** The memory as routing sees it, with a linker that says within how many transactions it read. */
function observed(caller: Caller, space: { spaceId: string; vaultId: string }) {
  let open = 0;
  const readWithin: number[] = [];
  const index = createSegmentIndex({ analyser: ANALYSER });
  const inTransaction = async <T>(scope: TargetMemory, work: (open: OpenMemory) => Promise<T>): Promise<T> => {
    const found = await whileOpen(database, scope, async (tx, closedVaults) => {
      open += 1;
      try {
        return { answer: await work({ tx, index, closedVaults }) };
      } finally {
        open -= 1;
      }
    });
    return found!.answer;
  };
  const engines: Engines = {
    read: inTransaction,
    write: inTransaction,
    readTenant: (_engineId, tenantId, work) => database.withTenant(tenantId, work),
  };
  const read: ReadWindows = (tenantId, windows) => {
    if (windows.length > 0) readWithin.push(open);
    return readHere(tenantId, windows);
  };
  const home: TargetMemory = {
    tenantId: caller.identity.tenantId,
    memoryId: caller.memoryId,
    workspaceId: 'ws_spec',
    rootVaultId: caller.vaultId,
    engineId: 'default',
    spaceId: null,
    vaultId: caller.vaultId,
  };
  const deps: RouteDocumentDeps = {
    engines,
    memories: {
      resolve: async (_caller, { space_id }) => (space_id === space.spaceId ? { ...home, ...space } : home),
      listEngines: async () => ['default'],
    },
    linker: createGraphLinker(read, null),
    routers: createSpaceRouters(),
  };
  return { deps, readWithin };
}

const route = (deps: RouteDocumentDeps, caller: Caller, doc_id: string, { spaceId }: { spaceId: string }) => {
  const context = { identity: caller.identity, params: { doc_id }, body: { space_id: spaceId } };
  return routeDocument(deps, context as unknown as Parameters<typeof routeDocument>[1]);
};

it('a document is read for its new space before the transaction that moves it, not within', async () => {
  const caller = memory.newCaller();
  const space = memory.newSpace(caller);
  const [doc_id] = await memory.ingest(caller, [{ content: 'Helmbrook Dairy was founded in 1987.' }]);
  const { deps, readWithin } = observed(caller, space);
  const { body } = await route(deps, caller, doc_id!, space);
  expect(body).toMatchObject({ space_id: space.spaceId, vault_id: space.vaultId });
  expect(readWithin).toEqual([0]);
  const identity = { ...caller.identity, memoryId: caller.memoryId, spaceId: space.spaceId };
  const { entities } = (await memory.call({ ...caller, identity }, 'GET', '/api/v1/memory/graph/entities')).body;
  expect(entities).toMatchObject([{ name: 'Helmbrook Dairy' }]);
});

it.each([
  ['the same document lies in the space', 'conflict'],
  ['the space is being erased', 'not_found'],
])('a document is not read when its move is refused because %s', async (_why, code) => {
  const caller = memory.newCaller();
  const space = memory.newSpace(caller);
  const content = 'Helmbrook Dairy was founded in 1987.';
  const [doc_id] = await memory.ingest(caller, [{ content }]);
  if (code === 'conflict') await memory.ingest(caller, [{ content, space_id: space.spaceId }]);
  else await closeScope(database, { tenantId: caller.identity.tenantId, ...space });
  const { deps, readWithin } = observed(caller, space);
  await expect(route(deps, caller, doc_id!, space)).rejects.toMatchObject({ code });
  expect(readWithin).toEqual([]);
});

describe('the move of a document', () => {
  const GRAPH = '/api/v1/memory/graph';
  const moveTo = async (caller: Caller, docId: string, spaceId: string) =>
    expect(await memory.call(caller, 'POST', `${DOCUMENTS}/${docId}/route`, { space_id: spaceId })).toMatchObject({
      status: 200,
      body: { space_id: spaceId },
    });

  it('takes along what it says in the graph when a new version of it could not be read', async () => {
    const caller = memory.newCaller();
    const { spaceId } = memory.newSpace(caller);
    const [docId] = await memory.ingest(caller, [
      { content: 'Helmbrook Dairy was founded in 1987.', external_id: 'page' },
    ]);
    const [failed] = await takenIn(memory, caller, [{ content: '   ', external_id: 'page' }]);
    expect(failed).toMatchObject({ doc_id: docId, status: 'failed' });
    await moveTo(caller, docId!, spaceId);
    const inside = { ...caller, identity: { ...caller.identity, memoryId: caller.memoryId, spaceId } };
    const { entities } = (await memory.call(inside, 'GET', `${GRAPH}/entities`)).body;
    expect(entities).toMatchObject([{ name: 'Helmbrook Dairy' }]);
    expect(await found(memory, inside, 'dairy')).toMatchObject([{ doc_id: docId }]);
  });

  it.each(['queued', 'linking'])('keeps what people decided about it while a new version is %s', async (status) => {
    const caller = memory.newCaller();
    const { spaceId } = memory.newSpace(caller);
    const [, docId] = await memory.ingest(caller, [
      { content: 'Maria Sanchez works from the Oslo office.' },
      { content: 'Maria Sanchez works from the Lisbon office.' },
    ]);
    const { entities } = (await memory.call(caller, 'GET', `${GRAPH}/entities?query=maria`)).body;
    const split = { entity_id: entities[0].entity_id, doc_ids: [docId] };
    expect((await memory.call(caller, 'POST', `${GRAPH}/splits`, split)).status).toBe(201);
    // As it is while a worker has not got to it.
    await database.withTenant(caller.identity.tenantId, (tx) =>
      tx.execute('UPDATE documents SET status = $2 WHERE doc_id = $1', [docId, status]),
    );
    await moveTo(caller, docId!, spaceId);
    const { decisions } = (await memory.call(caller, 'GET', `${GRAPH}/decisions`)).body;
    expect(decisions).toMatchObject([{ kind: 'split', doc_ids: [docId] }]);
  });
});

describe('a change of what is said about a document', () => {
  const patch = (caller: Caller, docId: string, body: Record<string, unknown>) =>
    memory.call(caller, 'PATCH', `${DOCUMENTS}/${docId}`, body);

  it('is followed by searches, chunks and the graph, and leaves the text and its readings as they are', async () => {
    const caller = memory.newCaller();
    const content = '# Opening\n\nHelmbrook Dairy was founded in 1987.';
    const [docId] = await memory.ingest(caller, [{ content, title: 'Ledger', external_id: 'page' }]);
    const before = (await memory.call(caller, 'GET', `${DOCUMENTS}/${docId}/content`)).body.chunks;
    const { status, body } = await patch(caller, docId!, { title: 'Xylophone', occurred_at: '2024-05-06T07:08:09Z' });
    expect([status, body]).toMatchObject([
      200,
      { title: 'Xylophone', occurred_at: '2024-05-06T07:08:09.000Z', metadata: {} },
    ]);
    const [hit, ...others] = await found(memory, caller, 'xylophone');
    expect([hit, others]).toMatchObject([{ doc_id: docId, title: 'Xylophone', text: before[0].text }, []]);
    expect(await found(memory, caller, 'ledger')).toEqual([]);
    const after = (await memory.call(caller, 'GET', `${DOCUMENTS}/${docId}/content`)).body.chunks;
    expect(after).toHaveLength(before.length);
    expect(after[0]).toMatchObject({ headings: ['Xylophone', 'Opening'], text: before[0].text });
    expect(after[0].chunk_id).not.toBe(before[0].chunk_id);
    const { entities } = (await memory.call(caller, 'GET', '/api/v1/memory/graph/entities')).body;
    expect(entities).toMatchObject([{ name: 'Helmbrook Dairy' }]);
    // What is sent again says everything about the document, so it takes the place of the change.
    await memory.ingest(caller, [{ content, title: 'Ledger', external_id: 'page' }]);
    expect((await memory.call(caller, 'GET', `${DOCUMENTS}/${docId}`)).body.title).toBe('Ledger');
  });

  it('replaces metadata as a whole, clears a time, and keeps what is not named', async () => {
    const caller = memory.newCaller();
    const document = {
      content: 'A note.',
      metadata: { season: 'spring', tags: ['a'] },
      occurred_at: '2024-05-06T00:00:00Z',
    };
    const [docId] = await memory.ingest(caller, [document]);
    expect((await patch(caller, docId!, { metadata: { season: 'autumn' } })).body).toMatchObject({
      title: 'A note.',
      occurred_at: '2024-05-06T00:00:00.000Z',
    });
    const { body } = await patch(caller, docId!, { occurred_at: null });
    expect(body).toMatchObject({ metadata: { season: 'autumn' }, occurred_at: null });
    expect(body.metadata).not.toHaveProperty('tags');
  });

  it('is screened by the policy as it is then, counted and reported', async () => {
    const caller = memory.newCaller();
    const [docId] = await memory.ingest(caller, [{ content: 'A note to nobody.' }]);
    caller.settings.dlp_policy = 'pii';
    const said = { title: 'For ada@example.org', metadata: { 'bea@example.org': ['ada@example.org'] } };
    const { body } = await patch(caller, docId!, said);
    expect(body).toMatchObject({
      title: 'For [[EMAIL_1]]',
      metadata: { '[[EMAIL_2]]': ['[[EMAIL_1]]'] },
      masked: [{ kind: 'email', count: 3 }],
    });
    await eventually(
      () => eventsOf(memory, caller, 'dlpFlagged'),
      (events) => events.length === 1,
    );
    const { rows } = await memory.database.worker.transaction(async (tx) => ({
      rows: await tx.query('SELECT * FROM documents WHERE doc_id = $1', [docId]),
    }));
    expect(JSON.stringify(rows)).not.toContain('@example.org');
  });

  it('is refused where it would be lost, where nothing is named, and for what the caller does not reach', async () => {
    const caller = memory.newCaller();
    const [failed] = await takenIn(memory, caller, [{ content: '   ' }]);
    expect(await patch(caller, failed.doc_id, { title: 'New' })).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    });
    const [docId] = await memory.ingest(caller, [{ content: 'A note.' }]);
    expect((await patch(caller, docId!, {})).status).toBe(422);
    expect((await patch(caller, docId!, { content: 'Other' })).status).toBe(422);
    expect((await patch(memory.newCaller(), docId!, { title: 'New' })).status).toBe(404);
    const space = memory.newSpace(caller);
    const bound = { ...caller, identity: { ...caller.identity, memoryId: caller.memoryId, spaceId: space.spaceId } };
    expect((await patch(bound, docId!, { title: 'New' })).status).toBe(404);
  });
});
