import type { Tx } from '@cairn/postgres';
import type { Analyser } from './analyser.ts';
import { BUILT_CHUNKS_MAX, buildSegmentInSlices } from './segment/build-segment.ts';
import { dropIndex, finishExpunge, requestExpunge } from './merging/expunge.ts';
import { readManifest, statisticsOf, type Manifest, type TombstoneRow } from './segment/manifest.ts';
import { createIndexCaches, type IndexCaches } from './index-caches.ts';
import type { PageCache } from './segment/page-cache.ts';
import { planQuery } from './query/query-plan.ts';
import { FIELD_WEIGHTS, type FieldWeights } from './segment/scoring.ts';
import type { IndexChunk, IndexHit, IndexQuery, IndexScope, SearchIndex } from './search-index.ts';
import { searchViews } from './query/search-views.ts';
import { STREAM } from './segment/segment-format.ts';
import { fetchPages, insertBuilt, openSegments, SegmentGoneError } from './segment/segment-store.ts';
import { SegmentView, type PageRef } from './segment/segment-view.ts';
import { restrictToVisible } from './query/scoped-statistics.ts';
import {
  deleteTombstones,
  insertTombstones,
  lockSegments,
  shareMemory,
  type DatabaseTombstones,
} from './segment/tombstones.ts';

interface SegmentIndexOptions {
  analyser: Analyser;
  /** Shared by the indexes of all databases of this process. Default: its own. */
  caches?: IndexCaches;
  /** Name of the database, which the numbers of its transactions belong to; another one has other numbers. */
  databaseName?: string;
  /** Weights of fields; segments written under others are still scored right, only slower. */
  weights?: FieldWeights;
  /** Called after `add` put a segment into the manifest, before the caller commits: a merge may be due soon. */
  onSegmentAdded?: (memory: IndexScope) => void;
  /** Called when deletions are to leave storage, before the caller commits. */
  onExpunge?: (memory: IndexScope) => void;
}

/** Characters of text analysed for one segment; a batch with more becomes several. */
const BUILT_CHARACTERS_MAX = 4_000_000;

export interface SegmentIndex extends SearchIndex {
  /** Bytes of pages and opened segments in this process's cache. */
  readonly cachedBytes: number;
}

/**
 * The index as immutable segments in PostgreSQL, after Lucene: `add` writes one, a merger joins them, deletes
 * are marks. One instance per database. Segment ids are random UUIDs, so that databases may share the caches.
 */
export function createSegmentIndex(options: SegmentIndexOptions): SegmentIndex {
  const { analyser } = options;
  const weights = options.weights ?? FIELD_WEIGHTS;
  const caches = options.caches ?? createIndexCaches();
  const cache = caches.pages;
  const tombstones = caches.tombstones.of(options.databaseName ?? '');

  return {
    get cachedBytes() {
      return cache.bytes;
    },
    async add(tx, memory, chunks) {
      if (chunks.length === 0) return;
      assertUniqueChunks(chunks);
      await ensureMemory(tx, memory);
      for (const batch of batchesOf(chunks))
        await insertBuilt(tx, memory, await buildSegmentInSlices(batch, weights, analyser));
      options.onSegmentAdded?.(memory);
    },
    remove: (tx, memory, chunkIds) => removeChunks(tx, memory, chunkIds, cache, weights),
    async drop(tx, memory) {
      const { finished, segmentIds } = await dropIndex(tx, memory);
      caches.pages.forget(segmentIds);
      return finished;
    },
    expunge: async (tx, memory) => {
      const mark = await requestExpunge(tx, memory);
      if (mark !== null) options.onExpunge?.(memory);
      return mark;
    },
    expunged: finishExpunge,
    publish: async () => undefined,
    async search(snapshot, memory, query) {
      try {
        return await searchOnce(snapshot, memory, query, { cache, tombstones, weights, analyser });
      } catch (error) {
        // Only a transaction without a snapshot can lose a segment between two statements; its next statement sees the merged one.
        if (!(error instanceof SegmentGoneError)) throw error;
        return searchOnce(snapshot, memory, query, { cache, tombstones, weights, analyser });
      }
    },
  };
}

function assertUniqueChunks(chunks: readonly IndexChunk[]): void {
  const seen = new Set<string>();
  for (const { chunkId } of chunks) {
    if (seen.has(chunkId)) throw new RangeError(`chunk ${chunkId} is added twice`);
    seen.add(chunkId);
  }
}

function* batchesOf(chunks: readonly IndexChunk[]): Generator<IndexChunk[]> {
  let batch: IndexChunk[] = [];
  let characters = 0;
  for (const chunk of chunks) {
    batch.push(chunk);
    characters += chunk.titlePath.length + chunk.contextPrefix.length + chunk.body.length;
    if (batch.length < BUILT_CHUNKS_MAX && characters < BUILT_CHARACTERS_MAX) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}

/** Makes the memory's row if there is none, and holds it against a drop until the caller's commit. */
async function ensureMemory(tx: Tx, memory: IndexScope): Promise<void> {
  while (!(await shareMemory(tx, memory))) {
    await tx.execute({
      name: 'index_create_memory',
      text: 'INSERT INTO index_memories (tenant_id, memory_id) VALUES ($1, $2) ON CONFLICT (tenant_id, memory_id) DO NOTHING',
      values: [memory.tenantId, memory.memoryId],
    });
  }
}

interface SearchDeps {
  cache: PageCache;
  tombstones: DatabaseTombstones;
  weights: FieldWeights;
  analyser: Analyser;
}

async function searchOnce(snapshot: Tx, memory: IndexScope, query: IndexQuery, deps: SearchDeps): Promise<IndexHit[]> {
  query.signal?.throwIfAborted();
  const { cache, tombstones, weights, analyser } = deps;
  const read = await tombstones.read(snapshot, memory);
  if (read === null || read.manifest.segments.length === 0) return [];
  const { manifest, alive } = read;
  const views = await openViews(snapshot, memory, manifest, cache, weights);
  const all = [...views].map(([segmentId, view]) => ({ view, alive: alive.get(segmentId) ?? null }));
  const fetchMissing = (refs: PageRef[]) => fetchPages(snapshot, memory, refs, views, cache);
  const { segments, statistics } =
    query.within === undefined
      ? { segments: all, statistics: statisticsOf(manifest.segments, weights) }
      : await restrictToVisible(all, query.within, fetchMissing);
  return searchViews({
    segments,
    plan: planQuery(query.text, statistics.languages, analyser, query.expansions),
    filter: query.filter,
    limit: query.limit,
    explain: query.explain ?? false,
    weights,
    chunkCount: statistics.chunkCount,
    totalLength: statistics.totalLength,
    seenOnly: query.within !== undefined,
    onWords: query.onWords,
    fetch: fetchMissing,
    signal: query.signal,
  });
}

async function openViews(
  tx: Tx,
  memory: IndexScope,
  manifest: Manifest,
  cache: PageCache,
  weights: FieldWeights,
): Promise<Map<string, SegmentView>> {
  const ids = manifest.segments.map((segment) => segment.segmentId);
  const opened = await openSegments(tx, memory, ids, cache, weights);
  return new Map(opened.map((open) => [open.segmentId, new SegmentView(open)]));
}

async function removeChunks(
  tx: Tx,
  memory: IndexScope,
  chunkIds: readonly string[],
  cache: PageCache,
  weights: FieldWeights,
): Promise<void> {
  if (chunkIds.length === 0) return;
  if (!(await shareMemory(tx, memory))) return;
  // The lock comes first: a merge that commits before it is in the manifest below, one after it sees our marks.
  await lockSegments(tx, memory, 'shared');
  const manifest = await readManifest(tx, memory);
  if (manifest === null) return;
  const views = await openViews(tx, memory, manifest, cache, weights);
  const refs: PageRef[] = [];
  for (const view of views.values())
    for (const id of chunkIds) view.missingForKey(view.open.chunkIds, STREAM.chunkIds, id, refs);
  const distinct = new Map(refs.map((ref) => [`${ref.segmentId}/${ref.pageNo}`, ref]));
  await fetchPages(tx, memory, [...distinct.values()], views, cache);

  const rows = Map.groupBy(manifest.tombstones, (row) => row.segmentId);
  for (const [segmentId, view] of views) {
    const held = chunkIds
      .map((id) => view.ordinalOf(view.open.chunkIds, STREAM.chunkIds, id))
      .filter((ordinal) => ordinal >= 0);
    if (held.length > 0) await mark(tx, memory, segmentId, held, rows.get(segmentId) ?? []);
  }
}

/** Rows of marks a segment may have before a delete rewrites them as one. */
const TOMBSTONE_ROWS_MAX = 32;

async function mark(
  tx: Tx,
  memory: IndexScope,
  segmentId: string,
  ordinals: readonly number[],
  before: readonly TombstoneRow[],
): Promise<void> {
  const marked = new Set(before.flatMap((row) => row.ordinals));
  const fresh = [...new Set(ordinals)].filter((ordinal) => !marked.has(ordinal));
  if (fresh.length === 0) return;
  if (before.length < TOMBSTONE_ROWS_MAX) return insertTombstones(tx, memory, segmentId, fresh);
  // Readers that know some of these marks already set them once more.
  await deleteTombstones(tx, memory, before);
  await insertTombstones(tx, memory, segmentId, [...marked, ...fresh], before);
}
