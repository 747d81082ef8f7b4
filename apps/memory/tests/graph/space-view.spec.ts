import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bootMemory, type BootedMemory, type Caller } from '../memory-harness.ts';

let memory: BootedMemory;
beforeAll(async () => {
  memory = await bootMemory();
});
afterAll(() => memory.close());

/** A memory of two spaces, and who has a key of the first alone. */
function twoSpaces() {
  const caller = memory.newCaller();
  const [own, other] = [memory.newSpace(caller), memory.newSpace(caller)];
  const inside: Caller = {
    ...caller,
    identity: { ...caller.identity, memoryId: caller.memoryId, spaceId: own.spaceId },
  };
  return { caller, inside, own: own.spaceId, other: other.spaceId };
}

const get = async (who: Caller, path: string) => (await memory.call(who, 'GET', `/api/v1/memory/graph/${path}`)).body;
const entityOf = async (who: Caller, name: string) => {
  const { entities } = await get(who, `entities?query=${name}`);
  return get(who, `entities/${entities[0].entity_id}`);
};

describe('with a key for one space, an entity', () => {
  it('shows the space’s own fact when another space has a later one', async () => {
    const { caller, inside, own, other } = twoSpaces();
    await memory.ingest(caller, [
      { content: 'Ada Krull has led the Finance team since 1 May 2021.', space_id: own },
      { content: 'Bruno Linde has led the Finance team since 1 June 2024.', space_id: other },
    ]);
    const superseding = ({ facts }: { facts: { value: string; superseded_by: string | null }[] }) =>
      new Map(facts.map((fact) => [fact.value, fact.superseded_by]));
    const [whole, seen] = [await entityOf(caller, 'finance'), await entityOf(inside, 'finance')];
    const [[relation]] = Object.entries(whole.attributes) as [[string, unknown]];
    expect(whole.attributes[relation]).toBe('Bruno Linde');
    expect(superseding(whole).get('Ada Krull')).toEqual(expect.any(String));
    expect(seen.attributes).toEqual({ [relation]: 'Ada Krull' });
    expect([...superseding(seen)]).toEqual([['Ada Krull', null]]);
  });

  it('shows no spelling that only another space uses', async () => {
    const { caller, inside, own, other } = twoSpaces();
    const sentence = (name: string) => `Vera Zander works for ${name}. Otto Quell left ${name}.`;
    await memory.ingest(caller, [
      { content: sentence('Harlan Works Ltd'), space_id: own },
      ...[1, 2].map((n) => ({ content: `Page ${n}. ${sentence('Harlan Works GmbH')}`, space_id: other })),
    ]);
    const whole = await entityOf(caller, 'harlan');
    expect([whole.name, ...whole.aliases]).toEqual(['Harlan Works GmbH', 'Harlan Works Ltd.']);
    const seen = await entityOf(inside, 'harlan');
    expect([seen.name, seen.aliases]).toEqual(['Harlan Works Ltd.', []]);
    const { entities } = await get(inside, 'entities');
    expect(JSON.stringify(entities)).not.toContain('GmbH');
  });

  it('shows the space’s own fact when other spaces have hundreds of newer ones', async () => {
    const { caller, inside, own, other } = twoSpaces();
    await memory.ingest(caller, [{ content: 'The list price of the Bolt Reader B7 is €4.00.', space_id: own }]);
    const lines = Array.from({ length: 320 }, (_none, n) => `The list price of the Bolt Reader B7 is €${n + 5}.00.`);
    const parts = Array.from({ length: 8 }, (_none, n) => lines.slice(n * 40, n * 40 + 40).join('\n\n'));
    await memory.ingest(
      caller,
      parts.map((content) => ({ content, space_id: other })),
    );
    const values = (entity: { facts: { value: string }[] }) => entity.facts.map((fact) => fact.value);
    expect(values(await entityOf(caller, 'bolt'))).toHaveLength(300);
    expect(values(await entityOf(inside, 'bolt'))).toEqual(['€4.00']);
  });
});

it('a name that every object has as a property keeps its spelling', async () => {
  const caller = memory.newCaller();
  await memory.ingest(caller, [{ content: 'Name: toString; Role: chief engineer; Employer: Harlan Works Ltd' }]);
  const { entities } = await get(caller, 'entities?query=tostring');
  expect(entities.map((entity: { name: string }) => entity.name)).toEqual(['toString']);
});
