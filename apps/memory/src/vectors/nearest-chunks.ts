import type { Tx } from '@cairn/postgres';
import type { MemoryScope } from '../document-store.ts';
import type { IndexFilter, IndexHit } from '../index/search-index.ts';
import { filterSql, parameters } from './filter-sql.ts';
import { productWith, toVectorText } from './vector-bytes.ts';

export interface NearestQuery {
  model: string;
  vector: Float32Array;
  limit: number;
  filter: IndexFilter | undefined;
}

/**
 * Below this many vectors of a memory every one of them is compared: exact, and faster than an index whose entries are
 * mostly other memories'. Above it an HNSW index is asked where there is one.
 */
export const EXACT_SCAN_MAX = 20_000;
/** Most vectors that are compared one by one where PostgreSQL has no index for them. */
const READ_MAX = 200_000;
const PAGE_ROWS = 4_000;
const EF_SEARCH = 100;

/** The chunks nearest to a vector, best first, ties by id. Exact unless the memory is large and pgvector is there. */
export async function nearestChunks(tx: Tx, scope: MemoryScope, query: NearestQuery): Promise<IndexHit[]> {
  if (!(await hasPgvector(tx))) return scanned(tx, scope, query);
  const large = await tx.query(
    `SELECT 1 FROM chunk_embeddings WHERE tenant_id = $1 AND memory_id = $2 AND model = $3 OFFSET $4 LIMIT 1`,
    [scope.tenantId, scope.memoryId, query.model, EXACT_SCAN_MAX],
  );
  return ordered(tx, scope, query, large.length > 0);
}

/** Whether this database keeps vectors in a column of pgvector's type. */
export async function hasPgvector(tx: Tx): Promise<boolean> {
  const rows = await tx.query({
    name: 'embeddings_have_pgvector',
    text: `SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass('chunk_embeddings') AND attname = 'embedding' AND NOT attisdropped`,
  });
  return rows.length > 0;
}

const FROM = `FROM chunk_embeddings AS embedded
  JOIN chunks AS chunk USING (tenant_id, memory_id, chunk_id)
  JOIN documents AS document ON document.tenant_id = chunk.tenant_id AND document.memory_id = chunk.memory_id AND document.doc_id = chunk.doc_id
 WHERE embedded.tenant_id = $1 AND embedded.memory_id = $2 AND embedded.model = $3`;

async function ordered(tx: Tx, scope: MemoryScope, query: NearestQuery, byIndex: boolean): Promise<IndexHit[]> {
  const bound = parameters(scope.tenantId, scope.memoryId, query.model, toVectorText(query.vector), query.limit);
  const condition = query.filter === undefined ? 'true' : filterSql(query.filter, bound);
  const size = query.vector.length;
  // The index is over the column cast to its size; anything added to the distance keeps PostgreSQL from using it.
  const distance = `embedded.embedding::vector(${size}) <=> $4::vector(${size})`;
  if (byIndex) {
    await tx.execute(`SET LOCAL hnsw.ef_search = ${EF_SEARCH}`);
    // Goes on until enough entries pass the filter, in exact order.
    await tx.execute('SET LOCAL hnsw.iterative_scan = strict_order');
  }
  const rows = await tx.query<{ chunk_id: string; doc_id: string; distance: number }>(
    `SELECT chunk.chunk_id, chunk.doc_id, ${distance} AS distance ${FROM} AND ${condition}
      ORDER BY ${byIndex ? distance : `(${distance}) + 0`} LIMIT $5`,
    bound.values,
  );
  return inOrder(rows.map((row) => ({ chunkId: row.chunk_id, docId: row.doc_id, score: 1 - row.distance })));
}

async function scanned(tx: Tx, scope: MemoryScope, query: NearestQuery): Promise<IndexHit[]> {
  let best: IndexHit[] = [];
  let after = '';
  for (let read = 0; read < READ_MAX; read += PAGE_ROWS) {
    const bound = parameters(scope.tenantId, scope.memoryId, query.model, after, PAGE_ROWS);
    const condition = query.filter === undefined ? 'true' : filterSql(query.filter, bound);
    const rows = await tx.query<{ chunk_id: string; doc_id: string; vector: Buffer }>(
      `SELECT chunk.chunk_id, chunk.doc_id, embedded.vector ${FROM} AND embedded.chunk_id > $4 AND ${condition}
        ORDER BY embedded.chunk_id LIMIT $5`,
      bound.values,
    );
    const found = rows.map((row) => ({
      chunkId: row.chunk_id,
      docId: row.doc_id,
      score: productWith(query.vector, row.vector),
    }));
    best = inOrder([...best, ...found]).slice(0, query.limit);
    if (rows.length < PAGE_ROWS) break;
    after = rows.at(-1)!.chunk_id;
  }
  return best;
}

function inOrder(hits: IndexHit[]): IndexHit[] {
  return hits.sort((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1));
}
