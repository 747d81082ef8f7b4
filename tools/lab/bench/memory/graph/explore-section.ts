import { table } from '../../../measurement/page.ts';
import type { ExploreResult } from './measure-explore.ts';
import type { RandomGraphSize } from './random-graph.ts';

/** The page's section about explore. */
export function exploreText(head: string, size: RandomGraphSize, result: ExploreResult): string {
  return [
    '## Explore',
    '',
    head,
    '',
    `A graph of ${size.links.toLocaleString('en')} links between ${size.entities.toLocaleString('en')} entities, one of them a hub with ${size.hub.toLocaleString('en')} neighbours; walks in both directions, 500 nodes at most, with the links between the nodes. Each request is the whole operation without HTTP: with the graph kept in memory, and in turns with it by SQL alone, as it is answered where the graph is not kept. The peer is one recursive statement that gives the same nodes and no links. Goal: p95 under 100 ms from any start.`,
    '',
    cellsTable(result),
    '',
    `The graph was read in ${(result.readMs / 1_000).toFixed(1)} s (${(result.readCpuMs / 1_000).toFixed(1)} s of the service's processor time), beside requests that are answered by SQL meanwhile, and takes ${result.heldMb.toFixed(0)} MB. The first request after a change of the hub's links, which brings what is kept up to date: ${pair(result.afterChange)} ms (p50 / p95; goal: under 1 s).`,
    '',
    'Several callers at once, three hops, every tenth request from the hub:',
    '',
    callersTable(result),
  ].join('\n');
}

function cellsTable({ cells }: ExploreResult): string {
  const head = ['kept, p50 / p95 ms', 'by SQL, p50 / p95 ms', 'ratio of the p95s', 'nodes', 'links'];
  return table(
    ['start', 'hops', ...head, 'recursive statement, p50 ms'],
    cells.map(({ start, hops, kept, sql, nodes, edges, recursiveP50 }) => [
      start,
      String(hops),
      pair(kept),
      pair(sql),
      (sql[1] / kept[1]).toFixed(1),
      String(nodes),
      String(edges),
      recursiveP50?.toFixed(1) ?? '—',
    ]),
  );
}

function callersTable({ callers }: ExploreResult): string {
  const rows = callers.flatMap((cell) => [
    { callers: cell.callers, graph: 'kept', ...cell.kept },
    { callers: cell.callers, graph: 'by SQL', ...cell.sql },
  ]);
  return table(
    ['callers', 'graph', 'requests/s', 'p50 / p95 ms', 'processor ms a request: service / PostgreSQL'],
    rows.map((row) => [
      String(row.callers),
      row.graph,
      row.perSecond.toFixed(1),
      pair(row.times),
      `${row.serviceMs.toFixed(1)} / ${row.postgresMs.toFixed(1)}`,
    ]),
  );
}

function pair([p50, p95]: [number, number]): string {
  return `${p50.toFixed(1)} / ${p95.toFixed(1)}`;
}
