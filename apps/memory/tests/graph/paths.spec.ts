import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { newId } from '@cairn/contracts';
import { createTestDatabase, type TestDatabase } from '@cairn/testing';
import { findPath } from '../../src/graph/query/find-path.ts';
import { readAdjacency } from '../../src/graph/adjacency/read-adjacency.ts';
import { pathsInAdjacency } from '../../src/graph/query/walk-adjacency.ts';
import { pathGraph } from '../../src/graph/query/walk-graph.ts';
import { MIGRATIONS } from '../../src/runtime/migrate-schema.ts';
import { entityId, layeredGraph, question, type RandomGraph, randomGraph, store, TYPES } from './random-graphs.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ service: 'memory', migrations: MIGRATIONS });
});
afterAll(() => database.close());

describe('a path', () => {
  async function expectStrongest(
    graph: RandomGraph,
    asked: { start: number; end: number; maxHops: number; types: string[] | null; vault: number | null },
  ): Promise<void> {
    const scope = { tenantId: newId('tenant'), memoryId: newId('memory') };
    const visible = { vaults: asked.vault === null ? null : [`vault${asked.vault}`], hidden: [] };
    const ends = { source: entityId(asked.start), target: entityId(asked.end) };
    const search = { ...ends, maxHops: asked.maxHops, entitiesMax: 10_000 };
    const [found, inMemory] = await database.app.withTenant(scope.tenantId, async (tx) => {
      await store(tx, scope, graph);
      const followed = { types: asked.types, visible };
      const adjacency = await readAdjacency(tx, scope, 1_000_000);
      return [
        await findPath(pathGraph(tx, scope, followed), search),
        await findPath(pathsInAdjacency(adjacency, followed), search),
      ];
    });
    expect(inMemory).toEqual(found);
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
