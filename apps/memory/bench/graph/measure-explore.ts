import type { Database, Tx } from '@cairn/postgres';
import { quantile } from '@cairn/testing';
import { walkGraph } from '../../src/graph/query/walk-graph.ts';
import { entityIdOf, type RandomGraphSize } from './random-graph.ts';
import type { MemoryScope } from '../../src/memories/memory-scope.ts';

export interface ExploreCell {
  start: 'hub' | 'any';
  hops: number;
  walks: number;
  /** Milliseconds. */
  p50: number;
  p95: number;
  nodes: number;
  edges: number;
  /** The same nodes by one recursive statement; null where it was not asked. */
  recursiveP50: number | null;
}

const LIMIT = 500;
const ALL = { vaults: null, hidden: [] };
const RECURSIVE_WALKS = 3;
/** From so many hops on the recursive statement takes minutes. */
const RECURSIVE_HOPS_MAX = 3;

/** Walks from the hub and from others, one after the other, each in a snapshot under its tenant. */
export async function measureExplore(
  database: Database,
  scope: MemoryScope,
  size: RandomGraphSize,
  options: { walks: number; say: (line: string) => void },
): Promise<ExploreCell[]> {
  const cells: ExploreCell[] = [];
  for (const start of ['any', 'hub'] as const)
    for (let hops = 1; hops <= 6; hops += 1) {
      const times: number[] = [];
      let nodes = 0;
      let edges = 0;
      for (let walk = -3; walk < options.walks; walk += 1) {
        const entity = start === 'hub' ? 0 : 1 + (((walk + 7) * 7_919) % (size.entities - 1));
        const startedMs = performance.now();
        const found = await inSnapshot(database, scope, (tx) =>
          walkGraph(tx, scope, { start: entityIdOf(entity), maxHops: hops, types: null, limit: LIMIT, visible: ALL }),
        );
        if (walk < 0) continue;
        times.push(performance.now() - startedMs);
        nodes = Math.max(nodes, found.nodes.length);
        edges = Math.max(edges, found.edges.length);
      }
      const recursive = hops <= RECURSIVE_HOPS_MAX ? await recursiveTimes(database, scope, size, start, hops) : null;
      cells.push({
        start,
        hops,
        walks: options.walks,
        nodes,
        edges,
        p50: quantile(times, 0.5),
        p95: quantile(times, 0.95),
        recursiveP50: recursive,
      });
      const cell = cells.at(-1)!;
      options.say(
        `${start} ${hops} hops: ${cell.p50.toFixed(1)} / ${cell.p95.toFixed(1)} ms, recursive ${recursive?.toFixed(1) ?? '-'}`,
      );
    }
  return cells;
}

function inSnapshot<T>(database: Database, scope: MemoryScope, work: (tx: Tx) => Promise<T>): Promise<T> {
  return database.withTenant(scope.tenantId, work, { mode: 'snapshot' });
}

/** The peer: one WITH RECURSIVE that finds the hop of every node, ordered and cut as the walk is. */
async function recursiveTimes(
  database: Database,
  scope: MemoryScope,
  size: RandomGraphSize,
  start: 'hub' | 'any',
  hops: number,
): Promise<number> {
  const times: number[] = [];
  for (let walk = 0; walk < RECURSIVE_WALKS; walk += 1) {
    const entity = start === 'hub' ? 0 : 1 + (((walk + 7) * 7_919) % (size.entities - 1));
    const startedMs = performance.now();
    await inSnapshot(database, scope, (tx) =>
      tx.query(
        `WITH RECURSIVE reached AS (
           SELECT name_no, 0 AS hop FROM graph_names WHERE tenant_id = $1 AND memory_id = $2 AND entity_id = $3
           UNION
           SELECT link.other, reached.hop + 1 FROM reached CROSS JOIN LATERAL (
             SELECT target AS other FROM graph_links WHERE tenant_id = $1 AND memory_id = $2 AND source = reached.name_no
             UNION ALL
             SELECT source FROM graph_links WHERE tenant_id = $1 AND memory_id = $2 AND target = reached.name_no) AS link
            WHERE reached.hop < $4)
         SELECT entity_id, min(hop) AS hop FROM reached JOIN graph_names USING (name_no)
          WHERE tenant_id = $1 AND memory_id = $2 GROUP BY entity_id ORDER BY min(hop), max(centrality) DESC, entity_id LIMIT $5`,
        [scope.tenantId, scope.memoryId, entityIdOf(entity), hops, LIMIT],
      ),
    );
    times.push(performance.now() - startedMs);
  }
  return quantile(times, 0.5);
}
