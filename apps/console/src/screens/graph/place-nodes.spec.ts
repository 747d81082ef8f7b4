import { describe, expect, it } from '@jest/globals';
import type { GraphNode } from '@cairn/sdk';
import { placeNodes } from './place-nodes.ts';

const node = (entity_id: string, hop: number, community_id = 0) =>
  ({ entity_id, hop, community_id, centrality: 0 }) as GraphNode;

describe('places in the picture of a graph', () => {
  const nodes = [
    node('a', 0),
    ...Array.from({ length: 30 }, (_, index) => node(`n${index}`, 1 + (index % 2), index % 3)),
  ];

  it('have the start in the middle, and nobody else', () => {
    const places = placeNodes(nodes);
    expect(places.get('a')).toEqual({ x: 0, y: 0 });
    const distances = [...places].filter(([id]) => id !== 'a').map(([, { x, y }]) => Math.hypot(x, y));
    expect(Math.min(...distances)).toBeGreaterThan(0.9);
  });

  it('are the same in whatever order the names come', () => {
    const again = placeNodes(nodes.toReversed());
    for (const [id, place] of placeNodes(nodes)) expect(again.get(id)).toEqual(place);
  });

  it('are different for different names', () => {
    const places = [...placeNodes(nodes).values()].map(({ x, y }) => `${x.toFixed(4)} ${y.toFixed(4)}`);
    expect(new Set(places).size).toBe(nodes.length);
  });
});
