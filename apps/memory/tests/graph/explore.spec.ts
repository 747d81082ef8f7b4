import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { newId } from '@cairn/contracts';
import type { Tx } from '@cairn/postgres';
import { createTestDatabase, type TestDatabase } from '@cairn/testing';
import { MIGRATIONS } from '../../src/runtime/migrate-schema.ts';
import { findPath } from '../../src/graph/query/find-path.ts';
import { pathGraph, walkGraph } from '../../src/graph/query/walk-graph.ts';
import { bootMemory, type BootedMemory, type Caller } from '../memory-harness.ts';

const ALL = { vaults: null, hidden: [] };
const TYPES = ['led_by', 'works_in', 'co_occurs'];

interface RandomGraph {
  /** Entity of each name; several names may be one entity. */
  entityOf: number[];
  centrality: number[];
  links: { source: number; target: number; type: number; vault: number; weight: number }[];
}

/** A first and a last name, and between them levels of names that are all linked to those of the next: many shortest paths. */
const layeredGraph: fc.Arbitrary<RandomGraph> = fc
  .array(fc.integer({ min: 1, max: 3 }), { maxLength: 4 })
  .chain((inner) => {
    const sizes = [1, ...inner, 1];
    const starts = sizes.map((_, level) => sizes.slice(0, level).reduce((sum, size) => sum + size, 0));
    const pairs = sizes
      .slice(1)
      .flatMap((size, level) =>
        Array.from({ length: sizes[level]! * size }, (_, at) => [
          starts[level]! + Math.floor(at / size),
          starts[level + 1]! + (at % size),
        ]),
      );
    const names = sizes.reduce((sum, size) => sum + size, 0);
    return fc
      .array(fc.integer({ min: 1, max: 900 }), { minLength: pairs.length, maxLength: pairs.length })
      .map((weights) => ({
        entityOf: Array.from({ length: names }, (_, at) => at),
        centrality: Array.from({ length: names }, () => 0),
        links: pairs.map(([source, target], at) => ({
          source: source!,
          target: target!,
          type: 0,
          vault: 0,
          weight: weights[at]!,
        })),
      }));
  });

/** Cycles, parallel links, loops, entities of several names, and a hub that half of all links touch. */
const randomGraph: fc.Arbitrary<RandomGraph> = fc.integer({ min: 2, max: 14 }).chain((names) => {
  const name = fc.oneof(fc.nat({ max: names - 1 }), fc.constant(0));
  return fc.record({
    entityOf: fc.array(fc.nat({ max: Math.max(1, Math.ceil(names * 0.8)) }), { minLength: names, maxLength: names }),
    centrality: fc.array(fc.constantFrom(0, 0.25, 0.5, 1), { minLength: names + 1, maxLength: names + 1 }),
    links: fc.uniqueArray(
      fc.record({
        source: name,
        target: name,
        type: fc.nat({ max: 2 }),
        vault: fc.nat({ max: 1 }),
        weight: fc.integer({ min: 1, max: 900 }),
      }),
      { maxLength: 50, selector: (link) => `${link.source} ${link.target} ${link.type} ${link.vault}` },
    ),
  });
});

const question = fc.record({
  start: fc.nat({ max: 13 }),
  maxHops: fc.integer({ min: 1, max: 6 }),
  types: fc.option(fc.uniqueArray(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 2 }), { nil: null }),
  limit: fc.integer({ min: 1, max: 12 }),
  vault: fc.option(fc.nat({ max: 1 }), { nil: null }),
});

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
        const walk = await database.app.withTenant(scope.tenantId, async (tx) => {
          await store(tx, scope, graph);
          return walkGraph(tx, scope, { ...asked, start: entityId(start), visible });
        });
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
    const walk = await database.app.withTenant(scope.tenantId, async (tx) => {
      await store(tx, scope, graph);
      return walkGraph(tx, scope, { start: entityId(0), maxHops: 6, types: null, limit: 11, visible: ALL });
    });
    expect(walk.truncated).toBe(true);
    expect(walk.nodes.slice(1).map((node) => node.entity_id)).toEqual(
      Array.from({ length: 10 }, (_, at) => entityId(names - 1 - at)),
    );
  });
});

describe('a path', () => {
  async function expectStrongest(
    graph: RandomGraph,
    asked: { start: number; end: number; maxHops: number; types: string[] | null; vault: number | null },
  ): Promise<void> {
    const scope = { tenantId: newId('tenant'), memoryId: newId('memory') };
    const visible = { vaults: asked.vault === null ? null : [`vault${asked.vault}`], hidden: [] };
    const ends = { source: entityId(asked.start), target: entityId(asked.end) };
    const found = await database.app.withTenant(scope.tenantId, async (tx) => {
      await store(tx, scope, graph);
      const followed = pathGraph(tx, scope, { types: asked.types, visible });
      return findPath(followed, { ...ends, maxHops: asked.maxHops, entitiesMax: 10_000 });
    });
    const weights = weightsOf(graph, asked);
    const strength = strongestPath(weights, asked);
    expect(found.truncated).toBe(false);
    if (strength === null) return expect(found.entities).toEqual([]);
    expect(found.entities).toHaveLength(strength.steps + 1);
    expect([found.entities[0], found.entities.at(-1)]).toEqual([ends.source, ends.target]);
    const steps = found.entities.slice(1).map((id, at) => weights.get(`${found.entities[at]} ${id}`) ?? 0);
    expect(Math.min(Infinity, ...steps)).toBe(strength.weakest);
  }

  it('is as short as the shortest, and its weakest step as strong as that of the strongest of those, for random graphs', async () => {
    await fc.assert(
      fc.asyncProperty(randomGraph, question, fc.nat({ max: 13 }), async (graph, asked, goal) => {
        const [start, end] = [asked.start, goal].map((at) => graph.entityOf[at % graph.entityOf.length]!);
        await expectStrongest(graph, { ...asked, start: start!, end: end! });
      }),
      { numRuns: 60 },
    );
  }, 120_000);

  it('is the strongest where there are many of the same length', async () => {
    await fc.assert(
      fc.asyncProperty(layeredGraph, (graph) =>
        expectStrongest(graph, { start: 0, end: graph.entityOf.length - 1, maxHops: 6, types: null, vault: null }),
      ),
      { numRuns: 60 },
    );
  }, 120_000);

  it('says when it could not look at everything', async () => {
    const leaves = Array.from({ length: 30 }, (_, at) => `leaf${at}`);
    const star = {
      neighbours: async (frontier: readonly string[], seen: readonly string[], room: number) =>
        (frontier[0] === 'hub' ? leaves : ['hub']).filter((id) => !seen.includes(id)).slice(0, room),
      weights: async () => [],
    };
    const search = { source: 'hub', target: 'elsewhere', maxHops: 6 };
    const alone = {
      ...star,
      neighbours: async (from: readonly string[], seen: readonly string[], room: number) =>
        from[0] === 'elsewhere'
          ? Array.from({ length: room }, (_, at) => `other${at}`)
          : star.neighbours(from, seen, room),
    };
    expect(await findPath(alone, { ...search, entitiesMax: 10 })).toEqual({ entities: [], truncated: true });
  });
});

/** What two entities weigh together, both ways, over the links that are followed. */
function weightsOf(graph: RandomGraph, asked: { types: string[] | null; vault: number | null }): Map<string, number> {
  const weights = new Map<string, number>();
  for (const link of graph.links) {
    if (asked.types !== null && !asked.types.includes(TYPES[link.type]!)) continue;
    if (asked.vault !== null && link.vault !== asked.vault) continue;
    const [one, other] = [entityId(graph.entityOf[link.source]!), entityId(graph.entityOf[link.target]!)];
    if (one === other) continue;
    for (const key of [`${one} ${other}`, `${other} ${one}`]) weights.set(key, (weights.get(key) ?? 0) + link.weight);
  }
  return weights;
}

/** By exhaustion, level by level: how many steps, and how strong the weakest step of the best of the shortest paths is. */
function strongestPath(
  weights: ReadonlyMap<string, number>,
  { start, end, maxHops }: { start: number; end: number; maxHops: number },
): { steps: number; weakest: number } | null {
  let level = new Map([[entityId(start), Infinity]]);
  const seen = new Set(level.keys());
  for (let steps = 0; steps <= maxHops; steps += 1) {
    const weakest = level.get(entityId(end));
    if (weakest !== undefined) return { steps, weakest };
    const next = new Map<string, number>();
    for (const [key, weight] of weights) {
      const [from, to] = key.split(' ') as [string, string];
      if (!level.has(from) || seen.has(to)) continue;
      next.set(to, Math.max(next.get(to) ?? 0, Math.min(level.get(from)!, weight)));
    }
    for (const id of next.keys()) seen.add(id);
    level = next;
  }
  return null;
}

const entityId = (entity: number) => `ent_${String(entity).padStart(5, '0')}`;

async function store(tx: Tx, scope: { tenantId: string; memoryId: string }, graph: RandomGraph): Promise<void> {
  const rows = await tx.query<{ name_no: number }>(
    `INSERT INTO graph_names (tenant_id, memory_id, norm, class, entity_id, centrality)
     SELECT $1, $2, norm, 'other', entity, centrality FROM unnest($3::text[], $4::text[], $5::float8[]) AS name (norm, entity, centrality) RETURNING name_no`,
    [
      scope.tenantId,
      scope.memoryId,
      graph.entityOf.map((_, at) => `name ${at}`),
      graph.entityOf.map(entityId),
      graph.entityOf.map((entity) => graph.centrality[entity] ?? 0),
    ],
  );
  const numbers = rows.map((row) => row.name_no);
  await tx.execute(
    `INSERT INTO graph_links (tenant_id, memory_id, source, target, type, vault_id, weight)
     SELECT $1, $2, * FROM unnest($3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::bigint[])`,
    [
      scope.tenantId,
      scope.memoryId,
      graph.links.map((link) => numbers[link.source]!),
      graph.links.map((link) => numbers[link.target]!),
      graph.links.map((link) => TYPES[link.type]!),
      graph.links.map((link) => `vault${link.vault}`),
      graph.links.map((link) => link.weight),
    ],
  );
}

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
    for (const bad of [
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
