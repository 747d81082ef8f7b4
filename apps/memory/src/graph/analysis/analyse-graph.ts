import { UndirectedGraph } from 'graphology';
import louvainModule from 'graphology-communities-louvain';
import { adjacencyOf, type EdgeList, pageRank } from './page-rank.ts';

/** The package says of itself that it is an ES module, which it is not: its function is what is imported. */
const louvain = louvainModule as unknown as (
  graph: UndirectedGraph,
  options: { getEdgeWeight: string; randomWalk: boolean },
) => Record<string, number>;

export interface GraphMetrics {
  /** PageRank of each node, 1 for the most central. */
  centrality: Float64Array;
  /** Number of each node's community, in no order; -1 for a node without links. */
  communities: Int32Array;
}

const DAMPING = 0.85;
const ITERATIONS_MAX = 60;
const TOLERANCE = 1e-7;
const DIGITS = 1e6;

/** Centrality by PageRank, communities by Louvain (Blondel and others 2008). The same graph returns the same result. */
export function analyseGraph(edges: EdgeList): GraphMetrics {
  const rank = pageRank(adjacencyOf(edges), { damping: DAMPING, iterationsMax: ITERATIONS_MAX, tolerance: TOLERANCE });
  const highest = rank.reduce((most, each) => Math.max(most, each), 0);
  const centrality = rank.map((each) => Math.round((each / (highest || 1)) * DIGITS) / DIGITS);
  return { centrality, communities: communitiesOf(edges) };
}

function communitiesOf({ nodes, sources, targets, weights }: EdgeList): Int32Array {
  const graph = new UndirectedGraph({ allowSelfLoops: false });
  const communities = new Int32Array(nodes).fill(-1);
  for (let at = 0; at < sources.length; at += 1) {
    if (sources[at] === targets[at]) continue;
    graph.mergeNode(sources[at]);
    graph.mergeNode(targets[at]);
    graph.updateEdge(sources[at], targets[at], (known: { weight?: number }) => ({
      weight: (known.weight ?? 0) + weights[at]!,
    }));
  }
  if (graph.size === 0) return communities;
  const found = louvain(graph, { getEdgeWeight: 'weight', randomWalk: false });
  for (const [node, community] of Object.entries(found)) communities[Number(node)] = community;
  return communities;
}
