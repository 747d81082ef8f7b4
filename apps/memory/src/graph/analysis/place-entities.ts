import { UndirectedGraph } from 'graphology';
import forceAtlas2Module from 'graphology-layout-forceatlas2';
import type { GraphMetrics } from './analyse-graph.ts';
import type { EdgeList } from './page-rank.ts';

/** The package says of itself that it is an ES module, which it is not: its function is what is imported. */
const forceAtlas2 = forceAtlas2Module as unknown as {
  assign(graph: UndirectedGraph, parameters: object): void;
  inferSettings(nodes: number): object;
};

/** Where each node stands, from -1 to 1 in both directions; NaN for one without a place. */
export interface Positions {
  x: Float32Array;
  y: Float32Array;
}

/** So many of the most central entities have a place: as many as a picture may show. */
const PLACED_MAX = 1_000;
/** Links that pull, at most: the weightiest. */
const LINKS_MAX = 8_000;
const ITERATIONS = 200;
/** Of a graph whose entities had places: they only give way to what is new. */
const ITERATIONS_AGAIN = 50;
/** Of a picture's half: the ring on which entities without links stand. */
const RIM = 1.1;
const DECIMALS = 1e4;
/** Golden angle: places on one ring spread evenly, however many come. */
const TURN = Math.PI * (3 - Math.sqrt(5));

/**
 * Places the most central entities by ForceAtlas2 (Jacomy, Venturini, Heymann, Bastian 2014). They start where they
 * stood, new ones near the middle of their community. The same graph and the same start give the same picture.
 */
export function placeEntities(
  edges: EdgeList,
  { centrality, communities }: GraphMetrics,
  before: Positions,
): Positions {
  const chosen = mostCentral(centrality);
  const graph = new UndirectedGraph({ allowSelfLoops: false });
  const starts = startsOf(chosen, communities, before);
  for (const node of chosen) graph.addNode(node, starts.get(node)!);
  for (const at of pulling(edges, graph))
    graph.addEdge(edges.sources[at], edges.targets[at], { weight: edges.weights[at] });
  const placed = {
    x: new Float32Array(edges.nodes).fill(Number.NaN),
    y: new Float32Array(edges.nodes).fill(Number.NaN),
  };
  const linked = chosen.filter((node) => graph.degree(node) > 0);
  const alone = chosen.filter((node) => graph.degree(node) === 0);
  for (const node of alone) graph.dropNode(node);
  if (linked.length > 1) {
    const known = linked.filter((node) => !Number.isNaN(before.x[node])).length;
    forceAtlas2.assign(graph, {
      iterations: known > linked.length / 2 ? ITERATIONS_AGAIN : ITERATIONS,
      getEdgeWeight: 'weight',
      settings: { ...forceAtlas2.inferSettings(graph.order), barnesHutOptimize: graph.order > 300 },
    });
  }
  writeFitted(graph, linked, placed);
  for (const [index, node] of alone.entries()) {
    placed.x[node] = rounded(RIM * Math.cos(index * TURN));
    placed.y[node] = rounded(RIM * Math.sin(index * TURN));
  }
  return placed;
}

function mostCentral(centrality: Float64Array): number[] {
  return Array.from(centrality.keys())
    .sort((a, b) => centrality[b]! - centrality[a]! || a - b)
    .slice(0, PLACED_MAX);
}

/** Places of the links between nodes of the picture, the weightiest first. */
function pulling({ sources, targets, weights }: EdgeList, graph: UndirectedGraph): number[] {
  const within: number[] = [];
  for (let at = 0; at < sources.length; at += 1)
    if (sources[at] !== targets[at] && graph.hasNode(sources[at]) && graph.hasNode(targets[at])) within.push(at);
  return within.sort((a, b) => weights[b]! - weights[a]! || a - b).slice(0, LINKS_MAX);
}

/** Communities begin on a circle, their members round the middle of each; who had a place begins there. */
function startsOf(
  chosen: readonly number[],
  communities: Int32Array,
  before: Positions,
): Map<number, { x: number; y: number }> {
  const order = [...new Set(chosen.map((node) => communities[node]!))].sort((a, b) => a - b);
  const counts = new Map<number, number>();
  return new Map(
    chosen.map((node) => {
      if (!Number.isNaN(before.x[node]!)) return [node, { x: before.x[node]!, y: before.y[node]! }];
      const community = communities[node]!;
      const member = (counts.get(community) ?? 0) + 1;
      counts.set(community, member);
      const angle = (2 * Math.PI * order.indexOf(community)) / order.length;
      const spread = 0.02 * Math.sqrt(member);
      return [
        node,
        {
          x: Math.cos(angle) + spread * Math.cos(member * TURN),
          y: Math.sin(angle) + spread * Math.sin(member * TURN),
        },
      ];
    }),
  );
}

/** Moved and scaled so that the farthest stands on the edge. */
function writeFitted(graph: UndirectedGraph, nodes: readonly number[], placed: Positions): void {
  const places = nodes.map((node) => graph.getNodeAttributes(node) as { x: number; y: number });
  const middle = {
    x: places.reduce((sum, { x }) => sum + x, 0) / Math.max(1, places.length),
    y: places.reduce((sum, { y }) => sum + y, 0) / Math.max(1, places.length),
  };
  const reach = places.reduce(
    (most, { x, y }) => Math.max(most, Math.abs(x - middle.x), Math.abs(y - middle.y)),
    Number.EPSILON,
  );
  for (const [index, node] of nodes.entries()) {
    placed.x[node] = rounded((places[index]!.x - middle.x) / reach);
    placed.y[node] = rounded((places[index]!.y - middle.y) / reach);
  }
}

function rounded(value: number): number {
  return Math.round(value * DECIMALS) / DECIMALS;
}
