import { asSuperuser, type BenchUrls, rowsOf } from './bench-server.ts';

/** Tables that a memory's documents and index lie in. */
const MEASURED_TABLES = [
  'documents',
  'chunks',
  'ingest_queue',
  'outbox',
  'index_segments',
  'index_pages',
  'index_tombstones',
  'index_merge_leases',
  'index_garbage',
] as const;

/** Bytes of a table with its indexes and large values; of them dead rows and free space that later rows use. */
export interface TableSize {
  table: string;
  totalBytes: number;
  liveRows: number;
  deadRows: number;
  deadBytes: number;
  freeBytes: number;
}

/** Reads every page of the tables and of their large values (pgstattuple), so the figures are exact. */
export async function tableSizes(urls: BenchUrls, tables: readonly string[] = MEASURED_TABLES): Promise<TableSize[]> {
  return asSuperuser(urls, async (admin) => {
    await admin.query('CREATE EXTENSION IF NOT EXISTS pgstattuple SCHEMA public');
    return rowsOf<TableSize>(
      admin,
      `SELECT name AS "table", pg_total_relation_size(c.oid) AS "totalBytes", heap.tuple_count AS "liveRows",
              heap.dead_tuple_count AS "deadRows", heap.dead_tuple_len + coalesce(large.dead_tuple_len, 0) AS "deadBytes",
              heap.free_space + coalesce(large.free_space, 0) AS "freeBytes"
         FROM unnest($1::text[]) WITH ORDINALITY AS wanted (name, place)
         JOIN pg_class c ON c.oid = to_regclass(name)
        CROSS JOIN LATERAL public.pgstattuple(c.oid) AS heap
         LEFT JOIN LATERAL public.pgstattuple(NULLIF(c.reltoastrelid, 0)) AS large ON true
        ORDER BY place`,
      [tables],
    );
  });
}

/** Lets go at once of pages that merges replaced, as if the minute had passed that they stay for late readers. */
export async function expireGarbage(urls: BenchUrls): Promise<void> {
  await asSuperuser(urls, (admin) => admin.query('UPDATE index_garbage SET due_at = now()'));
}

export async function vacuumTables(urls: BenchUrls, tables: readonly string[] = MEASURED_TABLES): Promise<void> {
  await asSuperuser(urls, async (admin) => {
    for (const table of tables) await admin.query(`VACUUM (ANALYZE) ${table}`);
  });
}

/** What the index of all memories consists of: segments, their chunks and bytes as written, and tables on disk. */
export interface IndexSize {
  segments: number;
  chunks: number;
  payloadBytes: number;
  tableBytes: number;
}

export async function indexSize(urls: BenchUrls): Promise<IndexSize> {
  return asSuperuser(urls, async (admin) => {
    const rows = await rowsOf<IndexSize>(
      admin,
      `SELECT count(*) AS segments, coalesce(sum(chunk_count), 0)::bigint AS chunks, coalesce(sum(byte_size), 0)::bigint AS "payloadBytes",
              pg_total_relation_size('index_segments') + pg_total_relation_size('index_pages')
                + pg_total_relation_size('index_tombstones') AS "tableBytes"
         FROM index_segments`,
    );
    return rows[0]!;
  });
}
