import { analyseGraph } from '../analysis/analyse-graph.ts';
import type { Walk } from './walk-graph.ts';

/** Centrality and communities of the walk by itself, for callers who do not see the whole graph. */
export function metricsInSubgraph(walk: Walk): Walk {
  const place = new Map(walk.nodes.map((node, index) => [node.entity_id, index]));
  const metrics = analyseGraph({
    nodes: walk.nodes.length,
    sources: walk.edges.map((edge) => place.get(edge.source)!),
    targets: walk.edges.map((edge) => place.get(edge.target)!),
    weights: walk.edges.map((edge) => edge.weight),
  });
  const nodes = walk.nodes.map((node, index) => ({
    ...node,
    centrality: metrics.centrality[index]!,
    community_id: metrics.communities[index]! + 1,
  }));
  nodes.sort((a, b) => a.hop - b.hop || b.centrality - a.centrality || (a.entity_id < b.entity_id ? -1 : 1));
  return { ...walk, nodes };
}
