import { CO_OCCURS } from '../extract/extraction.ts';
import { isVisible, type Visibility } from '../../memories/visibility.ts';
import type { PathGraph, WeightedPair } from './find-path.ts';
import { EDGES_MAX, type LinkConditions, PAIRS_PER_ENTITY, type Walk, type WalkRequest } from './walk-graph.ts';
import { type Adjacency, GONE } from '../adjacency/adjacency.ts';
import { firstInOrder } from './first-in-order.ts';

/** The walk that `walkGraph` makes by SQL, over links in memory. */
export function walkAdjacency(adjacency: Adjacency, request: WalkRequest): Walk {
  const follow = followedLinks(adjacency, request);
  const start = entityIn(adjacency, request.start);
  const nodes: Walk['nodes'] = [{ entity_id: request.start, hop: 0, centrality: 0, community_id: 0 }];
  if (start === undefined) return { nodes, edges: [], truncated: false };
  for (const name of namesOf(adjacency, start)) {
    nodes[0]!.centrality = Math.max(nodes[0]!.centrality, adjacency.centrality[name]!);
    nodes[0]!.community_id = Math.max(nodes[0]!.community_id, adjacency.community[name]!);
  }
  const entities = [start];
  const seen = new Uint8Array(adjacency.nameStarts.length);
  seen[start] = 1;
  let frontier: readonly number[] = entities;
  let truncated = false;
  for (let hop = 1; hop <= request.maxHops && frontier.length > 0 && !truncated; hop += 1) {
    const room = request.limit - nodes.length;
    const reached = neighboursIn(adjacency, follow, { frontier, seen, room: room + 1 });
    truncated = reached.length > room;
    const kept = reached.slice(0, room);
    for (const { entity, centrality, community_id } of kept) {
      nodes.push({ entity_id: adjacency.numbers.entityIds[entity]!, hop, centrality, community_id });
      entities.push(entity);
      seen[entity] = 1;
    }
    frontier = kept.map(({ entity }) => entity);
  }
  const edges = edgesAmong(adjacency, follow, entities);
  return { nodes, edges: edges.slice(0, EDGES_MAX), truncated: truncated || edges.length > EDGES_MAX };
}

/** The graph of the followed links, for a search of paths. */
export function pathsInAdjacency(adjacency: Adjacency, request: LinkConditions): PathGraph {
  const follow = followedLinks(adjacency, request);
  const known = (ids: readonly string[]) => ids.flatMap((id) => entityIn(adjacency, id) ?? []);
  const { entityIds } = adjacency.numbers;
  return {
    async neighbours(frontier, seenIds, room) {
      const seen = new Uint8Array(adjacency.nameStarts.length);
      for (const entity of known(seenIds)) seen[entity] = 1;
      return neighboursIn(adjacency, follow, { frontier: known(frontier), seen, room }).map(
        ({ entity }) => entityIds[entity]!,
      );
    },
    async weights(ones, others) {
      const wanted = new Set(known(others));
      return known(ones)
        .flatMap((one) => heaviestPairs(adjacency, follow, one, wanted))
        .toSorted((a, b) => b.weight - a.weight || byText(a.one, b.one) || byText(a.other, b.other));
    },
  };
}

/** Which links are followed, by the numbers of their types and vaults. */
interface Follow {
  types: Uint8Array;
  vaults: Uint8Array;
}

function followedLinks(
  { numbers }: Adjacency,
  { types, visible }: { types: readonly string[] | null; visible: Visibility },
): Follow {
  return {
    types: Uint8Array.from(numbers.types, (type) => Number(types === null || types.includes(type))),
    vaults: Uint8Array.from(numbers.vaults, (vaultId) => Number(isVisible(visible, vaultId))),
  };
}

/** The number of an entity of this state. */
function entityIn({ numbers, nameStarts }: Adjacency, entityId: string): number | undefined {
  const entity = numbers.entities.get(entityId);
  return entity === undefined || entity >= nameStarts.length - 1 ? undefined : entity;
}

function namesOf({ names, nameStarts }: Adjacency, entity: number): Uint32Array {
  return names.subarray(nameStarts[entity]!, nameStarts[entity + 1]!);
}

/** Calls `visit` with the name at the other end of each followed link of an entity. */
function eachLink(
  adjacency: Adjacency,
  follow: Follow,
  entity: number,
  visit: (other: number, link: number, isSource: boolean) => void,
): void {
  const { links, starts, incident } = adjacency;
  for (const name of namesOf(adjacency, entity))
    for (let at = starts[name]!; at < starts[name + 1]!; at += 1) {
      const link = incident[at]!;
      if (follow.types[links.type[link]!] === 0 || follow.vaults[links.vault[link]!] === 0) continue;
      const isSource = links.source[link] === name;
      visit(isSource ? links.target[link]! : links.source[link]!, link, isSource);
    }
}

interface Reached {
  entity: number;
  centrality: number;
  community_id: number;
}

function neighboursIn(
  adjacency: Adjacency,
  follow: Follow,
  { frontier, seen, room }: { frontier: readonly number[]; seen: Uint8Array; room: number },
): Reached[] {
  const { entityOf, centrality, community, numbers } = adjacency;
  // Columns, as a hub has neighbours by the ten thousand: the place of each in `reached`, counted from one.
  const places = new Uint32Array(seen.length);
  const reached: Reached[] = [];
  for (const from of frontier)
    eachLink(adjacency, follow, from, (other) => {
      const entity = entityOf[other]!;
      if (entity === GONE || seen[entity] === 1) return;
      if (places[entity] === 0) {
        places[entity] = reached.push({ entity, centrality: centrality[other]!, community_id: community[other]! });
        return;
      }
      const known = reached[places[entity]! - 1]!;
      if (centrality[other]! > known.centrality) known.centrality = centrality[other]!;
      if (community[other]! > known.community_id) known.community_id = community[other]!;
    });
  const before = (a: Reached, b: Reached) =>
    b.centrality - a.centrality || byText(numbers.entityIds[a.entity]!, numbers.entityIds[b.entity]!);
  return firstInOrder(reached, room, before);
}

/** Links summed by entities and type. Names that stand together do so in no direction: one link for each pair. */
function edgesAmong(adjacency: Adjacency, follow: Follow, entities: readonly number[]): Walk['edges'] {
  const { entityOf, links, numbers } = adjacency;
  const inside = new Set(entities);
  const together = numbers.types.indexOf(CO_OCCURS);
  const sums = new Map<string, { source: number; target: number; type: number; weight: number }>();
  for (const entity of entities)
    eachLink(adjacency, follow, entity, (other, link, isSource) => {
      const target = entityOf[other]!;
      if (!isSource || target === entity || !inside.has(target)) return;
      const type = links.type[link]!;
      const ends =
        type === together && byText(numbers.entityIds[target]!, numbers.entityIds[entity]!) < 0
          ? [target, entity]
          : [entity, target];
      const key = `${ends[0]} ${ends[1]} ${type}`;
      const known = sums.get(key);
      if (known === undefined) sums.set(key, { source: ends[0]!, target: ends[1]!, type, weight: links.weight[link]! });
      else known.weight += links.weight[link]!;
    });
  const edges = [...sums.values()].map(({ source, target, type, weight }) => ({
    source: numbers.entityIds[source]!,
    target: numbers.entityIds[target]!,
    type: numbers.types[type]!,
    weight: weight / 100,
  }));
  return edges
    .sort(
      (a, b) =>
        b.weight - a.weight || byText(a.source, b.source) || byText(a.target, b.target) || byText(a.type, b.type),
    )
    .slice(0, EDGES_MAX + 1);
}

/** The weightiest pairs of an entity with some others, summed over directions and types. */
function heaviestPairs(adjacency: Adjacency, follow: Follow, one: number, others: ReadonlySet<number>): WeightedPair[] {
  const { entityOf, links, numbers } = adjacency;
  const sums = new Map<number, number>();
  eachLink(adjacency, follow, one, (name, link) => {
    const other = entityOf[name]!;
    if (others.has(other)) sums.set(other, (sums.get(other) ?? 0) + links.weight[link]!);
  });
  const pairs = [...sums].map(([other, weight]) => ({
    one: numbers.entityIds[one]!,
    other: numbers.entityIds[other]!,
    weight: weight / 100,
  }));
  return firstInOrder(pairs, PAIRS_PER_ENTITY, (a, b) => b.weight - a.weight || byText(a.other, b.other));
}

function byText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
