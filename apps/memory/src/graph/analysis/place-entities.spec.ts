import { describe, expect, it } from '@jest/globals';
import { analyseGraph } from './analyse-graph.ts';
import type { EdgeList } from './page-rank.ts';
import { placeEntities, type Positions } from './place-entities.ts';

/** Two groups in which each is linked with each, one link between them, and one node alone. */
function twoGroups(size: number): EdgeList {
  const links: [number, number][] = [[0, size]];
  for (const from of [0, size])
    for (let a = from; a < from + size; a += 1) for (let b = a + 1; b < from + size; b += 1) links.push([a, b]);
  return {
    nodes: 2 * size + 1,
    sources: links.map(([source]) => source),
    targets: links.map(([, target]) => target),
    weights: links.map(() => 1),
  };
}

const nowhere = (nodes: number): Positions => ({
  x: new Float32Array(nodes).fill(Number.NaN),
  y: new Float32Array(nodes).fill(Number.NaN),
});

describe('the places of entities', () => {
  const size = 8;
  const edges = twoGroups(size);
  const metrics = analyseGraph(edges);
  const placed = placeEntities(edges, metrics, nowhere(edges.nodes));
  const distance = (a: number, b: number, of = placed) => Math.hypot(of.x[a]! - of.x[b]!, of.y[a]! - of.y[b]!);

  it('are near each other for entities that are linked', () => {
    for (let a = 1; a < size; a += 1) expect(distance(a, 1 + (a % (size - 1)))).toBeLessThan(distance(a, size + a));
  });

  it('lie within the picture, each apart from the others, those without links on its rim', () => {
    const places = Array.from(placed.x, (x, node) => `${x} ${placed.y[node]}`);
    expect(new Set(places).size).toBe(edges.nodes);
    for (let node = 0; node < 2 * size; node += 1) expect(Math.abs(placed.x[node]!)).toBeLessThanOrEqual(1);
    expect(Math.hypot(placed.x[2 * size]!, placed.y[2 * size]!)).toBeCloseTo(1.1, 3);
  });

  it('are the same for the same graph, and stay when it is placed again', () => {
    expect(placeEntities(edges, metrics, nowhere(edges.nodes))).toEqual(placed);
    const again = placeEntities(edges, metrics, placed);
    for (let a = 1; a < size; a += 1) {
      expect(distance(a, 1 + (a % (size - 1)), again)).toBeLessThan(distance(a, size + a, again));
      expect(Math.sign(again.x[a]! - again.x[size + a]!)).toBe(Math.sign(placed.x[a]! - placed.x[size + a]!));
    }
  });
});
