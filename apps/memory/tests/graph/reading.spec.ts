import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bootMemory, type BootedMemory, type Caller } from '../memory-harness.ts';

let memory: BootedMemory;
beforeAll(async () => {
  memory = await bootMemory();
});
afterAll(() => memory.close());

interface ShownFact {
  relation: string;
  value: string;
  quote: string;
  ended: boolean;
  superseded_by: string | null;
}

async function entity(caller: Caller, name: string) {
  const query = encodeURIComponent(name);
  const { entities } = (await memory.call(caller, 'GET', `/api/v1/memory/graph/entities?query=${query}`)).body;
  const found = entities.find((each: { name: string }) => each.name === name);
  if (found === undefined) return { type: 'none', facts: [] as ShownFact[], entity_id: '' };
  const { body } = await memory.call(caller, 'GET', `/api/v1/memory/graph/entities/${found.entity_id}`);
  return { type: found.type as string, facts: body.facts as ShownFact[], entity_id: found.entity_id as string };
}

const contradictionsOf = async (caller: Caller) =>
  (await memory.call(caller, 'GET', '/api/v1/memory/contradictions')).body.contradictions as {
    relation: string;
    facts: ShownFact[];
  }[];

describe('what a document says', () => {
  it('is shown with the types of its names, and with each fact the words that state it', async () => {
    const caller = memory.newCaller();
    const content =
      'Tessaly Foundry was founded by Greta Holm in 1974. It is based in Aarhus, Denmark. ' +
      'The company acquired Brightwater Ltd in 2004 for $75 million. Greta Holm, its chief executive, also leads Helmbrook Dairy.';
    await memory.ingest(caller, [{ content }]);
    const foundry = await entity(caller, 'Tessaly Foundry');
    const types = await Promise.all(
      ['Greta Holm', 'Helmbrook Dairy', 'Brightwater Ltd', 'Aarhus'].map(
        async (name) => (await entity(caller, name)).type,
      ),
    );
    expect([foundry.type, ...types]).toEqual(['organisation', 'person', 'organisation', 'organisation', 'place']);
    const said = (name: { facts: ShownFact[] }) => name.facts.map(({ relation, value }) => `${relation} ${value}`);
    expect(said(foundry)).toEqual(
      expect.arrayContaining([
        'founded_by Greta Holm',
        'founded_date 1974',
        'headquarters Aarhus',
        'acquired Brightwater Ltd',
      ]),
    );
    expect(said(await entity(caller, 'Brightwater Ltd'))).toEqual(
      expect.arrayContaining(['owned_by Tessaly Foundry', 'acquired_date 2004', 'acquisition_price $75 million']),
    );
    for (const { relation, quote } of foundry.facts) {
      expect(content).toContain(quote);
      if (relation === 'headquarters') expect(quote).toBe('It is based in Aarhus, Denmark.');
    }
  });

  it('makes a link of a verb that is no relation by name, and no fact', async () => {
    const caller = memory.newCaller();
    await memory.ingest(caller, [{ content: 'Greta Holm criticised Brightwater Ltd in a letter.' }]);
    const { entity_id, facts } = await entity(caller, 'Greta Holm');
    expect(facts).toEqual([]);
    const { edges } = (await memory.call(caller, 'GET', `/api/v1/memory/graph/explore/${entity_id}`)).body;
    expect(edges.map(({ type }: { type: string }) => type).sort()).toEqual(['co_occurs', 'criticise']);
  });

  it('types a name by the whole document, also where nothing beside it tells', async () => {
    const caller = memory.newCaller();
    const filler = 'The rest of this page is about the weather of the season and nothing else at all. '.repeat(14);
    await memory.ingest(caller, [
      { content: `Quellmark sold more in spring.\n\n${filler}\n\nQuellmark is a company that employs 40 engineers.` },
    ]);
    expect((await entity(caller, 'Quellmark')).type).toBe('organisation');
  });

  it('in another language has its names, and nothing fails', async () => {
    const caller = memory.newCaller();
    await memory.ingest(caller, [
      { content: 'Die Ursache der Störung war ein Fehler. Bitte melden Sie das an Ada Krull bei der Norden GmbH.' },
      { content: '東京は日本の首都です。オスロはノルウェーの首都です。' },
    ]);
    expect((await entity(caller, 'Ada Krull')).type).toBe('person');
    expect((await entity(caller, 'Norden GmbH')).type).toBe('organisation');
  });
});

describe('plain sentences', () => {
  it.each([
    [
      'a founding',
      'Helmbrook Dairy was founded in 1987.',
      'Helmbrook Dairy, founded in 1992, sells butter.',
      'founded_date',
    ],
    ['a birth', 'Anna Berg (born 11 May 1955) paints.', 'Anna Berg was born on 12 May 1955.', 'birth_date'],
    [
      'a seat',
      'Orvik Instruments is based in Bergen.',
      'The headquarters of Orvik Instruments are in Oslo.',
      'headquarters',
    ],
    ['a head', 'Ola Nordmann is the CEO of Orvik Instruments.', 'Anna Berg is the CEO of Orvik Instruments.', 'ceo'],
  ])('that disagree about %s contradict each other, and both are quoted', async (_what, one, other, relation) => {
    const caller = memory.newCaller();
    await memory.ingest(caller, [{ content: one }, { content: other }]);
    const found = await contradictionsOf(caller);
    expect(found.map((each) => each.relation)).toEqual([relation]);
    expect(found[0]!.facts.map(({ quote }) => quote).sort()).toEqual([one, other].sort());
  });

  it.each([
    ['a less exact date', 'Helmbrook Dairy was founded in 1987.', 'Helmbrook Dairy was founded in May 1987.'],
    ['a place in the other', 'Orvik Instruments is based in Austin.', 'Orvik Instruments is based in Texas.'],
    ['two pasts', 'Ola Nordmann was the CEO of Orvik Instruments.', 'Anna Berg was the CEO of Orvik Instruments.'],
    ['many at a time', 'Anna Berg works for Orvik Instruments.', 'Anna Berg works for Helmbrook Dairy.'],
  ])('that agree do not: %s', async (_what, one, other) => {
    const caller = memory.newCaller();
    await memory.ingest(caller, [{ content: one }, { content: other }]);
    expect(await contradictionsOf(caller)).toEqual([]);
  });

  it('of who was and who is are a change: the former is superseded, in one document or in two', async () => {
    const caller = memory.newCaller();
    await memory.ingest(caller, [
      { content: 'Ola Nordmann, the former CEO of Orvik Instruments, left in spring.' },
      { content: 'Anna Berg is the CEO of Orvik Instruments.' },
    ]);
    expect(await contradictionsOf(caller)).toEqual([]);
    const { facts } = await entity(caller, 'Orvik Instruments');
    const heads = facts.filter(({ relation }) => relation === 'ceo');
    expect(heads.map(({ value, ended, superseded_by }) => [value, ended, superseded_by === null]).sort()).toEqual([
      ['Anna Berg', false, true],
      ['Ola Nordmann', true, false],
    ]);
  });
});
