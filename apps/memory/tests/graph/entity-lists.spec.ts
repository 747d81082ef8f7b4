import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@cairn/testing';
import { bootMemory, type BootedMemory, type Caller } from '../memory-harness.ts';

let memory: BootedMemory;
let caller: Caller;
let inside: Caller;
beforeAll(async () => {
  memory = await bootMemory();
  caller = memory.newCaller();
  const space = memory.newSpace(caller);
  inside = { ...caller, identity: { ...caller.identity, memoryId: caller.memoryId, spaceId: space.spaceId } };
  await memory.ingest(caller, [{ content: 'Vera Zander works from the Lyon office. Vera Zander met Otto Quell.' }]);
  await memory.ingest(caller, [
    { content: 'Otto Quell reports to Vera Zander. Otto Quell saw Vera Zander in Lyon.', space_id: space.spaceId },
  ]);
  await memory.ingest(caller, [{ content: 'Ada Krull reports to Otto Quell.' }]);
});
afterAll(() => memory.close());

const get = (path: string, who = caller) => memory.call(who, 'GET', `/api/v1/memory/graph/${path}`);
const namesOf = (entities: { name: string }[]) => entities.map(({ name }) => name);
const idOf = async (name: string): Promise<string> => (await get(`entities?query=${name}`)).body.entities[0].entity_id;

const pages = async (query: string, limit: number, who = caller) => namesOf(await listed(query, limit, who));

async function listed(query: string, limit: number, who = caller): Promise<{ entity_id: string; name: string }[]> {
  const all: { entity_id: string; name: string }[] = [];
  for (let cursor = ''; ;) {
    const { status, body } = await get(`entities?${query}&limit=${limit}${cursor}`, who);
    expect(status).toBe(200);
    all.push(...body.entities);
    if (body.next_cursor === undefined) return all;
    cursor = `&cursor=${body.next_cursor}`;
  }
}

describe('the list of entities', () => {
  it.each(['sort=relevance', 'sort=name', 'sort=mentions', 'sort=newest', 'sort=name&type=person', 'query=e'])(
    'comes page by page as it comes whole, each entity once: %s',
    async (query) => {
      const whole = await listed(query, 200);
      expect(whole.length).toBeGreaterThan(2);
      expect(new Set(whole.map(({ entity_id }) => entity_id)).size).toBe(whole.length);
      expect(await listed(query, 1)).toEqual(whole);
      expect(await listed(query, 2, inside)).toEqual(await listed(query, 200, inside));
    },
  );

  it('is sorted by name, by mentions and by age', async () => {
    expect(await pages('sort=name&type=person', 50)).toEqual(['Ada Krull', 'Otto Quell', 'Vera Zander']);
    expect((await pages('sort=mentions&type=person', 50))[0]).toBe('Otto Quell');
    expect((await pages('sort=newest', 50))[0]).toBe('Ada Krull');
  });

  it('shows and counts for a key of one space what that space says alone', async () => {
    for (const sort of ['relevance', 'name', 'mentions', 'newest'])
      expect((await pages(`sort=${sort}&type=person`, 1, inside)).sort()).toEqual(['Otto Quell', 'Vera Zander']);
  });

  it('refuses a cursor that no page gave', async () => {
    for (const cursor of ['nonsense', Buffer.from('[1,2]').toString('base64url'), 'a b'])
      expect((await get(`entities?cursor=${cursor}`)).status).toBe(422);
  });
});

describe('the links between two entities', () => {
  it('come with the sentences that state them, at their places in the chunk', async () => {
    const [otto, vera] = [await idOf('otto'), await idOf('vera')];
    const { body } = await get(`links/${otto}/${vera}`);
    expect(body.entities).toEqual([
      { entity_id: otto, name: 'Otto Quell', type: 'person' },
      { entity_id: vera, name: 'Vera Zander', type: 'person' },
    ]);
    const explored = (await get(`explore/${otto}?max_hops=1`)).body.edges.filter(
      (edge: { source: string; target: string }) => [edge.source, edge.target].every((id) => [otto, vera].includes(id)),
    );
    const keyed = (links: { source: string; type: string; weight: number }[]) =>
      links.map(({ source, type, weight }) => `${source} ${type} ${weight.toFixed(2)}`).sort();
    expect(keyed(body.links)).toEqual(keyed(explored));
    const statements = body.passages.flatMap(({ statements: each }: { statements: object[] }) => each);
    expect(statements).toContainEqual({
      source: otto,
      target: vera,
      type: 'reports_to',
      text: expect.stringContaining('Otto Quell reports to Vera Zander'),
      span: { start: 0, end: expect.any(Number) },
      fact_id: expect.stringMatching(/./),
    });
    const said = new Set(statements.map(({ type }: { type: string }) => type));
    for (const { type } of body.links) expect(said).toContain(type);
    for (const { text, span } of statements) expect(text).toHaveLength(span.end - span.start);
  });

  it('come in pages of passages, the same from either end', async () => {
    const [otto, vera] = [await idOf('otto'), await idOf('vera')];
    const whole = (await get(`links/${vera}/${otto}`)).body;
    expect(whole.passages).toHaveLength(2);
    expect(whole).not.toHaveProperty('next_cursor');
    const first = (await get(`links/${otto}/${vera}?limit=1`)).body;
    const second = (await get(`links/${otto}/${vera}?limit=1&cursor=${first.next_cursor}`)).body;
    expect([...first.passages, ...second.passages]).toEqual(whole.passages);
    expect(second).not.toHaveProperty('next_cursor');
    expect(second.links).toEqual(whole.links);
  });

  it('show a key of one space what its documents state, and are none between strangers', async () => {
    const [otto, vera, ada] = [await idOf('otto'), await idOf('vera'), await idOf('ada')];
    const narrow = (await get(`links/${otto}/${vera}`, inside)).body;
    expect(narrow.passages).toHaveLength(1);
    expect(JSON.stringify(narrow)).not.toContain('met');
    expect((await get(`links/${otto}/${ada}`, inside)).status).toBe(404);
    expect((await get(`links/${ada}/${vera}`)).body).toMatchObject({ links: [], passages: [] });
    expect((await get(`links/${otto}/${vera}`, memory.newCaller())).status).toBe(404);
    expect((await get(`links/${otto}/${vera}?cursor=x`)).status).toBe(422);
  });
});

describe('the overview of the graph', () => {
  interface Node {
    entity_id: string;
    name: string;
    community_id: number;
    centrality: number;
    x: number | null;
    y: number | null;
  }
  const placed = async () =>
    eventually(async () => {
      const { status, body } = await get('overview');
      expect(status).toBe(200);
      expect(body.nodes.length).toBe(body.totals.entities);
      for (const { x, y } of body.nodes as Node[]) expect([typeof x, typeof y]).toEqual(['number', 'number']);
      return body;
    });

  it('places every entity once, the most central first, and again in the same place', async () => {
    const overview = await placed();
    const nodes: Node[] = overview.nodes;
    expect(namesOf(nodes)).toEqual(expect.arrayContaining(['Otto Quell', 'Vera Zander', 'Ada Krull']));
    expect(nodes.map(({ centrality }) => centrality)).toEqual(
      nodes.map(({ centrality }) => centrality).toSorted((a, b) => b - a),
    );
    expect(new Set(nodes.map(({ x, y }) => `${x} ${y}`)).size).toBe(nodes.length);
    expect((await get('overview')).body).toEqual(overview);
    expect(overview).toMatchObject({ truncated: false, edges_truncated: false });
    const [otto, ada] = [await idOf('otto'), await idOf('ada')];
    expect(overview.edges).toContainEqual({
      source: ada,
      target: otto,
      type: 'reports_to',
      weight: expect.any(Number),
    });
    const sizes = overview.communities.map(({ size }: { size: number }) => size);
    expect(sizes.reduce((sum: number, size: number) => sum + size, 0)).toBeLessThanOrEqual(nodes.length);
    expect(overview.totals.communities).toBe(sizes.length);
  });

  it('says what it leaves out', async () => {
    const [first] = (await placed()).nodes;
    const { body } = await get('overview?limit=1');
    expect(body).toMatchObject({ nodes: [first], edges: [], truncated: true });
    expect(body.totals.entities).toBeGreaterThan(2);
    expect((await get('overview?limit=0')).status).toBe(422);
  });

  it('shows a key of one space what its documents name, without places of the whole', async () => {
    await placed();
    const { body } = await get('overview', inside);
    const people = (body.nodes as Node[]).filter(({ name }) => !/Lyon/.test(name));
    expect(namesOf(people).sort()).toEqual(['Otto Quell', 'Vera Zander']);
    expect(people.every(({ x, y }) => x === null && y === null)).toBe(true);
    expect(body.totals.entities).toBe(body.nodes.length);
    expect((await get('overview', memory.newCaller())).body).toMatchObject({ nodes: [], totals: { entities: 0 } });
  });

  it('loses an entity with its last document', async () => {
    const [gone] = await memory.ingest(caller, [{ content: 'Rolf Tamm met Otto Quell.' }]);
    const isShown = async () => namesOf((await get('overview')).body.nodes).includes('Rolf Tamm');
    await eventually(isShown);
    await memory.call(caller, 'DELETE', `/api/v1/memory/documents/${gone}`);
    await eventually(async () => !(await isShown()));
  });
});
