import type { Tx } from '@cairn/postgres';
import type { MemoryScope } from '../../memories/memory-scope.ts';

/** What one chunk adds to the graph, with names by their numbers. */
export interface Contribution {
  doc_id: string;
  chunk_id: string;
  vault_id: string;
  read_sha256: Buffer;
  names: number[];
  surfaces: string[];
  counts: number[];
  /**
   * `[source, target, type, weight]`; source and target are places in `names`. Where no fact quotes the sentence of a
   * link, its place in the chunk follows: `start, end`.
   */
  links: readonly (
    | [source: number, target: number, type: string, weight: number]
    | [source: number, target: number, type: string, weight: number, start: number, end: number]
  )[];
}

export async function contributionsOf(tx: Tx, scope: MemoryScope, docIds: readonly string[]): Promise<Contribution[]> {
  if (docIds.length === 0) return [];
  const rows = await tx.query<Contribution>({
    name: 'graph_chunks_of',
    text: `SELECT found.* FROM unnest($3::text[]) AS wanted (w)
            CROSS JOIN LATERAL (SELECT doc_id, chunk_id, vault_id, read_sha256, names, surfaces, counts, links
                                  FROM graph_chunks WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = w OFFSET 0) AS found`,
    values: [scope.tenantId, scope.memoryId, [...new Set(docIds)]],
  });
  // Arrays of bigint come as text.
  return rows.map((row) => ({ ...row, names: row.names.map(Number) }));
}

/** Documents with contributions, in the order of their ids. */
export async function linkedDocumentsAfter(
  tx: Tx,
  scope: MemoryScope,
  after: string,
  rowsMax: number,
): Promise<string[]> {
  const rows = await tx.query<{ doc_id: string }>(
    `SELECT DISTINCT doc_id FROM graph_chunks WHERE tenant_id = $1 AND memory_id = $2 AND doc_id > $3 ORDER BY doc_id LIMIT $4`,
    [scope.tenantId, scope.memoryId, after, rowsMax],
  );
  return rows.map((row) => row.doc_id);
}

export async function insertContributions(tx: Tx, scope: MemoryScope, rows: readonly Contribution[]): Promise<void> {
  if (rows.length === 0) return;
  // An array of arrays of different lengths is none to PostgreSQL: they travel as text.
  await tx.execute({
    name: 'graph_chunks_insert',
    text: `INSERT INTO graph_chunks (tenant_id, memory_id, doc_id, chunk_id, vault_id, read_sha256, names, surfaces, counts, links)
           SELECT $1, $2, doc_id, chunk_id, vault_id, digest,
                  ARRAY(SELECT jsonb_array_elements_text(names)::bigint), ARRAY(SELECT jsonb_array_elements_text(surfaces)),
                  ARRAY(SELECT jsonb_array_elements_text(counts)::int), links
             FROM unnest($3::text[], $4::text[], $5::text[], $6::bytea[], $7::jsonb[], $8::jsonb[], $9::jsonb[], $10::jsonb[])
               AS added (doc_id, chunk_id, vault_id, digest, names, surfaces, counts, links)`,
    values: [
      scope.tenantId,
      scope.memoryId,
      rows.map((row) => row.doc_id),
      rows.map((row) => row.chunk_id),
      rows.map((row) => row.vault_id),
      rows.map((row) => row.read_sha256),
      rows.map((row) => JSON.stringify(row.names)),
      rows.map((row) => JSON.stringify(row.surfaces)),
      rows.map((row) => JSON.stringify(row.counts)),
      rows.map((row) => JSON.stringify(row.links)),
    ],
  });
  const mentions = rows.flatMap((row) => row.names.map((name) => ({ name, row })));
  await tx.execute({
    name: 'graph_mentions_insert',
    text: `INSERT INTO graph_mentions (tenant_id, memory_id, name_no, vault_id, doc_id, chunk_id)
           SELECT $1, $2, * FROM unnest($3::bigint[], $4::text[], $5::text[], $6::text[])`,
    values: [scope.tenantId, scope.memoryId, ...mentionColumns(mentions)],
  });
}

export async function deleteContributions(tx: Tx, scope: MemoryScope, rows: readonly Contribution[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.execute(
    `DELETE FROM graph_chunks USING unnest($3::text[], $4::text[]) AS gone (doc, chunk)
      WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = gone.doc AND chunk_id = gone.chunk`,
    [scope.tenantId, scope.memoryId, rows.map((row) => row.doc_id), rows.map((row) => row.chunk_id)],
  );
  await tx.execute(
    `DELETE FROM graph_mentions USING unnest($3::bigint[], $4::text[], $5::text[], $6::text[]) AS gone (no, vault, doc, chunk)
      WHERE tenant_id = $1 AND memory_id = $2 AND name_no = gone.no AND vault_id = gone.vault AND doc_id = gone.doc AND chunk_id = gone.chunk`,
    [
      scope.tenantId,
      scope.memoryId,
      ...mentionColumns(rows.flatMap((row) => row.names.map((name) => ({ name, row })))),
    ],
  );
}

function mentionColumns(mentions: readonly { name: number; row: Contribution }[]): unknown[][] {
  return [
    mentions.map(({ name }) => name),
    mentions.map(({ row }) => row.vault_id),
    mentions.map(({ row }) => row.doc_id),
    mentions.map(({ row }) => row.chunk_id),
  ];
}

/** Adds the links of some chunks to the sums and subtracts those of others. */
export async function applyLinks(
  tx: Tx,
  scope: MemoryScope,
  added: readonly Contribution[],
  removed: readonly Contribution[],
): Promise<void> {
  const deltas = new Map<string, { source: number; target: number; type: string; vault: string; weight: number }>();
  const sum = (rows: readonly Contribution[], sign: 1 | -1) => {
    for (const row of rows)
      for (const [from, to, type, weight] of row.links) {
        const [source, target] = [row.names[from]!, row.names[to]!];
        const key = `${source} ${target} ${row.vault_id} ${type}`;
        const delta = deltas.get(key);
        if (delta === undefined) deltas.set(key, { source, target, type, vault: row.vault_id, weight: sign * weight });
        else delta.weight += sign * weight;
      }
  };
  sum(added, 1);
  sum(removed, -1);
  const changed = [...deltas.values()].filter((delta) => delta.weight !== 0);
  if (changed.length === 0) return;
  const values = [
    scope.tenantId,
    scope.memoryId,
    changed.map((delta) => delta.source),
    changed.map((delta) => delta.target),
    changed.map((delta) => delta.type),
    changed.map((delta) => delta.vault),
    changed.map((delta) => delta.weight),
  ];
  await tx.execute({
    name: 'graph_links_add',
    text: `INSERT INTO graph_links (tenant_id, memory_id, source, target, type, vault_id, weight)
           SELECT $1, $2, * FROM unnest($3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::bigint[])
           ON CONFLICT (tenant_id, memory_id, source, target, type, vault_id) DO UPDATE SET weight = graph_links.weight + excluded.weight`,
    values,
  });
  if (!changed.some((delta) => delta.weight < 0)) return;
  await tx.execute(
    `DELETE FROM graph_links USING unnest($3::bigint[], $4::bigint[], $5::text[], $6::text[]) AS gone (s, t, y, v)
      WHERE tenant_id IS NOT DISTINCT FROM $1 AND memory_id IS NOT DISTINCT FROM $2 AND source = gone.s AND target = gone.t AND type = gone.y AND vault_id = gone.v AND weight <= 0`,
    values.slice(0, 6),
  );
}
