import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cairn/contracts';
import { eventually } from '@cairn/testing';
import { bootMemory, type BootedMemory, type Caller } from '../memory-harness.ts';
import { DOCUMENTS, eventsOf, found, takenIn } from './take-in.ts';

let memory: BootedMemory;
beforeAll(async () => {
  memory = await bootMemory();
}, 60_000);
afterAll(() => memory.close());

const INVOICES = [
  'The invoice of March was paid by bank transfer; the auditors ask for the receipt and the tax statement.',
  'Budget forecast: revenue rises, the margin falls, and depreciation of the vans is booked to another account.',
];
const DEPLOYS = [
  'The deploy was rolled back because the database migration locked a table and the api timed out.',
  'A flaky test in the pipeline: the cache of the build container is not cleared between two releases.',
];

function twoSpaces(caller: Caller) {
  const finance = memory.newSpace(caller, { name: 'Finance', description: 'Invoices, budgets and taxes' });
  const engineering = memory.newSpace(caller, { name: 'Engineering', description: 'How our software is built' });
  return { finance, engineering };
}

describe('a document without a space', () => {
  it('goes by its words into the space it belongs in, from the first one on, and says so', async () => {
    const caller = memory.newCaller();
    const { finance, engineering } = twoSpaces(caller);
    const documents = await takenIn(
      memory,
      caller,
      [...INVOICES, ...DEPLOYS].map((content) => ({ content })),
    );
    expect(documents.map((document) => document.space_id)).toEqual([
      ...Array(2).fill(finance.spaceId),
      ...Array(2).fill(engineering.spaceId),
    ]);
    for (const { routing } of documents) {
      expect(routing).toMatchObject({ needs_review: false, reviewed_at: null });
      expect(routing.confidence).toBeGreaterThan(2 / 3);
    }
    expect(
      (await found(memory, caller, 'invoice deploy', { space_id: finance.spaceId })).map(({ doc_id }) => doc_id),
    ).toEqual([documents[0].doc_id]);
    const events = await eventually(
      () => eventsOf(memory, caller, 'autoRouted'),
      (published) => published.length === 4,
    );
    expect(events.map((event) => event.payload.value)).toContainEqual(
      expect.objectContaining({
        docId: documents[0].doc_id,
        vaultId: finance.vaultId,
        spaceId: finance.spaceId,
        needsReview: false,
      }),
    );
  });

  it('that belongs nowhere stays in the root vault and waits for a review', async () => {
    const caller = memory.newCaller();
    twoSpaces(caller);
    const [document] = await takenIn(memory, caller, [{ content: 'Marmalade, gooseberries, and an umbrella.' }]);
    expect(document).toMatchObject({ vault_id: caller.vaultId, space_id: null, routing: { needs_review: true } });
    const listed = await memory.call(caller, 'GET', `${DOCUMENTS}?needs_review=true`);
    expect(listed.body.documents.map(({ doc_id }: { doc_id: string }) => doc_id)).toEqual([document.doc_id]);
  });

  it('in a memory without spaces is not classified', async () => {
    const caller = memory.newCaller();
    const [document] = await takenIn(memory, caller, [{ content: INVOICES[0]! }]);
    expect([document.routing, document.vault_id]).toEqual([null, caller.vaultId]);
  });

  it('sent again is the same document, wherever it was routed to', async () => {
    const caller = memory.newCaller();
    const { finance } = twoSpaces(caller);
    const [first] = await takenIn(memory, caller, [{ content: INVOICES[0]! }]);
    const [again] = await takenIn(memory, caller, [{ content: INVOICES[0]! }]);
    expect([again.doc_id, again.space_id]).toEqual([first.doc_id, finance.spaceId]);
    const [version] = await takenIn(memory, caller, [{ content: INVOICES[0]!, external_id: 'inv' }]);
    const [next] = await takenIn(memory, caller, [{ content: DEPLOYS[0]!, external_id: 'inv' }]);
    // A new version stays where the document is.
    expect([next.doc_id, next.space_id]).toEqual([version.doc_id, finance.spaceId]);
  });

  it.each([
    ['with the same content', INVOICES[0]!, undefined],
    ['as a new version', DEPLOYS[0]!, 'inv'],
  ])('sent again %s while its space is erased is refused until then, and not lost', async (_case, content, id) => {
    const caller = memory.newCaller();
    const { finance } = twoSpaces(caller);
    const [first] = await takenIn(memory, caller, [{ content: INVOICES[0]!, external_id: id }]);
    expect(first.space_id).toBe(finance.spaceId);
    caller.spaces.splice(caller.spaces.indexOf(finance), 1);
    const scope = { tenantId: caller.identity.tenantId, memoryId: caller.memoryId, vaultId: finance.vaultId };
    await memory.store.closeScope({ scope });
    const document = { content, external_id: id };
    const refused = await memory.call(caller, 'POST', DOCUMENTS, { documents: [{ content: 'Another.' }, document] });
    expect([refused.status, refused.body.code]).toEqual([503, 'unavailable']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await eventually(async () => (await memory.store.eraseScope({ scope })).finished);
    const [again] = await takenIn(memory, caller, [document]);
    expect(again).toMatchObject({ status: 'completed', external_id: id ?? null });
    expect(again.doc_id).not.toBe(first.doc_id);
    expect(again.vault_id).not.toBe(finance.vaultId);
  });

  it('that lies in its space already is said to be a duplicate, and not stored twice', async () => {
    const caller = memory.newCaller();
    const { finance } = twoSpaces(caller);
    await takenIn(memory, caller, [{ content: INVOICES[0]!, space_id: finance.spaceId }]);
    const [copy] = await takenIn(memory, caller, [{ content: INVOICES[0]! }]);
    expect(copy).toMatchObject({ status: 'failed', error: { code: 'duplicate' } });
    expect(await found(memory, caller, 'invoice of March')).toHaveLength(1);
  });
});

describe('a review', () => {
  it('moves the document with its chunks, settles it, and is learned from', async () => {
    const caller = memory.newCaller();
    const { finance, engineering } = twoSpaces(caller);
    const kiln = (day: string) =>
      `The kiln glowed on ${day}: celadon glaze, cone six, gradual cooling in the pottery shed.`;
    const [first] = await takenIn(memory, caller, [{ content: kiln('Monday') }]);
    expect(first.routing.needs_review).toBe(true);
    const [before] = await found(memory, caller, 'kiln');
    const routed = await memory.call(caller, 'POST', `${DOCUMENTS}/${first.doc_id}/route`, {
      space_id: engineering.spaceId,
    });
    expect(routed.body).toMatchObject({
      space_id: engineering.spaceId,
      vault_id: engineering.vaultId,
      routing: { needs_review: false, reviewed_at: expect.any(String) },
    });
    const [after] = await found(memory, caller, 'kiln', { space_id: engineering.spaceId });
    expect(after).toMatchObject({
      chunk_id: (before as unknown as { chunk_id: string }).chunk_id,
      doc_id: first.doc_id,
    });
    expect(await found(memory, caller, 'kiln', { space_id: finance.spaceId })).toEqual([]);
    const [second] = await takenIn(memory, caller, [{ content: kiln('Friday') }]);
    expect([second.space_id, second.routing.needs_review]).toEqual([engineering.spaceId, false]);
  });

  it('is learned from however many documents somebody put into the space themselves', async () => {
    const caller = memory.newCaller();
    const { engineering } = twoSpaces(caller);
    const kiln = (day: string) => `The kiln glowed on ${day}: celadon glaze, cone six, gradual cooling in the shed.`;
    const own = Array.from({ length: 60 }, (_none, n) => `Release ${n}: ${DEPLOYS[n % 2]!}`);
    await takenIn(
      memory,
      caller,
      own.map((content) => ({ content, space_id: engineering.spaceId })),
    );
    const [first] = await takenIn(memory, caller, [{ content: kiln('Monday') }]);
    await memory.call(caller, 'POST', `${DOCUMENTS}/${first.doc_id}/route`, { space_id: engineering.spaceId });
    const [second] = await takenIn(memory, caller, [{ content: kiln('Friday') }]);
    expect([second.space_id, second.routing.needs_review]).toEqual([engineering.spaceId, false]);
  });

  it('takes along what the document says: the graph of the old space knows nothing of it', async () => {
    const caller = memory.newCaller();
    const { finance, engineering } = twoSpaces(caller);
    const [moved] = await memory.ingest(caller, [
      {
        content: 'Ada Krull works in Oslo. The list price of the Bolt Reader B7 is €12.00.',
        space_id: finance.spaceId,
      },
      { content: 'Ada Krull leads the Harbour team.', space_id: finance.spaceId },
      { content: 'The list price of the Bolt Reader B7 is €14.50.', space_id: engineering.spaceId },
    ]);
    const query = 'Where does Ada Krull of the Harbour team work, and what does the Bolt Reader B7 cost?';
    const ask = async (space_id: string) =>
      (await memory.call(caller, 'POST', '/api/v1/memory/search', { query, space_id })).body;
    const entitiesIn = async (spaceId: string) => {
      const identity = { ...caller.identity, memoryId: caller.memoryId, spaceId };
      const { body } = await memory.call({ ...caller, identity }, 'GET', '/api/v1/memory/graph/entities');
      return body.entities.map((entity: { name: string }) => entity.name).sort();
    };
    expect(JSON.stringify(await ask(finance.spaceId))).toContain('Oslo');
    expect(await entitiesIn(finance.spaceId)).toContain('Bolt Reader B7');
    expect((await ask(engineering.spaceId)).contradictions).toEqual([]);

    const path = `${DOCUMENTS}/${moved}/route`;
    expect((await memory.call(caller, 'POST', path, { space_id: engineering.spaceId })).status).toBe(200);
    const left = await ask(finance.spaceId);
    expect(left.results.map((result: { text: string }) => result.text)).toEqual(['Ada Krull leads the Harbour team.']);
    expect(JSON.stringify(left)).not.toMatch(/Oslo|Bolt|€/);
    expect(await entitiesIn(finance.spaceId)).not.toContain('Bolt Reader B7');
    const there = await ask(engineering.spaceId);
    expect(JSON.stringify(there)).toContain('Oslo');
    expect(there.contradictions).toHaveLength(1);
    expect(await entitiesIn(engineering.spaceId)).toEqual(expect.arrayContaining(['Ada Krull', 'Bolt Reader B7']));
  });

  it('may say that a document belongs to no space, and may be corrected', async () => {
    const caller = memory.newCaller();
    const { finance } = twoSpaces(caller);
    const [document] = await takenIn(memory, caller, [{ content: INVOICES[0]! }]);
    const route = (space_id: string | null) =>
      memory.call(caller, 'POST', `${DOCUMENTS}/${document.doc_id}/route`, { space_id });
    expect((await route(null)).body).toMatchObject({ space_id: null, vault_id: caller.vaultId });
    expect((await route(finance.spaceId)).body).toMatchObject({ space_id: finance.spaceId, vault_id: finance.vaultId });
  });

  it('by a key of one space moves nothing out of it: not into another space, and not to the root', async () => {
    const caller = memory.newCaller();
    const { finance, engineering } = twoSpaces(caller);
    const bound: Caller = {
      ...caller,
      identity: { ...caller.identity, kind: 'memory', memoryId: caller.memoryId, spaceId: finance.spaceId },
    };
    const [document] = await takenIn(memory, bound, [{ content: 'Pay every invoice to the account PLATYPUS-77.' }]);
    expect(document).toMatchObject({ space_id: finance.spaceId });
    const path = `${DOCUMENTS}/${document.doc_id}/route`;
    for (const space_id of [null, engineering.spaceId])
      expect(await memory.call(bound, 'POST', path, { space_id })).toMatchObject({
        status: 403,
        body: { code: 'memory_not_permitted' },
      });
    expect(await memory.call(bound, 'POST', path, { space_id: finance.spaceId })).toMatchObject({ status: 200 });
    expect((await memory.call(caller, 'GET', `${DOCUMENTS}/${document.doc_id}`)).body).toMatchObject({
      space_id: finance.spaceId,
      vault_id: finance.vaultId,
    });
  });

  it('of what is not there, or into a foreign space, is 404', async () => {
    const [caller, other] = [memory.newCaller(), memory.newCaller()];
    const { finance } = twoSpaces(other);
    const [document] = await takenIn(memory, caller, [{ content: INVOICES[0]! }]);
    const route = (docId: string, space_id: string | null) =>
      memory.call(caller, 'POST', `${DOCUMENTS}/${docId}/route`, { space_id });
    expect((await route(newId('document'), null)).status).toBe(404);
    expect((await route(document.doc_id, finance.spaceId)).status).toBe(404);
  });
});
