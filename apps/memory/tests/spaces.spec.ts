import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { compileFilter } from '../src/search/filter.ts';
import { bootMemory, type BootedMemory, type Caller, type StandInSpace } from './memory-harness.ts';

let memory: BootedMemory;
let caller: Caller;
let [one, two] = [] as unknown as [StandInSpace, StandInSpace];
beforeAll(async () => {
  memory = await bootMemory();
  caller = memory.newCaller();
  [one, two] = [memory.newSpace(caller), memory.newSpace(caller)];
  await memory.ingest(caller, [
    { content: 'The otter swims in the root.' },
    { content: 'The otter swims in space one.', space_id: one.spaceId },
    { content: 'The otter swims in space two.', space_id: two.spaceId, external_id: 'o' },
  ]);
});
afterAll(() => memory.close());

const call = (as: Caller, method: string, path: string, body?: unknown) =>
  memory.call(as, method, `/api/v1/memory${path}`, body);
const inSpace = (space: StandInSpace): Caller => ({
  ...caller,
  identity: { ...caller.identity, kind: 'memory', memoryId: caller.memoryId, spaceId: space.spaceId },
});
const found = async (as: Caller, body: object = {}) =>
  (await call(as, 'POST', '/search', { query: 'otter', ...body })).body.results.map(
    (result: { text: string }) => result.text,
  );

describe('a search', () => {
  it('finds the whole memory, or one space when it is named or the key is bound to it', async () => {
    expect((await found(caller)).sort()).toHaveLength(3);
    expect(await found(caller, { space_id: one.spaceId })).toEqual(['The otter swims in space one.']);
    expect(await found(inSpace(two))).toEqual(['The otter swims in space two.']);
  });

  it('keeps to the space whatever the filters say', async () => {
    const everything = {
      or: [
        { field: 'vault_id', op: 'eq', value: one.vaultId },
        { not: { field: 'vault_id', op: 'eq', value: one.vaultId } },
      ],
    };
    expect(await found(inSpace(two), { filters: everything })).toEqual(['The otter swims in space two.']);
  });

  it('counts what a filter on metadata matches in what the caller sees alone', async () => {
    const matchedIn = (visible: { vaults: string[] | null; hidden: string[] }) => {
      const view = { tenantId: caller.identity.tenantId, memoryId: caller.memoryId, visible, matchedMax: 1 };
      const filter = { field: 'metadata.kind', op: 'ne', value: 'none' } as const;
      return memory.database.app.withTenant(view.tenantId, (tx) => compileFilter(tx, view, filter));
    };
    expect(await matchedIn({ vaults: [one.vaultId], hidden: [] })).toMatchObject({ docIds: { size: 1 } });
    expect(await matchedIn({ vaults: null, hidden: [one.vaultId, two.vaultId] })).toMatchObject({
      docIds: { size: 1 },
    });
    await expect(matchedIn({ vaults: null, hidden: [] })).rejects.toMatchObject({ code: 'validation_failed' });
  });

  it('refuses another space than the key’s with 403, one of another memory or tenant with 404', async () => {
    const elsewhere = memory.newSpace(memory.newMemory(caller));
    const foreign = memory.newSpace(memory.newCaller());
    const status = async (as: Caller, body: object) => {
      const answer = await call(as, 'POST', '/search', { query: 'otter', ...body });
      return [answer.status, answer.body.code];
    };
    expect(await status(inSpace(two), { space_id: one.spaceId })).toEqual([403, 'memory_not_permitted']);
    expect(await status(caller, { space_id: elsewhere.spaceId, memory_id: caller.memoryId })).toEqual([
      404,
      'not_found',
    ]);
    expect(await status(caller, { space_id: foreign.spaceId })).toEqual([404, 'not_found']);
  });

  it('scores and explains in a space as if nothing lay beside it, to any key', async () => {
    const explained = async (as: Caller, body: object = {}) => {
      const { results } = (await call(as, 'POST', '/search', { query: 'otter space', explain: true, ...body })).body;
      return results.map(({ score, explanation }: { score: number; explanation: object }) => ({ score, explanation }));
    };
    const alone = memory.newCaller();
    await memory.ingest(alone, [{ content: 'The otter swims in space two.' }]);
    const expected = await explained(alone);
    expect(expected[0].explanation).toMatchObject({ passages_searched: 1 });
    expect(await explained(inSpace(two))).toEqual(expected);
    expect(await explained(caller, { space_id: two.spaceId })).toEqual(expected);
    expect((await explained(caller))[0].explanation).toMatchObject({ passages_searched: 3 });
  });
});

describe('documents', () => {
  it('lie in their space, and the same content or external id in two spaces is two documents', async () => {
    const before = (await call(caller, 'GET', '/documents')).body.documents.length;
    const [doc] = await memory.ingest(caller, [
      { content: 'The otter swims in space two.', space_id: one.spaceId, external_id: 'o' },
    ]);
    const row = (await call(caller, 'GET', `/documents/${doc}`)).body;
    expect(row).toMatchObject({ space_id: one.spaceId, vault_id: one.vaultId });
    expect((await call(caller, 'GET', '/documents')).body.documents).toHaveLength(before + 1);
    await call(caller, 'DELETE', `/documents/${doc}`);
  });

  it('of other spaces are not there for a key of one space: not listed, read, deleted', async () => {
    const all = (await call(caller, 'GET', '/documents')).body.documents as { doc_id: string; vault_id: string }[];
    const listed = (await call(inSpace(two), 'GET', '/documents')).body.documents as { doc_id: string }[];
    expect(listed.map((document) => document.doc_id)).toEqual(
      all.filter((document) => document.vault_id === two.vaultId).map((document) => document.doc_id),
    );
    expect((await call(caller, 'GET', `/documents?space_id=${one.spaceId}`)).body.documents).toHaveLength(1);
    const foreign = all.find((document) => document.vault_id === one.vaultId)!.doc_id;
    for (const method of ['GET', 'DELETE'])
      expect([method, (await call(inSpace(two), method, `/documents/${foreign}`)).status]).toEqual([method, 404]);
    expect((await call(caller, 'GET', `/documents/${foreign}`)).status).toBe(200);
  });

  it('of a key bound to a space go there without being told, and nowhere else', async () => {
    const [doc] = await memory.ingest(inSpace(two), [{ content: 'Sent without a space.' }]);
    expect((await call(caller, 'GET', `/documents/${doc}`)).body).toMatchObject({ space_id: two.spaceId });
    const refused = await call(inSpace(two), 'POST', '/documents', { content: 'x', space_id: one.spaceId });
    expect(refused).toMatchObject({ status: 403, body: { code: 'memory_not_permitted' } });
  });

  it('of one batch lie in one memory: a space of another is refused, and nothing is taken in', async () => {
    const elsewhere = memory.newSpace(memory.newMemory(caller));
    const answer = await call(caller, 'POST', '/documents', {
      documents: [{ content: 'first of a mixed batch' }, { content: 'second', space_id: elsewhere.spaceId }],
    });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: 'documents.1.space_id' }] } });
    const listed = (await call(caller, 'GET', '/documents')).body.documents as { title: string }[];
    expect(listed.map((document) => document.title)).not.toContain('first of a mixed batch');
  });
});
