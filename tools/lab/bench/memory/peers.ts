import type { Database } from '@cairn/postgres';
import type { IndexHit, SearchIndex } from '@cairn/search-index';
import { findChunks } from '../../../../apps/memory/src/documents/chunk-store.ts';
import { BENCH_MEMORY } from './bench-memory.ts';
import { asSuperuser, type BenchUrls, rowsOf } from './bench-server.ts';
import type { CorpusQuery } from './corpus.ts';

/** Who answers: the index, or PostgreSQL's own full-text search. */
export type PeerName = 'cairn' | 'ts_rank';
export const PEER_NAMES: readonly PeerName[] = ['cairn', 'ts_rank'];

/** Finds the ids of the best chunks, best first. */
type PeerSearch = (database: Database, query: CorpusQuery) => Promise<string[]>;

export const SEARCH_LIMIT = 10;

/** Both peers alike: one snapshot under the tenant, ten hits by any of the words, and their chunks read, as the service does. */
export function peerSearch(name: PeerName, index: SearchIndex): PeerSearch {
  const find = name === 'cairn' ? findByIndex(index) : findByTsRank;
  return (database, query) =>
    database.withTenant(
      BENCH_MEMORY.tenantId,
      async (tx) => {
        const hits = await find(tx, query);
        const chunks = await findChunks(tx, BENCH_MEMORY, hits);
        if (chunks.size !== hits.length) throw new Error(`${hits.length - chunks.size} hits are not stored`);
        return hits.map((hit) => hit.chunkId);
      },
      { mode: 'snapshot' },
    );
}

type Find = (
  tx: Parameters<SearchIndex['search']>[0],
  query: CorpusQuery,
) => Promise<Pick<IndexHit, 'chunkId' | 'docId'>[]>;

function findByIndex(index: SearchIndex): Find {
  return (tx, query) => index.search(tx, BENCH_MEMORY, { text: query.words.join(' '), limit: SEARCH_LIMIT });
}

const findByTsRank: Find = async (tx, query) => {
  const rows = await tx.query<{ chunk_id: string; doc_id: string }>({
    name: 'bench_ts_rank',
    text: `SELECT chunk_id, doc_id FROM bench_vectors, to_tsquery($1::regconfig, $2) AS asked
            WHERE words @@ asked ORDER BY ts_rank(words, asked) DESC LIMIT $3`,
    values: [query.language.configuration, query.words.join(' | '), SEARCH_LIMIT],
  });
  return rows.map((row) => ({ chunkId: row.chunk_id, docId: row.doc_id }));
};

/** What the peer's table and its index took. */
export interface VectorBuild {
  chunks: number;
  buildMs: number;
  bytes: number;
}

/**
 * Brings the peer's table up to the stored chunks: each under the configuration of its own language, and GIN
 * built at the end, as is fastest. Without row-level security, which would keep PostgreSQL from using GIN.
 */
export async function buildVectors(urls: BenchUrls): Promise<VectorBuild> {
  return asSuperuser(urls, async (admin) => {
    const startedMs = performance.now();
    await admin.query(
      'CREATE TABLE IF NOT EXISTS bench_vectors (chunk_id text PRIMARY KEY COLLATE "C", doc_id text NOT NULL, words tsvector NOT NULL)',
    );
    await admin.query('GRANT SELECT ON bench_vectors TO memory_app');
    await admin.query('DROP INDEX IF EXISTS bench_vectors_words');
    await admin.query(
      `INSERT INTO bench_vectors
       SELECT chunk_id, doc_id, to_tsvector((location ->> 'configuration')::regconfig, title_path || ' ' || context_prefix || ' ' || body)
         FROM chunks WHERE tenant_id = $1 AND memory_id = $2
          AND NOT EXISTS (SELECT 1 FROM bench_vectors known WHERE known.chunk_id = chunks.chunk_id)`,
      [BENCH_MEMORY.tenantId, BENCH_MEMORY.memoryId],
    );
    await admin.query('CREATE INDEX bench_vectors_words ON bench_vectors USING gin (words)');
    await admin.query('VACUUM ANALYZE bench_vectors');
    const buildMs = performance.now() - startedMs;
    const rows = await rowsOf<{ chunks: number; bytes: number }>(
      admin,
      "SELECT count(*) AS chunks, pg_total_relation_size('bench_vectors') AS bytes FROM bench_vectors",
    );
    return { ...rows[0]!, buildMs };
  });
}
