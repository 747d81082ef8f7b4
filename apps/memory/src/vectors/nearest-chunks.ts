import type { Tx } from '@cairn/postgres';
import type { IndexFilter, IndexHit } from '@cairn/search-index';
import { filterSql, parameters } from './filter-sql.ts';
import { productWith, toVectorText } from './vector-bytes.ts';
import type { MemoryScope } from '../memories/memory-scope.ts';

interface NearestQuery {
  model: string;
  vector: Float32Array;
  limit: number;
  filter: IndexFilter | undefined;
  /** Default: `EXACT_SCAN_MAX`. */
  exactScanMax?: number;
  /** Default: `EF_SEARCH`. */
  efSearch?: number;
}

/**
 * Below this many vectors of a memory every one of them is compared: exact, and faster than an index whose entries are
 * mostly other memories'. Above it an HNSW index is asked where there is one.
 */
export const EXACT_SCAN_MAX = 20_000;
/** Most vectors that are compared one by one where PostgreSQL has no index for them. */
const READ_MAX = 200_000;
const PAGE_ROWS = 4_000;
const EF_SEARCH = 300;
/** Of so many chunks in the spaces or documents of a filter every vector is compared, however large the memory. */
const FILTERED_SCAN_MAX = 10_000;
/**
 * Entries of all memories that are looked at until enough are the caller's: of ten million, a memory of 20,000 has 200
 * among so many. Then memory for them, in multiples of `work_mem`.
 */
const VISITED_MAX = 100_000;
const VISITED_WORK_MEM = 8;

/** The chunks nearest to a vector, best first, ties by id. Exact unless the memory is large and pgvector is there. */
export async function nearestChunks(tx: Tx, scope: MemoryScope, query: NearestQuery): Promise<IndexHit[]> {
  if (!(await hasPgvector(tx))) return scanned(tx, scope, query);
  const ofMemory = 'FROM chunk_embeddings WHERE tenant_id = $1 AND memory_id = $2 AND model = $3';
  const [memory] = await tx.query<{ large: boolean; unconverted: boolean }>(
    `SELECT EXISTS (SELECT ${ofMemory} OFFSET $4 LIMIT 1) AS large,
            EXISTS (SELECT ${ofMemory} AND embedding IS NULL) AS unconverted`,
    [scope.tenantId, scope.memoryId, query.model, query.exactScanMax ?? EXACT_SCAN_MAX],
  );
  if (memory!.unconverted) return scanned(tx, scope, query);
  if (!memory!.large) return ordered(tx, scope, query, 'all');
  return ordered(tx, scope, query, (await letsFewThrough(tx, scope, query.filter)) ? 'filtered' : 'index');
}

/** Whether this database keeps vectors in a column of pgvector's type. */
export async function hasPgvector(tx: Tx): Promise<boolean> {
  const rows = await tx.query({
    name: 'embeddings_have_pgvector',
    text: `SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass('chunk_embeddings') AND attname = 'embedding' AND NOT attisdropped`,
  });
  return rows.length > 0;
}

const OF_MODEL = 'embedded.tenant_id = $1 AND embedded.memory_id = $2 AND embedded.model = $3';

/**
 * The chunk of a vector, and its document where a condition asks for it, each looked up by its key: left to itself,
 * PostgreSQL joins whole tables as long as it knows nothing of them yet.
 */
function lookedUp(condition: string): string {
  const chunk = `CROSS JOIN LATERAL (SELECT * FROM chunks
     WHERE tenant_id = $1 AND memory_id = $2 AND chunk_id = embedded.chunk_id OFFSET 0) AS chunk`;
  return `${chunk} ${documentOf(condition)}`;
}

function documentOf(condition: string): string {
  if (!condition.includes('document.')) return '';
  return `CROSS JOIN LATERAL (SELECT created_at FROM documents
     WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = chunk.doc_id OFFSET 0) AS document`;
}

/** The chunks of the memory, each with its vector: begins with what a condition says of them. */
function embeddedOf(condition: string): string {
  return `(SELECT * FROM chunks WHERE tenant_id = $1 AND memory_id = $2) AS chunk
    CROSS JOIN LATERAL (SELECT * FROM chunk_embeddings
     WHERE tenant_id = $1 AND memory_id = $2 AND chunk_id = chunk.chunk_id AND model = $3 OFFSET 0) AS embedded
    ${documentOf(condition)}`;
}

/** What is compared: the neighbours in the HNSW index, every vector of the memory, or those that the filter lets through. */
type Compared = 'index' | 'all' | 'filtered';

async function ordered(tx: Tx, scope: MemoryScope, query: NearestQuery, compared: Compared): Promise<IndexHit[]> {
  const bound = parameters(scope.tenantId, scope.memoryId, query.model, toVectorText(query.vector), query.limit);
  const condition = query.filter === undefined ? '' : filterSql(query.filter, bound);
  const size = query.vector.length;
  // The index is over the column cast to its size; anything added to the distance keeps PostgreSQL from using it.
  const distance = `embedded.embedding::vector(${size}) <=> $4::vector(${size})`;
  const order = `ORDER BY ${compared === 'index' ? distance : `(${distance}) + 0`} LIMIT $5`;
  if (compared === 'index') {
    await tx.execute(`SET LOCAL hnsw.ef_search = ${query.efSearch ?? EF_SEARCH}`);
    // Goes on until enough entries pass the filter, in exact order.
    await tx.execute('SET LOCAL hnsw.iterative_scan = strict_order');
    await tx.execute(`SET LOCAL hnsw.max_scan_tuples = ${VISITED_MAX}`);
    await tx.execute(`SET LOCAL hnsw.scan_mem_multiplier = ${VISITED_WORK_MEM}`);
  }
  const from =
    compared === 'filtered'
      ? embeddedOf(condition)
      : `chunk_embeddings AS embedded ${condition === '' ? '' : lookedUp(condition)}`;
  const nearest = `SELECT embedded.chunk_id, ${distance} AS distance FROM ${from}
     WHERE ${OF_MODEL} ${condition === '' ? '' : `AND ${condition}`} ${order}`;
  const rows = await tx.query<{ chunk_id: string; doc_id: string; distance: number }>(
    `SELECT chunk.chunk_id, chunk.doc_id, embedded.distance FROM (${nearest}) AS embedded ${lookedUp('')}`,
    bound.values,
  );
  return inOrder(rows.map((row) => ({ chunkId: row.chunk_id, docId: row.doc_id, score: 1 - row.distance })));
}

async function letsFewThrough(tx: Tx, scope: MemoryScope, filter: IndexFilter | undefined): Promise<boolean> {
  const part = indexedPart(filter);
  if (part === null) return false;
  const bound = parameters(scope.tenantId, scope.memoryId, FILTERED_SCAN_MAX);
  const more = await tx.query(
    `SELECT 1 FROM chunks AS chunk WHERE tenant_id = $1 AND memory_id = $2 AND ${filterSql(part, bound)}
     OFFSET $3 LIMIT 1`,
    bound.values,
  );
  return more.length === 0;
}

/** The part of a filter that all of it must pass and that PostgreSQL has an index for: spaces or documents. */
function indexedPart(filter: IndexFilter | undefined): IndexFilter | null {
  if (filter === undefined) return null;
  if ('vaultIds' in filter || 'docIds' in filter) return filter;
  return 'and' in filter ? (filter.and.map(indexedPart).find((part) => part !== null) ?? null) : null;
}

async function scanned(tx: Tx, scope: MemoryScope, query: NearestQuery): Promise<IndexHit[]> {
  let best: { chunkId: string; score: number }[] = [];
  let after = '';
  for (let read = 0; read < READ_MAX; read += PAGE_ROWS) {
    const rows = await readPage(tx, scope, query, after);
    const found = rows.flatMap(({ chunk_id, vector }) =>
      vector === null ? [] : [{ chunkId: chunk_id, score: productWith(query.vector, vector) }],
    );
    best = inOrder([...best, ...found]).slice(0, query.limit);
    if (rows.length < PAGE_ROWS) break;
    after = rows.at(-1)!.chunk_id;
  }
  return withDocuments(tx, scope, best);
}

/** The next vectors in the order of their chunks; null for those that the filter keeps out. */
async function readPage(
  tx: Tx,
  scope: MemoryScope,
  query: NearestQuery,
  after: string,
): Promise<{ chunk_id: string; vector: Buffer | null }[]> {
  const bound = parameters(scope.tenantId, scope.memoryId, query.model, after, PAGE_ROWS);
  const page = `SELECT embedded.chunk_id, embedded.vector FROM chunk_embeddings AS embedded
    WHERE ${OF_MODEL} AND embedded.chunk_id > $4 ORDER BY embedded.chunk_id LIMIT $5`;
  if (query.filter === undefined) return tx.query({ name: 'embeddings_page', text: page, values: bound.values });
  const condition = filterSql(query.filter, bound);
  return tx.query(
    `SELECT embedded.chunk_id, CASE WHEN ${condition} THEN embedded.vector END AS vector
       FROM (${page}) AS embedded ${lookedUp(condition)} ORDER BY embedded.chunk_id`,
    bound.values,
  );
}

async function withDocuments(
  tx: Tx,
  scope: MemoryScope,
  best: readonly { chunkId: string; score: number }[],
): Promise<IndexHit[]> {
  const rows = await tx.query<{ chunk_id: string; doc_id: string }>({
    name: 'embeddings_documents',
    text: `SELECT embedded.chunk_id, chunk.doc_id FROM unnest($3::text[]) AS embedded (chunk_id) ${lookedUp('')}`,
    values: [scope.tenantId, scope.memoryId, best.map(({ chunkId }) => chunkId)],
  });
  const documents = new Map(rows.map((row) => [row.chunk_id, row.doc_id]));
  return best.flatMap((hit) => {
    const docId = documents.get(hit.chunkId);
    return docId === undefined ? [] : [{ ...hit, docId }];
  });
}

function inOrder<H extends { chunkId: string; score: number }>(hits: H[]): H[] {
  return hits.sort((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1));
}
