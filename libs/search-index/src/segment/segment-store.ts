import { randomUUID } from 'node:crypto';
import type { Tx } from '@cairn/postgres';
import type { BuiltSegment } from './build-segment.ts';
import { openPacked, openSegment, type OpenSegment } from './open-segment.ts';
import type { PageCache } from './page-cache.ts';
import type { FieldWeights } from './scoring.ts';
import {
  OPENING_STREAMS,
  PACKED_MAX_BYTES,
  pageBytes,
  STREAM,
  STREAM_COUNT,
  type SegmentHeader,
  type StreamKind,
} from './segment-format.ts';
import { formatLanguages } from './segment-header.ts';
import type { PageRef, SegmentView } from './segment-view.ts';
import type { IndexScope } from '../search-index.ts';

/** Pages per statement: 64 large pages are 4 MB, 8 MB as PostgreSQL's text. */
const PAGES_PER_STATEMENT = 64;

/** A row of index_segments is missing although the manifest named it: the reader had no snapshot. */
export class SegmentGoneError extends Error {}

/** Stores a segment built in memory in the caller's transaction and returns its id. */
export async function insertBuilt(tx: Tx, memory: IndexScope, built: BuiltSegment): Promise<string> {
  const segmentId = randomUUID();
  const { header, sink } = built;
  if (sink.byteSize <= PACKED_MAX_BYTES) {
    await insertRow(tx, memory, segmentId, header, sink.byteSize, sink.pack());
    return segmentId;
  }
  const pages: NewPage[] = [];
  for (let kind = 1; kind <= STREAM_COUNT; kind++) {
    const stream = sink.stream(kind);
    const size = pageBytes(kind as StreamKind);
    for (let at = 0; at < stream.length; at += size)
      pages.push({ kind: kind as StreamKind, pageNo: at / size, data: stream.subarray(at, at + size) });
  }
  await insertPages(tx, memory, segmentId, pages);
  await insertRow(tx, memory, segmentId, header, sink.byteSize, null);
  return segmentId;
}

/** Puts a segment into the manifest. */
export async function insertRow(
  tx: Tx,
  memory: IndexScope,
  segmentId: string,
  header: SegmentHeader,
  byteSize: number,
  packed: Buffer | null,
): Promise<void> {
  await tx.execute({
    name: 'index_insert_segment',
    text: `INSERT INTO index_segments (tenant_id, memory_id, segment_id, chunk_count, title_tokens, context_tokens, body_tokens,
                                       byte_size, analyser_version, languages, packed)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    values: [
      memory.tenantId,
      memory.memoryId,
      segmentId,
      header.chunkCount,
      header.titleTokens,
      header.contextTokens,
      header.bodyTokens,
      byteSize,
      header.analyserVersion,
      formatLanguages(header.languages),
      packed,
    ],
  });
}

export interface NewPage {
  kind: StreamKind;
  pageNo: number;
  data: Buffer;
}

export async function insertPages(
  tx: Tx,
  memory: IndexScope,
  segmentId: string,
  pages: readonly NewPage[],
): Promise<void> {
  for (let at = 0; at < pages.length; at += PAGES_PER_STATEMENT) {
    const batch = pages.slice(at, at + PAGES_PER_STATEMENT);
    await tx.execute({
      name: 'index_insert_pages',
      text: `INSERT INTO index_pages (tenant_id, memory_id, segment_id, kind, page_no, data)
             SELECT $1, $2, $3, kind, page_no, data FROM unnest($4::smallint[], $5::int[], $6::bytea[]) AS page (kind, page_no, data)`,
      values: [
        memory.tenantId,
        memory.memoryId,
        segmentId,
        batch.map((page) => page.kind),
        batch.map((page) => page.pageNo),
        batch.map((page) => page.data),
      ],
    });
  }
}

/** Returns opened segments in the order asked for, from the cache or in one round trip. */
export async function openSegments(
  tx: Tx,
  memory: IndexScope,
  segmentIds: readonly string[],
  cache: PageCache,
  weights: FieldWeights,
): Promise<OpenSegment[]> {
  const opened = new Map<string, OpenSegment>();
  for (const segmentId of segmentIds) {
    const known = cache.segment(segmentId);
    if (known !== undefined) opened.set(segmentId, known);
  }
  const missing = segmentIds.filter((segmentId) => !opened.has(segmentId));
  if (missing.length > 0) {
    for (const open of await readSegments(tx, memory, missing, weights)) {
      opened.set(open.segmentId, open);
      cache.cacheSegment(open);
    }
  }
  return segmentIds.map((segmentId) => {
    const open = opened.get(segmentId);
    if (open === undefined) throw new SegmentGoneError(`index segment ${segmentId} is gone`);
    return open;
  });
}

interface PageRow {
  segment_id: string;
  kind: number;
  page_no: number;
  data: Buffer;
}

async function readSegments(
  tx: Tx,
  memory: IndexScope,
  segmentIds: readonly string[],
  weights: FieldWeights,
): Promise<OpenSegment[]> {
  const rows = await tx.query<PageRow>({
    name: 'index_open_segments',
    text: `SELECT segment_id, 0::smallint AS kind, 0 AS page_no, packed AS data FROM index_segments
            WHERE tenant_id = $1 AND memory_id = $2 AND segment_id = ANY ($3::uuid[]) AND packed IS NOT NULL
           UNION ALL
           SELECT segment_id, kind, page_no, data FROM index_pages
            WHERE tenant_id = $1 AND memory_id = $2 AND segment_id = ANY ($3::uuid[]) AND kind = ANY ($4::smallint[])`,
    values: [memory.tenantId, memory.memoryId, segmentIds, OPENING_STREAMS],
  });
  const bySegment = Map.groupBy(rows, (row) => row.segment_id);
  return [...bySegment].map(([segmentId, parts]) => {
    const packed = parts.find((part) => part.kind === 0);
    if (packed !== undefined) return openPacked(segmentId, exactCopy(packed.data), weights);
    parts.sort((a, b) => a.kind - b.kind || a.page_no - b.page_no);
    const streams = new Map(
      OPENING_STREAMS.map((kind) => [
        kind,
        Buffer.concat(parts.filter((part) => part.kind === kind).map((part) => part.data)),
      ]),
    );
    if (streams.get(STREAM.header)?.length === 0)
      throw new SegmentGoneError(`index segment ${segmentId} has no header`);
    return openSegment(segmentId, (kind) => streams.get(kind)!, null, weights);
  });
}

// The driver cuts small values out of a shared pool; a cached view would keep the whole pool alive.
function exactCopy(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}

/**
 * Hands pages to their views, from the cache or in one round trip. LIMIT keeps PostgreSQL to one look-up by key a
 * page: a join planned while the table was small would read all of it when it has grown.
 */
export async function fetchPages(
  tx: Tx,
  memory: IndexScope,
  refs: readonly PageRef[],
  views: ReadonlyMap<string, SegmentView>,
  cache: PageCache,
): Promise<void> {
  const missing: PageRef[] = [];
  for (const ref of refs) {
    const known = cache.page(ref);
    if (known === undefined) missing.push(ref);
    else views.get(ref.segmentId)!.addPage(ref.kind, ref.pageNo, known);
  }
  if (missing.length === 0) return;
  const rows = await tx.query<PageRow>({
    name: 'index_fetch_pages',
    text: `SELECT page.segment_id, page.kind, page.page_no, page.data
             FROM unnest($3::uuid[], $4::smallint[], $5::int[]) AS wanted (segment_id, kind, page_no)
            CROSS JOIN LATERAL (SELECT * FROM index_pages
                                 WHERE tenant_id = $1 AND memory_id = $2 AND segment_id = wanted.segment_id
                                   AND kind = wanted.kind AND page_no = wanted.page_no LIMIT 1) AS page`,
    values: [
      memory.tenantId,
      memory.memoryId,
      missing.map((ref) => ref.segmentId),
      missing.map((ref) => ref.kind),
      missing.map((ref) => ref.pageNo),
    ],
  });
  if (rows.length < missing.length) throw new SegmentGoneError(`${missing.length - rows.length} index pages are gone`);
  for (const row of rows) {
    const ref = { segmentId: row.segment_id, kind: row.kind as StreamKind, pageNo: row.page_no };
    const bytes = exactCopy(row.data);
    cache.cachePage(ref, bytes);
    views.get(ref.segmentId)!.addPage(ref.kind, ref.pageNo, bytes);
  }
}
