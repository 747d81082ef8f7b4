import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { bootMemory, type BootedMemory, type Caller } from '../memory-harness.ts';

let memory: BootedMemory;
beforeAll(async () => {
  memory = await bootMemory();
});
afterAll(() => memory.close());

interface Entity {
  entity_id: string;
  name: string;
  type: string;
  aliases: string[];
  document_count: number;
}
const ROOT = '/api/v1/memory/graph';
const entities = async (caller: Caller, query: string): Promise<Entity[]> =>
  (await memory.call(caller, 'GET', `${ROOT}/entities?query=${encodeURIComponent(query)}`)).body.entities;

describe('names', () => {
  it.each([
    [
      'legal forms',
      'Norden Maschinenbau GmbH makes cranes in Oslo.',
      'We buy from Norden Maschinenbau in Oslo.',
      'norden',
    ],
    ['marks on letters', 'Étienne Kranz works in Oslo.', 'Etienne Kranz works in Oslo.', 'kranz'],
    [
      'the order of words',
      'Annegret Voss works in Oslo.',
      'Name: Voss Annegret; Office: Oslo\nName: Kranz Emile; Office: Oslo',
      'voss',
    ],
    ['case', 'The NORDSTERN project runs in Oslo.', 'The Nordstern project runs in Oslo.', 'nordstern'],
  ])('that differ in %s are one entity', async (_what, one, other, query) => {
    const caller = memory.newCaller();
    await memory.ingest(caller, [{ content: one }, { content: other }]);
    const found = await entities(caller, query);
    expect(found).toHaveLength(1);
    expect(found[0]!.document_count).toBe(2);
  });

  it.each([
    [
      'homonyms of two kinds',
      'Dr. Jordan lives in Oslo.',
      'Jordan is a country near Egypt. The Jordan office is based in Jordan.',
      'jordan',
      2,
    ],
    ['numbers', 'The Bolt Reader B7 broke.', 'The Bolt Reader B8 broke.', 'bolt reader', 2],
    ['given names', 'Anna Schmidt works in Oslo.', 'Anne Schmidt works in Oslo.', 'schmidt', 2],
  ])('that differ in %s stay apart', async (_what, one, other, query, count) => {
    const caller = memory.newCaller();
    await memory.ingest(caller, [{ content: one }, { content: other }]);
    expect((await entities(caller, query)).length).toBeGreaterThanOrEqual(count);
  });

  it('of other scripts survive normalisation and are found', async () => {
    const caller = memory.newCaller();
    await memory.ingest(caller, [
      { content: 'Сергей Королёв работал в Москве. Лена Ким работала в Москве.' },
      { content: '# Αλέξανδρος Παππάς\n\nΟ Αλέξανδρος Παππάς ζει στην Αθήνα.' },
      { content: 'Name: 田中太郎; Office: 東京\nName: 鈴木花子; Office: 大阪' },
    ]);
    for (const query of ['Королёв', 'Παππάς', '田中太郎'])
      expect([query, (await entities(caller, query)).length]).toEqual([query, 1]);
  });
});

describe('a review', () => {
  it('waits for names that are nearly alike; `same` merges them, and undoing it parts them and opens it again', async () => {
    const caller = memory.newCaller();
    await memory.ingest(caller, [
      { content: 'Ines Carvalhal met Bruno Linde.' },
      { content: 'Ines Carvalhall met Bruno Linde.' },
    ]);
    expect(await entities(caller, 'ines')).toHaveLength(2);
    const reviews = async () => (await memory.call(caller, 'GET', `${ROOT}/reviews?status=open`)).body.reviews;
    const [open] = await reviews();
    expect(open.entities.map((entity: Entity) => entity.name).sort()).toEqual(['Ines Carvalhal', 'Ines Carvalhall']);
    const decided = await memory.call(caller, 'POST', `${ROOT}/reviews/${open.review_id}/decide`, { decision: 'same' });
    expect(decided.body.kind).toBe('merge');
    const [merged, ...others] = await entities(caller, 'ines');
    expect(others).toEqual([]);
    expect(merged).toMatchObject({ document_count: 2, aliases: [expect.stringContaining('Ines')] });
    expect(await reviews()).toEqual([]);
    expect(
      (await memory.call(caller, 'POST', `${ROOT}/reviews/${open.review_id}/decide`, { decision: 'same' })).status,
    ).toBe(409);
    expect((await memory.call(caller, 'DELETE', `${ROOT}/decisions/${decided.body.decision_id}`)).body.undone).toBe(
      true,
    );
    expect(await entities(caller, 'ines')).toHaveLength(2);
    expect(await reviews()).toHaveLength(1);
  });

  it('waits for the names that are most alike, however many resemble one another', async () => {
    const caller = memory.newCaller();
    const letters = [...'bcdfghklmnprst'];
    const names = letters.flatMap((a) => ['o', 'u', 'i'].map((b) => `Annegret Carvalhosan${a}${b}r`));
    await memory.ingest(caller, [{ content: names.map((name) => `${name} works in Oslo.`).join(' ') }]);
    const superuser = new pg.Client({ connectionString: memory.database.superuserUrl });
    await superuser.connect();
    const { rows } = await superuser
      .query<{ count: number }>('SELECT count(*)::int FROM memory.graph_reviews WHERE memory_id = $1', [
        caller.memoryId,
      ])
      .finally(() => superuser.end());
    expect(rows[0]!.count).toBeGreaterThan(4 * names.length);
    expect(rows[0]!.count).toBeLessThanOrEqual(8 * names.length);
  });
});

describe('a merge', () => {
  it('brings links and contradictions together, outlives new documents, and is undone', async () => {
    const caller = memory.newCaller();
    await memory.ingest(caller, [
      { content: 'Big Blue is based in Oslo.' },
      { content: 'Armonk Systems is based in Bergen.' },
    ]);
    const [blue] = await entities(caller, 'big blue');
    const [armonk] = await entities(caller, 'armonk');
    const contradictions = async () =>
      (await memory.call(caller, 'GET', '/api/v1/memory/contradictions')).body.contradictions;
    expect(await contradictions()).toEqual([]);
    const merged = await memory.call(caller, 'POST', `${ROOT}/merges`, {
      entity_ids: [blue!.entity_id, armonk!.entity_id],
    });
    expect(merged.status).toBe(201);
    expect(await contradictions()).toHaveLength(1);
    await memory.ingest(caller, [{ content: 'Armonk Systems hired Ada Krull.' }]);
    const explored = await memory.call(caller, 'GET', `${ROOT}/explore/${merged.body.entity_id}`);
    const names = explored.body.nodes.map((node: Entity) => node.name);
    expect(names).toEqual(expect.arrayContaining(['Oslo', 'Bergen', 'Ada Krull']));
    expect(explored.body.nodes[0].document_count).toBe(3);
    await memory.call(caller, 'DELETE', `${ROOT}/decisions/${merged.body.decision_id}`);
    expect(await contradictions()).toEqual([]);
    expect(await entities(caller, 'big blue')).toHaveLength(1);
    expect((await entities(caller, 'armonk'))[0]!.document_count).toBe(2);
  });

  it('of entities that do not exist is 404, of one entity 422, and a key of one space may not', async () => {
    const caller = memory.newCaller();
    await memory.ingest(caller, [{ content: 'Ada Krull met Bruno Linde.' }]);
    const [ada] = await entities(caller, 'ada');
    const merge = (who: Caller, ids: string[]) => memory.call(who, 'POST', `${ROOT}/merges`, { entity_ids: ids });
    expect((await merge(caller, [ada!.entity_id, 'ent_none'])).status).toBe(404);
    expect((await merge(caller, [ada!.entity_id, ada!.entity_id])).status).toBe(422);
    const space = memory.newSpace(caller);
    const inside: Caller = {
      ...caller,
      identity: { ...caller.identity, memoryId: caller.memoryId, spaceId: space.spaceId },
    };
    expect((await merge(inside, [ada!.entity_id, 'ent_none'])).status).toBe(403);
  });
});

describe('a split', () => {
  it('tells homonyms of one spelling apart by their documents, also when a document is replaced, and is undone', async () => {
    const caller = memory.newCaller();
    const [, second] = await memory.ingest(caller, [
      { external_id: 'a', content: 'Maria Sanchez works from the Oslo office.' },
      { external_id: 'b', content: 'Maria Sanchez works from the Lisbon office.' },
    ]);
    const contradictions = async () =>
      (await memory.call(caller, 'GET', '/api/v1/memory/contradictions')).body.contradictions;
    expect(await contradictions()).toHaveLength(1);
    const [maria] = await entities(caller, 'maria sanchez');
    const split = await memory.call(caller, 'POST', `${ROOT}/splits`, {
      entity_id: maria!.entity_id,
      doc_ids: [second],
    });
    expect(split.status).toBe(201);
    expect(split.body.entity_id).not.toBe(maria!.entity_id);
    expect(await contradictions()).toEqual([]);
    await memory.ingest(caller, [{ external_id: 'b', content: 'Maria Sanchez works from the Porto office.' }]);
    expect(await entities(caller, 'maria sanchez')).toHaveLength(2);
    const other = (await memory.call(caller, 'GET', `${ROOT}/entities/${split.body.entity_id}`)).body;
    expect(other.attributes).toEqual({ works_in: 'Porto' });
    await memory.call(caller, 'DELETE', `${ROOT}/decisions/${split.body.decision_id}`);
    expect(await entities(caller, 'maria sanchez')).toHaveLength(1);
    expect(await contradictions()).toHaveLength(1);
  });
});
