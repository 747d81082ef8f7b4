import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bootMemory, type BootedMemory, type Caller } from '../memory-harness.ts';
import { handbookPages, plantedDisagreements } from './handbook.ts';
import { graphEvents } from './graph-events.ts';

let memory: BootedMemory;
beforeAll(async () => {
  memory = await bootMemory();
});
afterAll(() => memory.close());

const PATH = '/api/v1/memory/contradictions';
const listed = async (caller: Caller, query = '') =>
  (await memory.call(caller, 'GET', `${PATH}${query}`)).body.contradictions;
const said = (value: string) => ({ content: `The list price of the Bolt Reader B7 is ${value}. It is sold in boxes.` });

describe('in the example handbook', () => {
  it('every planted disagreement is found, with the sentences that disagree, and nothing else is', async () => {
    const caller = memory.newCaller();
    const pages = handbookPages();
    const ids = await memory.ingest(caller, pages);
    const pathOf = new Map(ids.map((id, index) => [id, pages[index]!.external_id]));
    const found = await listed(caller);
    const statedIn = found.map((each: { facts: { doc_id: string }[] }) =>
      [...new Set(each.facts.map((fact) => pathOf.get(fact.doc_id)!))].sort(),
    );
    const planted = plantedDisagreements.map(({ statements }) =>
      [...new Set(statements.map((statement) => statement.path))].sort(),
    );
    expect(statedIn.sort()).toEqual(planted.sort());
    for (const each of found) {
      expect(each).toMatchObject({ status: 'open', winner: null });
      for (const fact of each.facts) {
        const page = pages.find((known) => known.external_id === pathOf.get(fact.doc_id))!;
        expect(fact.title).toBe(page.title);
        const words = fact.quote.split(/[^\p{L}\p{N}]+/u).filter((word: string) => word.length > 3);
        expect(words.every((word: string) => page.content.includes(word))).toBe(true);
      }
    }
    // Five pages only mention this customer, and one says that it is a family firm.
    const query = encodeURIComponent('Pêcheries Kervalec');
    const { entities } = (await memory.call(caller, 'GET', `/api/v1/memory/graph/entities?query=${query}`)).body;
    const named = entities.filter(({ name }: { name: string }) => name === 'Pêcheries Kervalec');
    expect(named).toEqual([expect.objectContaining({ type: 'organisation', document_count: 6 })]);
  }, 120_000);
});

describe('a contradiction', () => {
  it('is detected on ingest with an event, resolved with an event, reopened, and gone with one of its documents', async () => {
    const caller = memory.newCaller();
    const [first, second] = await memory.ingest(caller, [
      said('€12.00'),
      { content: 'Notes. The list price of the Bolt Reader B7 is €14.50 this year.' },
    ]);
    const [open] = await listed(caller);
    expect(open.facts.map((fact: { doc_id: string }) => fact.doc_id).sort()).toEqual([first, second].sort());
    expect(open.entity).toMatchObject({ name: 'Bolt Reader B7', type: 'product' });
    const winner = open.facts.find((fact: { doc_id: string }) => fact.doc_id === second);
    const resolved = await memory.call(caller, 'POST', `${PATH}/${open.contradiction_id}/resolve`, {
      winner: winner.fact_id,
      note: 'Price list',
    });
    expect(resolved.body).toMatchObject({ status: 'resolved', winner: winner.fact_id, note: 'Price list' });
    const loser = resolved.body.facts.find((fact: { doc_id: string }) => fact.doc_id === first);
    expect([loser.superseded_by, loser.value]).toEqual([winner.fact_id, '€12.00']);
    const again = await memory.call(caller, 'POST', `${PATH}/${open.contradiction_id}/resolve`, {
      winner: winner.fact_id,
    });
    expect(again.status).toBe(200);
    expect(await listed(caller, '?status=open')).toEqual([]);
    const reopened = await memory.call(caller, 'POST', `${PATH}/${open.contradiction_id}/reopen`, {});
    expect(reopened.body.status).toBe('open');
    expect(reopened.body.facts.every((fact: { superseded_by: string | null }) => fact.superseded_by === null)).toBe(
      true,
    );
    await memory.call(caller, 'DELETE', `/api/v1/memory/documents/${first}`);
    expect(await listed(caller)).toEqual([]);
    const events = await graphEvents(memory, caller);
    expect(events.map((event) => event.payload.case)).toEqual(
      expect.arrayContaining(['entityCreated', 'contradictionDetected', 'contradictionResolved']),
    );
    const detected = events.find((event) => event.payload.case === 'contradictionDetected')!;
    expect(detected.payload.value).toMatchObject({
      contradictionId: open.contradiction_id,
      entityId: open.entity.entity_id,
      relation: 'list_price',
    });
  });

  it('stays resolved when a decided value is said again, and reopens with a value nobody has decided about', async () => {
    const caller = memory.newCaller();
    await memory.ingest(caller, [said('€12.00'), { content: 'The list price of the Bolt Reader B7 is €14.50 now.' }]);
    const [open] = await listed(caller);
    await memory.call(caller, 'POST', `${PATH}/${open.contradiction_id}/resolve`, { winner: 'both' });
    await memory.ingest(caller, [{ content: 'Repeated here: the list price of the Bolt Reader B7 is EUR 12.' }]);
    expect((await listed(caller))[0]).toMatchObject({ status: 'resolved', winner: 'both' });
    await memory.ingest(caller, [{ content: 'A third page: the list price of the Bolt Reader B7 is €16.' }]);
    expect((await listed(caller))[0]).toMatchObject({
      contradiction_id: open.contradiction_id,
      status: 'open',
      winner: null,
    });
  });

  it('keeps no value that was decided about when only a deleted document said it', async () => {
    const caller = memory.newCaller();
    const [first] = await memory.ingest(caller, [
      said('€12.00'),
      { content: 'The list price of the Bolt Reader B7 is €14.50 now.' },
      { content: 'A third page: the list price of the Bolt Reader B7 is €16.' },
    ]);
    const [open] = await listed(caller);
    const { fact_id: winner } = open.facts.find((fact: { value: string }) => fact.value === '€14.50');
    await memory.call(caller, 'POST', `${PATH}/${open.contradiction_id}/resolve`, { winner });
    const decidedAmounts = async () => {
      const [row] = await memory.database.app.withTenant(caller.identity.tenantId, (tx) =>
        tx.query<{ decided: { value: { amount: number } }[] }>(
          'SELECT decided FROM graph_contradictions WHERE contradiction_id = $1',
          [open.contradiction_id],
        ),
      );
      return row!.decided.map(({ value }) => value.amount).sort((a, b) => a - b);
    };
    expect(await decidedAmounts()).toEqual([12, 14.5, 16]);
    await memory.call(caller, 'DELETE', `/api/v1/memory/documents/${first}`);
    expect(await decidedAmounts()).toEqual([14.5, 16]);
    expect(await listed(caller)).toMatchObject([{ status: 'resolved', winner }]);
  });

  it('stands, decided or not, when its statements are no longer among the newest that are compared', async () => {
    const caller = memory.newCaller();
    await memory.ingest(caller, [said('€12.00'), { content: 'The list price of the Bolt Reader B7 is €14.50 now.' }]);
    const [open] = await listed(caller);
    await memory.call(caller, 'POST', `${PATH}/${open.contradiction_id}/resolve`, { winner: 'both', note: 'Regions' });
    // As many documents would: each says the same as one of the two, with an identifier that sorts after it.
    await memory.database.app.withTenant(caller.identity.tenantId, (tx) =>
      tx.execute(
        `INSERT INTO graph_facts (tenant_id, memory_id, fact_id, doc_id, chunk_id, vault_id, subject_no, relation, value_text, value, negated, confidence, quote, quote_start, quote_end)
         SELECT tenant_id, memory_id, fact_id || to_char(n, 'FM000'), doc_id || n, chunk_id || n, vault_id, subject_no, relation, value_text, value, negated, confidence, quote, quote_start, quote_end
           FROM (SELECT * FROM graph_facts WHERE value_text = '€14.50' LIMIT 1) AS said, generate_series(1, 400) AS n`,
      ),
    );
    await memory.ingest(caller, [{ content: 'Said once more: the list price of the Bolt Reader B7 is €14.50.' }]);
    expect(await listed(caller)).toEqual([
      expect.objectContaining({ contradiction_id: open.contradiction_id, status: 'resolved', note: 'Regions' }),
    ]);
    await memory.ingest(caller, [{ content: 'The newest page: the list price of the Bolt Reader B7 is €16.' }]);
    const [reopened] = await listed(caller);
    expect(reopened).toMatchObject({ contradiction_id: open.contradiction_id, status: 'open' });
    // Of more than it keeps, the newest of each value in turn.
    expect(reopened.facts).toHaveLength(100);
    const values = new Set(reopened.facts.map((fact: { value: string }) => fact.value));
    expect([...values].sort()).toEqual(['€12.00', '€14.50', '€16']);
  });

  it.each([
    ['the same amount in other words', 'Backups are kept for 12 months.', 'Backups are retained for one year.', 0],
    ['two periods', 'Backups are kept for 12 months.', 'Backups are deleted after 90 days.', 1],
    ['a day within its month', 'The Lisbon office opened on 4 May 2023.', 'The Lisbon office opened in May 2023.', 0],
    ['two days', 'The Lisbon office opened on 4 May 2023.', 'The Lisbon office opened on 5 May 2023.', 1],
    [
      'a claim and its negation',
      'The Basic plan includes telephone support.',
      'The Basic plan does not include telephone support.',
      1,
    ],
    ['relations that may have many values', 'Ada Krull works for Norden GmbH.', 'Ada Krull works for Suden GmbH.', 0],
    [
      'times that do not meet',
      'Ada Krull has led Finance since 1 May 2021.',
      'Bruno Linde has led Finance since 1 June 2024.',
      0,
    ],
  ])('is made of what excludes each other: %s', async (_case, one, other, count) => {
    const caller = memory.newCaller();
    await memory.ingest(caller, [{ content: `First page. ${one}` }, { content: `Second page. ${other}` }]);
    expect(await listed(caller)).toHaveLength(count);
  });

  it('keeps a superseded fact with its times, pointing to what holds since', async () => {
    const caller = memory.newCaller();
    await memory.ingest(caller, [
      { content: 'Ada Krull has led the Finance team since 1 May 2021.' },
      { content: 'Bruno Linde has led the Finance team since 1 June 2024.' },
    ]);
    const entities = (await memory.call(caller, 'GET', '/api/v1/memory/graph/entities?query=finance')).body.entities;
    const { facts } = (await memory.call(caller, 'GET', `/api/v1/memory/graph/entities/${entities[0].entity_id}`)).body;
    const ada = facts.find((fact: { value: string }) => fact.value === 'Ada Krull');
    const bo = facts.find((fact: { value: string }) => fact.value === 'Bruno Linde');
    expect([ada.superseded_by, ada.valid_from, bo.superseded_by]).toEqual([
      bo.fact_id,
      '2021-05-01T00:00:00.000Z',
      null,
    ]);
  });

  it('answers 422 to a winner it does not have, 409 to a second decision, 404 to another tenant', async () => {
    const caller = memory.newCaller();
    await memory.ingest(caller, [said('€12.00'), { content: 'The list price of the Bolt Reader B7 is €14.50 now.' }]);
    const [open] = await listed(caller);
    const resolve = `${PATH}/${open.contradiction_id}/resolve`;
    expect((await memory.call(caller, 'POST', resolve, { winner: 'rel_1' })).status).toBe(422);
    expect((await memory.call(caller, 'POST', `${PATH}/${open.contradiction_id}/reopen`, {})).status).toBe(409);
    await memory.call(caller, 'POST', resolve, { winner: 'both' });
    expect((await memory.call(caller, 'POST', resolve, { winner: open.facts[0].fact_id })).status).toBe(409);
    expect((await memory.call(memory.newCaller(), 'GET', `${PATH}/${open.contradiction_id}`)).status).toBe(404);
  });
});

it('events carry ids of this memory and no other', async () => {
  const caller = memory.newCaller();
  await memory.ingest(caller, [{ content: 'Ida Brandt lives in Oslo.' }]);
  const events = await graphEvents(memory, caller);
  expect(
    events.every((event) => event.memoryId === caller.memoryId && event.tenantId === caller.identity.tenantId),
  ).toBe(true);
  expect(events.length).toBeGreaterThan(1);
});

describe('a search', () => {
  it('shows an open contradiction beside the claim, with both statements, until it is resolved', async () => {
    const caller = memory.newCaller();
    await memory.ingest(caller, [said('€12.00'), { content: 'Now the list price of the Bolt Reader B7 is €14.50.' }]);
    const ask = async () =>
      (
        await memory.call(caller, 'POST', '/api/v1/memory/search', {
          query: 'What is the list price of the Bolt Reader B7?',
        })
      ).body;
    const { contradictions, entities, citations } = await ask();
    expect(entities[0]).toMatchObject({ name: 'Bolt Reader B7', type: 'product' });
    expect(contradictions).toHaveLength(1);
    expect(contradictions[0].facts.map((fact: { value: string }) => fact.value).sort()).toEqual(['€12.00', '€14.50']);
    expect(contradictions[0].citation_ids.length).toBeGreaterThan(0);
    expect(citations.map((citation: { citation_id: string }) => citation.citation_id)).toEqual(
      expect.arrayContaining(contradictions[0].citation_ids),
    );
    const path = `${PATH}/${contradictions[0].contradiction_id}/resolve`;
    await memory.call(caller, 'POST', path, { winner: contradictions[0].facts[0].fact_id });
    expect((await ask()).contradictions).toEqual([]);
  });

  it('shows who asks one space only what that space contradicts itself about', async () => {
    const caller = memory.newCaller();
    const [one, two] = [memory.newSpace(caller), memory.newSpace(caller)];
    await memory.ingest(caller, [
      { ...said('€12.00'), space_id: one.spaceId },
      { ...said('€14.50'), space_id: two.spaceId },
      { ...said('€16.00'), space_id: two.spaceId },
    ]);
    const valuesFor = async (asked: object) => {
      const { body } = await memory.call(caller, 'POST', '/api/v1/memory/search', {
        query: 'What is the list price of the Bolt Reader B7?',
        ...asked,
      });
      return body.contradictions.map((each: { entity: object; facts: { value: string }[] }) => ({
        entity: each.entity,
        values: each.facts.map((fact) => fact.value).sort(),
      }));
    };
    const entity = expect.objectContaining({ name: 'Bolt Reader B7', type: 'product' });
    expect(await valuesFor({})).toEqual([{ entity, values: ['€12.00', '€14.50', '€16.00'] }]);
    expect(await valuesFor({ space_id: one.spaceId })).toEqual([]);
    expect(await valuesFor({ space_id: two.spaceId })).toEqual([{ entity, values: ['€14.50', '€16.00'] }]);
  });

  it('finds by the graph what no word of the question names, and nothing that a filter leaves out', async () => {
    const caller = memory.newCaller();
    await memory.ingest(caller, [
      { content: 'Ines Carvalhal leads the Harbour project.', metadata: { part: 'a' } },
      { content: 'Ines Carvalhal answers on extension 217.', metadata: { part: 'b' } },
      ...Array.from({ length: 5 }, (_, n) => ({
        content: `Page ${n} speaks of cranes and of weather.`,
        metadata: { part: 'c' },
      })),
    ]);
    const ask = async (filters?: unknown) =>
      (
        await memory.call(caller, 'POST', '/api/v1/memory/search', {
          query: 'Who leads the Harbour project?',
          top_k: 2,
          ...(filters === undefined ? {} : { filters }),
        })
      ).body.results.map((result: { text: string }) => result.text);
    expect(await ask()).toEqual([
      'Ines Carvalhal leads the Harbour project.',
      'Ines Carvalhal answers on extension 217.',
    ]);
    expect(await ask({ field: 'metadata.part', op: 'eq', value: 'a' })).toEqual([
      'Ines Carvalhal leads the Harbour project.',
    ]);
  });
});
