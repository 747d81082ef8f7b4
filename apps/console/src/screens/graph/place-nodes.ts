import type { GraphNode } from '@cairn/sdk';

type Placeable = Pick<GraphNode, 'entity_id' | 'community_id' | 'centrality' | 'hop'>;

interface Place {
  x: number;
  y: number;
}

/** Golden angle: names on one ring spread evenly, however many come. */
const TURN = Math.PI * (3 - Math.sqrt(5));

/**
 * Where each name stands: the start in the middle, the others on a ring for each step away, names of one community
 * beside each other. The same names always stand in the same places.
 */
export function placeNodes(nodes: readonly Placeable[]): Map<string, Place> {
  const rings = Map.groupBy(nodes, ({ hop }) => hop ?? 1);
  const places = new Map<string, Place>();
  for (const [hop, ring] of rings) {
    const sorted = ring.toSorted(byCommunity);
    for (const [index, { entity_id }] of sorted.entries()) {
      const angle = (2 * Math.PI * index) / sorted.length + hop * TURN;
      // A crowded ring has room in two depths.
      const depth = hop === 0 ? 0 : hop + (sorted.length > CROWDED && index % 2 === 1 ? 0.35 : 0);
      places.set(entity_id, { x: depth * Math.cos(angle), y: depth * Math.sin(angle) });
    }
  }
  return places;
}

const CROWDED = 16;

function byCommunity(left: Placeable, right: Placeable): number {
  return (
    left.community_id - right.community_id ||
    right.centrality - left.centrality ||
    (left.entity_id < right.entity_id ? -1 : 1)
  );
}

const COLOURS = ['#1f6feb', '#1a7f4b', '#b8620a', '#8e44ad', '#b42318', '#0f7b8a', '#7a6a00', '#a8327e'] as const;

/** A community's colour; legible on light and dark ground. */
export function colourOf(communityId: number): string {
  return COLOURS[Math.abs(communityId) % COLOURS.length]!;
}
