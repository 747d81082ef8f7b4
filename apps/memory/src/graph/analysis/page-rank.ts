/** An undirected weighted graph; node numbers run from 0. */
export interface EdgeList {
  nodes: number;
  sources: ArrayLike<number>;
  targets: ArrayLike<number>;
  weights: ArrayLike<number>;
}

/** The same graph by node: the links of node n lie from `offsets[n]` to `offsets[n + 1]`. */
interface Adjacency {
  nodes: number;
  offsets: Int32Array;
  others: Int32Array;
  /** The share of a node's weight that each of its links has. */
  shares: Float64Array;
}

export function adjacencyOf({ nodes, sources, targets, weights }: EdgeList): Adjacency {
  const offsets = new Int32Array(nodes + 1);
  const totals = new Float64Array(nodes);
  const count = (node: number, weight: number) => {
    offsets[node + 1]! += 1;
    totals[node]! += weight;
  };
  for (let at = 0; at < sources.length; at += 1) {
    count(sources[at]!, weights[at]!);
    count(targets[at]!, weights[at]!);
  }
  for (let node = 0; node < nodes; node += 1) offsets[node + 1]! += offsets[node]!;
  const others = new Int32Array(sources.length * 2);
  const shares = new Float64Array(sources.length * 2);
  const next = offsets.slice(0, nodes);
  const link = (from: number, to: number, weight: number) => {
    const place = next[from]!++;
    others[place] = to;
    shares[place] = weight / totals[from]!;
  };
  for (let at = 0; at < sources.length; at += 1) {
    link(sources[at]!, targets[at]!, weights[at]!);
    link(targets[at]!, sources[at]!, weights[at]!);
  }
  return { nodes, offsets, others, shares };
}

interface PageRankOptions {
  /** Chance to follow a link instead of restarting. */
  damping: number;
  /** Where the walk restarts; undefined for anywhere alike. Sums to 1. */
  restart?: Float64Array;
  iterationsMax: number;
  /** Sum of changes below which it ends. */
  tolerance: number;
}

/**
 * PageRank by power iteration (Page, Brin, Motwani, Winograd 1999), personalised by `restart`. Sums to 1. A node without
 * links sends its rank to where walks restart.
 */
export function pageRank(graph: Adjacency, options: PageRankOptions): Float64Array {
  const { nodes, offsets, others, shares } = graph;
  const restart = options.restart ?? new Float64Array(nodes).fill(1 / Math.max(1, nodes));
  let rank = Float64Array.from(restart);
  let next = new Float64Array(nodes);
  for (let iteration = 0; iteration < options.iterationsMax; iteration += 1) {
    next.fill(0);
    let stranded = 0;
    for (let node = 0; node < nodes; node += 1) {
      const own = rank[node]!;
      if (own === 0) continue;
      const [from, to] = [offsets[node]!, offsets[node + 1]!];
      if (from === to) stranded += own;
      for (let at = from; at < to; at += 1) next[others[at]!]! += own * shares[at]!;
    }
    const again = 1 - options.damping + options.damping * stranded;
    let change = 0;
    for (let node = 0; node < nodes; node += 1) {
      next[node] = options.damping * next[node]! + again * restart[node]!;
      change += Math.abs(next[node]! - rank[node]!);
    }
    [rank, next] = [next, rank];
    if (change < options.tolerance) break;
  }
  return rank;
}
