import type { Tx } from '@cairn/postgres';
import { inVaults, type Visibility } from '../../memories/visibility.ts';
import type { MemoryScope } from '../../memories/memory-scope.ts';
import { CO_OCCURS } from '../extract/extraction.ts';
import type { Contribution } from './chunk-contributions.ts';

/** Two entities by the numbers of their names. */
export interface NamePair {
  sources: readonly number[];
  targets: readonly number[];
  entityOf: ReadonlyMap<number, string>;
  visible: Visibility;
}

interface DirectedLink {
  source: string;
  target: string;
  type: string;
}

/** A passage with its links between the two, and the facts in it that state some of them. */
export interface LinkedPassage extends Pick<Contribution, 'doc_id' | 'chunk_id' | 'names' | 'surfaces' | 'links'> {
  facts: {
    fact_id: string;
    subject_no: number;
    object_no: number;
    relation: string;
    quote: string;
    quote_start: number;
    quote_end: number;
  }[];
}

/** A link between names as one between entities; what stands together does so in no direction, the smaller id first. */
export function directed(pair: NamePair, from: number, to: number, type: string): DirectedLink {
  const [source, target] = [pair.entityOf.get(from)!, pair.entityOf.get(to)!];
  return type === CO_OCCURS && target < source ? { source: target, target: source, type } : { source, target, type };
}

/** All links between the two, summed over their names. */
export async function linksBetween(
  tx: Tx,
  scope: MemoryScope,
  pair: NamePair,
): Promise<(DirectedLink & { weight: number })[]> {
  const rows = await tx.query<{ source: number; target: number; type: string; weight: number }>(
    `SELECT source, target, type, sum(weight)::float8 AS weight FROM graph_links
      WHERE tenant_id IS NOT DISTINCT FROM $1 AND memory_id IS NOT DISTINCT FROM $2
        AND (source = ANY($3::bigint[]) AND target = ANY($4::bigint[]) OR source = ANY($4) AND target = ANY($3))
        AND ${inVaults('vault_id', 5, 6)}
      GROUP BY source, target, type`,
    [scope.tenantId, scope.memoryId, pair.sources, pair.targets, pair.visible.vaults, pair.visible.hidden],
  );
  const sums = new Map<string, DirectedLink & { weight: number }>();
  for (const row of rows) {
    const link = directed(pair, row.source, row.target, row.type);
    const key = `${link.source} ${link.target} ${link.type}`;
    sums.set(key, { ...link, weight: (sums.get(key)?.weight ?? 0) + row.weight / 100 });
  }
  return [...sums.values()].sort(
    (a, b) => b.weight - a.weight || (`${a.type} ${a.source}` < `${b.type} ${b.source}` ? -1 : 1),
  );
}

/** Passages that state a link between the two, in the order of document and chunk. */
export async function linkPassages(
  tx: Tx,
  scope: MemoryScope,
  pair: NamePair,
  page: { after: string | null; rows: number },
): Promise<LinkedPassage[]> {
  const [afterDoc, afterChunk] = page.after?.split('.') ?? ['', ''];
  const values = [
    scope.tenantId,
    scope.memoryId,
    pair.sources,
    pair.targets,
    pair.visible.vaults,
    pair.visible.hidden,
    afterDoc,
    afterChunk,
    page.rows,
  ];
  const mentions = (names: string) =>
    `SELECT doc_id, chunk_id FROM graph_mentions
      WHERE tenant_id = $1 AND memory_id = $2 AND name_no = ANY(${names}::bigint[]) AND ${inVaults('vault_id', 5, 6)}
        AND (doc_id, chunk_id) > ($7, $8)`;
  const joins = (from: string, to: string) =>
    `${from} = ANY($3) AND ${to} = ANY($4) OR ${from} = ANY($4) AND ${to} = ANY($3)`;
  const between = `jsonb_array_elements(chunk.links) AS link
       WHERE ${joins('chunk.names[(link->>0)::int + 1]', 'chunk.names[(link->>1)::int + 1]')}`;
  const rows = await tx.query<LinkedPassage>(
    `SELECT chunk.doc_id, chunk.chunk_id, chunk.names, chunk.surfaces,
            (SELECT jsonb_agg(link) FROM ${between}) AS links,
            coalesce((SELECT jsonb_agg(jsonb_build_object('fact_id', fact_id, 'subject_no', subject_no, 'object_no', object_no,
                        'relation', relation, 'quote', quote, 'quote_start', quote_start, 'quote_end', quote_end) ORDER BY fact_id)
               FROM graph_facts AS fact
              WHERE fact.tenant_id IS NOT DISTINCT FROM $1 AND fact.memory_id IS NOT DISTINCT FROM $2
                AND fact.doc_id = chunk.doc_id AND fact.chunk_id = chunk.chunk_id AND NOT negated
                AND (${joins('subject_no', 'object_no')})), '[]') AS facts
       FROM (${mentions('$3')} INTERSECT ${mentions('$4')}) AS both_named
      CROSS JOIN LATERAL (SELECT doc_id, chunk_id, names, surfaces, links FROM graph_chunks
                           WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = both_named.doc_id AND chunk_id = both_named.chunk_id OFFSET 0) AS chunk
      WHERE EXISTS (SELECT FROM ${between})
      ORDER BY chunk.doc_id, chunk.chunk_id LIMIT $9`,
    values,
  );
  // Arrays of bigint come as text.
  return rows.map((row) => ({ ...row, names: row.names.map(Number) }));
}
