import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createDatabase, type Database } from '@cairn/postgres';
import { createGraphLinker } from '../../src/graph/linking/graph-linker.ts';
import type { ReadWindows } from '../../src/graph/linking/windows.ts';
import { createSegmentIndex } from '../../src/index/segment-index.ts';
import { routeDocument, type RouteDocumentDeps } from '../../src/ingestion/routing/route-document.ts';
import { createSpaceRouters } from '../../src/ingestion/routing/space-routers.ts';
import { closeScope, whileOpen } from '../../src/memories/closed-scopes.ts';
import type { Engines, OpenMemory } from '../../src/memories/engines.ts';
import type { TargetMemory } from '../../src/memories/memory-scope.ts';
import { bootMemory, type BootedMemory, type Caller } from '../memory-harness.ts';
import { readHere } from '../read-here.ts';

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
  const index = createSegmentIndex({});
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
    dlpPolicy: 'off',
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
