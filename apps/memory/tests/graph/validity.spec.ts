import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { bootMemory, type BootedMemory, type Caller } from '../memory-harness.ts';

let memory: BootedMemory;
beforeAll(async () => {
  memory = await bootMemory();
});
afterAll(() => memory.close());

interface Fact {
  fact_id: string;
  relation: string;
  value: string;
  valid_from: string | null;
  valid_to: string | null;
  ended: boolean;
  superseded_by: string | null;
}

const DOCUMENTS = [
  { content: 'Marta Oliveira was chief executive of Lumen Textiles from 2015 to 2019.' },
  { content: 'On 3 May 2021 Ines Carvalho became chief executive of Lumen Textiles.' },
  { content: 'Since March 2024 Lumen Textiles has been led by Rui Santos.' },
  {
    content:
      'Lumen Textiles moved its headquarters to Porto in June 2022. Until then the company was based in Braga, Portugal.',
  },
];

async function entityOf(caller: Caller, name: string): Promise<{ attributes: object; facts: Fact[] }> {
  const query = encodeURIComponent(name);
  const { entities } = (await memory.call(caller, 'GET', `/api/v1/memory/graph/entities?query=${query}`)).body;
  const found = entities.find((entity: { name: string }) => entity.name === name);
  return (await memory.call(caller, 'GET', `/api/v1/memory/graph/entities/${found.entity_id}`)).body;
}

const shown = (facts: readonly Fact[], relation: string) =>
  facts
    .filter((fact) => fact.relation === relation)
    .map(({ value, valid_from, valid_to, ended }) =>
      [value, valid_from?.slice(0, 10) ?? null, valid_to?.slice(0, 10) ?? null, ended].join(' '),
    )
    .sort();

it('facts say since when, until when and whether they still hold, as their documents do', async () => {
  const caller = memory.newCaller();
  await memory.ingest(caller, DOCUMENTS);
  const { facts, attributes } = await entityOf(caller, 'Lumen Textiles');
  expect(shown(facts, 'ceo')).toEqual(['Ines Carvalho 2021-05-03  false', 'Marta Oliveira 2015-01-01 2019-12-31 true']);
  expect(shown(facts, 'led_by')).toEqual(['Rui Santos 2024-03-01  false']);
  expect(shown(facts, 'headquarters')).toEqual(['Braga  2022-06-01 true', 'Porto 2022-06-01  false']);
  expect(attributes).toMatchObject({ ceo: 'Ines Carvalho', led_by: 'Rui Santos', headquarters: 'Porto' });
  expect((await memory.call(caller, 'GET', '/api/v1/memory/contradictions')).body.contradictions).toEqual([]);
}, 240_000);

it('what holds now takes the place of what ended, in whichever order the documents come', async () => {
  const caller = memory.newCaller();
  for (const document of DOCUMENTS.toReversed()) await memory.ingest(caller, [document]);
  const { facts } = await entityOf(caller, 'Lumen Textiles');
  const idOf = (value: string) => facts.find((fact) => fact.value === value)?.fact_id;
  const later = (value: string) => facts.find((fact) => fact.value === value)?.superseded_by;
  expect(later('Braga')).toBe(idOf('Porto'));
  expect(later('Marta Oliveira')).toBe(idOf('Ines Carvalho'));
  expect([later('Porto'), later('Ines Carvalho')]).toEqual([null, null]);
}, 240_000);

it('what somebody left is no attribute of theirs any more', async () => {
  const caller = memory.newCaller();
  await memory.ingest(caller, [
    { content: 'Anna Berg works for Nordhavn Shipping.' },
    { content: 'Anna Berg has worked for Orvik Instruments since 2012.' },
    { content: 'Anna Berg left Kestrel Software in 2011.' },
  ]);
  const { attributes, facts } = await entityOf(caller, 'Anna Berg');
  expect(shown(facts, 'works_for')).toEqual([
    'Kestrel Software  2011-12-31 true',
    'Nordhavn Shipping   false',
    'Orvik Instruments 2012-01-01  false',
  ]);
  expect(attributes).toMatchObject({ works_for: ['Nordhavn Shipping', 'Orvik Instruments'] });
}, 240_000);

it('a move that is announced changes no attribute before its day', async () => {
  const caller = memory.newCaller();
  await memory.ingest(caller, [
    { content: 'Orvik Instruments will move its headquarters from Bergen to Oslo in June 2090.' },
  ]);
  const { attributes, facts } = await entityOf(caller, 'Orvik Instruments');
  expect(shown(facts, 'headquarters')).toEqual(['Bergen  2090-06-30 false', 'Oslo 2090-06-01  false']);
  expect(attributes).toMatchObject({ headquarters: 'Bergen' });
}, 240_000);
