import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { newId } from '@cairn/contracts';
import { createTestDatabase, type TestDatabase } from '@cairn/testing';
import { MIGRATIONS } from '../../src/runtime/migrate-schema.ts';
import { readAdjacency } from '../../src/graph/adjacency/read-adjacency.ts';
import { walkAdjacency } from '../../src/graph/query/walk-adjacency.ts';
import { walkGraph } from '../../src/graph/query/walk-graph.ts';
import { entityId, question, type RandomGraph, randomGraph, store, TYPES } from './random-graphs.ts';
import { bootMemory, type BootedMemory, type Caller } from '../memory-harness.ts';

const ALL = { vaults: null, hidden: [] };
const BYTES_MAX = 1_000_000;
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ service: 'memory', migrations: MIGRATIONS });
});
afterAll(() => database.close());

describe('a walk', () => {
  it('gives what a breadth-first search over the same links gives, for random graphs, types, vaults and limits', async () => {
    await fc.assert(
      fc.asyncProperty(randomGraph, question, async (graph, asked) => {
        const scope = { tenantId: newId('tenant'), memoryId: newId('memory') };
        const start = graph.entityOf[asked.start % graph.entityOf.length]!;
        const visible = { vaults: asked.vault === null ? null : [`vault${asked.vault}`], hidden: [] };
        const request = { ...asked, start: entityId(start), visible };
        const [walk, inMemory] = await database.app.withTenant(scope.tenantId, async (tx) => {
          await store(tx, scope, graph);
          const adjacency = await readAdjacency(tx, scope, BYTES_MAX);
          return [await walkGraph(tx, scope, request), walkAdjacency(adjacency, request)];
        });
        expect(inMemory).toEqual(walk);
        const expected = reference(graph, { ...asked, start });
        expect(walk.nodes.map((node) => [node.entity_id, node.hop])).toEqual(expected.nodes);
        expect(walk.truncated).toBe(expected.truncated);
        expect(walk.edges.map((edge) => `${edge.source} ${edge.type} ${edge.target} ${edge.weight}`).sort()).toEqual(
          expected.edges.sort(),
        );
      }),
      { numRuns: 60 },
    );
  }, 120_000);

  it('takes a hub of 3,000 neighbours by its most central ones, and says that there are more', async () => {
    const scope = { tenantId: newId('tenant'), memoryId: newId('memory') };
    const names = 3_001;
    const graph: RandomGraph = {
      entityOf: Array.from({ length: names }, (_, at) => at),
      centrality: Array.from({ length: names }, (_, at) => at / names),
      links: Array.from({ length: names - 1 }, (_, at) => ({
        source: 0,
        target: at + 1,
        type: 0,
        vault: 0,
        weight: 10,
      })),
    };
    const asked = { start: entityId(0), maxHops: 6, types: null, limit: 11, visible: ALL };
    const [walk, inMemory] = await database.app.withTenant(scope.tenantId, async (tx) => {
      await store(tx, scope, graph);
      return [await walkGraph(tx, scope, asked), walkAdjacency(await readAdjacency(tx, scope, BYTES_MAX), asked)];
    });
    expect(inMemory).toEqual(walk);
    expect(walk.truncated).toBe(true);
    expect(walk.nodes.slice(1).map((node) => node.entity_id)).toEqual(
      Array.from({ length: 10 }, (_, at) => entityId(names - 1 - at)),
    );
  });
});

/** Breadth-first search as a textbook has it, over entities. */
function reference(
  graph: RandomGraph,
  asked: { start: number; maxHops: number; types: string[] | null; limit: number; vault: number | null },
) {
  const followed = graph.links.filter(
    (link) =>
      (asked.types === null || asked.types.includes(TYPES[link.type]!)) &&
      (asked.vault === null || link.vault === asked.vault),
  );
  const hops = new Map([[asked.start, 0]]);
  const queue = [asked.start];
  for (const entity of queue) {
    const hop = hops.get(entity)!;
    if (hop === asked.maxHops) continue;
    for (const link of followed)
      for (const [from, to] of [
        [graph.entityOf[link.source]!, graph.entityOf[link.target]!],
        [graph.entityOf[link.target]!, graph.entityOf[link.source]!],
      ] as const)
        if (from === entity && !hops.has(to)) {
          hops.set(to, hop + 1);
          queue.push(to);
        }
  }
  const centrality = (entity: number) => graph.centrality[entity] ?? 0;
  const ordered = [...hops].sort(([a, m], [b, n]) => m - n || centrality(b) - centrality(a) || a - b);
  const kept = ordered.slice(0, asked.limit);
  const inside = new Set(kept.map(([entity]) => entity));
  const sums = new Map<string, number>();
  for (const link of followed) {
    const [source, target] = [graph.entityOf[link.source]!, graph.entityOf[link.target]!];
    if (source === target || !inside.has(source) || !inside.has(target)) continue;
    const ends = [entityId(source), entityId(target)];
    if (TYPES[link.type] === 'co_occurs') ends.sort();
    const key = `${ends[0]} ${TYPES[link.type]} ${ends[1]}`;
    sums.set(key, (sums.get(key) ?? 0) + link.weight);
  }
  return {
    nodes: kept.map(([entity, hop]) => [entityId(entity), hop]),
    truncated: ordered.length > asked.limit,
    edges: [...sums].map(([key, weight]) => `${key} ${weight / 100}`),
  };
}

describe('through the API', () => {
  let memory: BootedMemory;
  let caller: Caller;
  let ines: string;
  beforeAll(async () => {
    memory = await bootMemory();
    caller = memory.newCaller();
    await memory.ingest(caller, [
      { content: 'Ines Carvalhal has led the Platform team since 1 June 2025.' },
      { content: 'Ines Carvalhal works from the Lyon office. Matteo Brugnoli reports to Ines Carvalhal.' },
    ]);
    ines = (await memory.call(caller, 'GET', '/api/v1/memory/graph/entities?query=ines')).body.entities[0].entity_id;
  });
  afterAll(() => memory.close());
  const explore = (id: string, query = '', who = caller) =>
    memory.call(who, 'GET', `/api/v1/memory/graph/explore/${id}${query}`);

  it('shows nodes and edges with the fields of the interface, the entity first', async () => {
    const { body } = await explore(ines);
    expect(body.nodes[0]).toEqual({
      entity_id: ines,
      name: 'Ines Carvalhal',
      type: 'person',
      hop: 0,
      document_count: 2,
      attributes: { works_in: 'Lyon' },
      community_id: expect.any(Number),
      centrality: expect.any(Number),
    });
    expect(body.nodes.map((node: { hop: number }) => node.hop)).toEqual(
      [...body.nodes.map((node: { hop: number }) => node.hop)].sort(),
    );
    const types = body.edges.map((edge: { type: string }) => edge.type);
    expect(types).toEqual(expect.arrayContaining(['led_by', 'works_in', 'reports_to']));
    for (const edge of body.edges)
      expect(edge).toEqual({
        source: expect.stringMatching(/^ent_/),
        target: expect.stringMatching(/^ent_/),
        type: expect.any(String),
        weight: expect.any(Number),
      });
  });

  it('clamps max_hops into 1 to 6, and refuses what is no integer, unknown parameters and limits out of range', async () => {
    const one = await explore(ines, '?max_hops=1');
    expect((await explore(ines, '?max_hops=0')).body).toEqual(one.body);
    expect((await explore(ines, '?max_hops=-3')).body).toEqual(one.body);
    expect((await explore(ines, '?max_hops=99')).body).toEqual((await explore(ines, '?max_hops=6')).body);
    const nines = '9'.repeat(400);
    const six = (await explore(ines, '?max_hops=6')).body;
    for (const large of ['9007199254740993', '1234567890123456', `%2B${nines}`, nines])
      expect((await explore(ines, `?max_hops=${large}`)).body).toEqual(six);
    expect((await explore(ines, `?max_hops=-${nines}`)).body).toEqual(one.body);
    for (const bad of [
      'max_hops=1e3',
      'max_hops=0x10',
      'max_hops=2.5',
      'max_hops=two',
      'max_hops=',
      'hops=2',
      'limit=0',
      'limit=5001',
      'relationship_types=',
    ])
      expect([bad, (await explore(ines, `?${bad}`)).status]).toEqual([bad, 422]);
  });

  it('follows only relationships of the repeated types', async () => {
    const both = await explore(ines, '?relationship_types=led_by&relationship_types=works_in');
    expect(new Set(both.body.edges.map((edge: { type: string }) => edge.type))).toEqual(
      new Set(['led_by', 'works_in']),
    );
    const single = await explore(ines, '?relationship_types=led_by');
    expect(single.body.nodes).toHaveLength(2);
  });

  it('finds the path between two entities with the sentences of each step, and nothing where there is none', async () => {
    const named = async (query: string) =>
      (await memory.call(caller, 'GET', `/api/v1/memory/graph/entities?query=${query}`)).body.entities[0].entity_id;
    const [matteo, platform] = [await named('matteo'), await named('platform')];
    const path = (from: string, to: string, query = '', who = caller) =>
      memory.call(who, 'GET', `/api/v1/memory/graph/paths/${from}/${to}${query}`);
    const { body } = await path(matteo, platform, '?relationship_types=led_by&relationship_types=reports_to');
    expect(body.truncated).toBe(false);
    expect(body.entities.map(({ name }: { name: string }) => name)).toEqual([
      'Matteo Brugnoli',
      'Ines Carvalhal',
      expect.stringContaining('Platform'),
    ]);
    expect(body.hops).toHaveLength(2);
    expect(body.hops[0].links).toEqual([
      { source: matteo, target: ines, type: 'reports_to', weight: expect.any(Number) },
    ]);
    const said = body.hops[0].passages.flatMap(({ statements }: { statements: { text: string }[] }) => statements);
    expect(said.map(({ text }: { text: string }) => text).join(' ')).toContain('reports to');
    expect((await path(matteo, platform, '?max_hops=1&relationship_types=led_by')).body).toEqual({
      entities: [],
      hops: [],
      truncated: false,
    });
    expect((await path(ines, ines)).body).toMatchObject({ entities: [{ entity_id: ines }], hops: [] });
    expect((await path(matteo, platform, '?passages=0')).body.hops[0].passages).toEqual([]);
    expect((await path(ines, 'ent_unknown')).status).toBe(404);
    expect((await path(ines, matteo, '', memory.newCaller())).status).toBe(404);
    expect((await path(ines, matteo, '?passages=21')).status).toBe(422);
  });

  it('says when a limit cut it off, and answers 404 for an unknown entity or another tenant’s', async () => {
    expect((await explore(ines, '?limit=2')).body).toMatchObject({ truncated: true });
    expect((await explore(ines, '?limit=2')).body.nodes).toHaveLength(2);
    expect((await explore('ent_unknown')).status).toBe(404);
    expect((await explore(ines, '', memory.newCaller())).status).toBe(404);
  });

  it('shows a key of one space only what that space’s documents say', async () => {
    const owner = memory.newCaller();
    const space = memory.newSpace(owner);
    await memory.ingest(owner, [
      { content: 'Ada Krull works from the Oslo office.' },
      { content: 'Ada Krull reports to Bruno Linde.', space_id: space.spaceId },
    ]);
    const inside: Caller = {
      ...owner,
      identity: { ...owner.identity, memoryId: owner.memoryId, spaceId: space.spaceId },
    };
    const { entities } = (await memory.call(inside, 'GET', '/api/v1/memory/graph/entities')).body;
    expect(entities.map((entity: { name: string }) => entity.name).sort()).toEqual(['Ada Krull', 'Bruno Linde']);
    const ada = entities.find((entity: { name: string }) => entity.name === 'Ada Krull').entity_id;
    const narrow = await explore(ada, '?max_hops=6', inside);
    expect(JSON.stringify(narrow.body)).not.toContain('Oslo');
    expect(narrow.body.nodes[0]).toMatchObject({ document_count: 1, attributes: { reports_to: 'Bruno Linde' } });
    expect(JSON.stringify((await explore(ada, '', owner)).body)).toContain('Oslo');
    const oslo = (await memory.call(owner, 'GET', '/api/v1/memory/graph/entities?query=oslo')).body.entities[0]
      .entity_id;
    expect((await explore(oslo, '', inside)).status).toBe(404);
    const bruno = entities.find((entity: { name: string }) => entity.name === 'Bruno Linde').entity_id;
    const between = (from: string, to: string, who: Caller) =>
      memory.call(who, 'GET', `/api/v1/memory/graph/paths/${from}/${to}`);
    expect((await between(oslo, bruno, owner)).body.entities).toHaveLength(3);
    expect((await between(ada, bruno, inside)).body.entities).toHaveLength(2);
    expect((await between(ada, oslo, inside)).status).toBe(404);
  });
});
