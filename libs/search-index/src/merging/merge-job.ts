import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database, Tx } from '@cairn/postgres';
import type { Analyser } from '../analyser.ts';
import { MergeInput } from './merge-input.ts';
import { MergeFencedError, addGarbage, postponeSweep, replaceSegments } from './replace-segments.ts';
import { holdsLease, renewLease, type MergeLease, type MergePermission } from './merge-lease.ts';
import { chooseMerge, type MergeLane, type MergeLimits } from './merge-policy.ts';
import { mergeSegments, type Pause } from './merge-segments.ts';
import { PageCache } from '../segment/page-cache.ts';
import { PageSink } from '../segment/page-sink.ts';
import type { FieldWeights } from '../segment/scoring.ts';
import type { StreamKind } from '../segment/segment-format.ts';
import { insertPages, openSegments, type NewPage } from '../segment/segment-store.ts';
import { readWhole, shareMemory, type LiveBits } from '../segment/tombstones.ts';
import type { IndexScope } from '../search-index.ts';

export interface MergeSettings {
  database: Database;
  analyser: Analyser;
  permission: MergePermission;
  weights: FieldWeights;
  limits: MergeLimits;
  leaseMs: number;
  graceMs: number;
}

export interface MergeReport {
  /** Segments that went, and those that took their place. */
  inputIds: string[];
  outputIds: string[];
  chunkCount: number;
  byteSize: number;
  tookMs: number;
}

/**
 * How long a merge holds the event loop at a time. A search waits about six times, for up to a slice of each
 * lane: while 25,000 chunks were merged its p50 was 16 ms with slices of 2 ms and 29 ms with slices of 5 ms (p95
 * 29 and 43 ms); the merge took 8.7 s instead of 5.9 s, as more searches ran beside it.
 */
const SLICE_MAX_MS = 2;

/** Merges what the policy chooses under a lease; null when nothing is due. */
export async function runMerge(settings: MergeSettings, lease: MergeLease): Promise<MergeReport | null> {
  const startedAt = performance.now();
  const chosen = await settings.database.transaction((tx) => chooseInputs(tx, settings, lease), {
    mode: 'snapshot',
  });
  if (chosen === null) return null;
  const segmentId = randomUUID();
  const sink = new PageSink(pageWriter(settings, lease, segmentId));
  const result = await mergeSegments(chosen, sink, settings.weights, pauseFor(settings, lease, sink));
  const packed = result.header === null ? null : await sink.finish();
  const places = new Map(chosen.map((input, i) => [input.open.segmentId, result.maps[i]!]));
  await replaceSegments(settings.database, {
    lease,
    inputs: chosen.map(({ open }) => ({ segmentId: open.segmentId, paged: open.packed === null })),
    outputs: result.header === null ? [] : [{ segmentId, header: result.header, byteSize: sink.byteSize, packed }],
    locate: (inputId, ordinal) => {
      const place = places.get(inputId)?.[ordinal] ?? -1;
      return place < 0 ? null : { segmentId, ordinal: place };
    },
    graceMs: settings.graceMs,
  });
  return {
    inputIds: [...places.keys()],
    outputIds: result.header === null ? [] : [segmentId],
    chunkCount: result.header?.chunkCount ?? 0,
    byteSize: sink.byteSize,
    tookMs: performance.now() - startedAt,
  };
}

/**
 * Stores pages of a segment that no manifest names until the commit: first says that they are to be swept, and
 * later that they are still wanted. Pages that were swept meanwhile end the merge, and so does a lost lease: what
 * is written after a memory was erased would outlive it.
 */
export function pageWriter(
  settings: MergeSettings,
  lease: MergeLease,
  segmentId: string,
): (pages: NewPage[]) => Promise<void> {
  const { memory } = lease;
  const sweepAfterMs = settings.leaseMs + settings.graceMs;
  let announced = false;
  return (pages) =>
    settings.database.transaction(async (tx) => {
      if (!(await shareMemory(tx, memory)) || !(await holdsLease(tx, lease)))
        throw new MergeFencedError('the merge lease was lost');
      if (!announced) await addGarbage(tx, memory, [segmentId], sweepAfterMs);
      else if (!(await postponeSweep(tx, memory, segmentId, sweepAfterMs)))
        throw new MergeFencedError('the pages of the merge were swept');
      await insertPages(tx, memory, segmentId, pages);
      announced = true;
    });
}

/** Lets others run, writes full pages, and renews the lease in good time. */
export function pauseFor(settings: MergeSettings, lease: MergeLease, sink: PageSink | null): Pause {
  let sliceStart = performance.now();
  let renewedAt = sliceStart;
  const yieldToEventLoop = async () => {
    if (sink?.full === true) await sink.flush();
    if (performance.now() - renewedAt > settings.leaseMs / 3) {
      if (!(await renewLease(settings.database, lease, settings.leaseMs)))
        throw new MergeFencedError('the merge lease was lost');
      renewedAt = performance.now();
    }
    await nextTurn();
    sliceStart = performance.now();
  };
  return () => (sink?.full === true || performance.now() - sliceStart > SLICE_MAX_MS ? yieldToEventLoop() : undefined);
}

const OPENING_CACHE_BYTES = 1;

/** The merge that is due in a lane; null when none is. */
async function chooseDue(
  tx: Tx,
  settings: MergeSettings,
  memory: IndexScope,
  lane: MergeLane,
): Promise<{ ids: string[]; alive: LiveBits } | null> {
  const read = await readWhole(tx, memory);
  if (read === null) return null;
  const { manifest, alive } = read;
  const overdue =
    manifest.tombstones.length === 0
      ? new Set()
      : await overdueSegments(tx, memory, settings.limits.tombstoneRetentionMs);
  // Older segments are not mixed with newer ones: they are re-indexed, or merged among themselves until then.
  const byVersion = Map.groupBy(manifest.segments, (segment) => segment.analyserVersion);
  for (const version of [...byVersion.keys()].sort((a, b) => b - a)) {
    const candidates = byVersion.get(version)!.map(({ segmentId, chunkCount, byteSize }) => {
      const living = countAlive(alive.get(segmentId), chunkCount);
      return { segmentId, alive: living, deleted: chunkCount - living, byteSize, overdue: overdue.has(segmentId) };
    });
    const ids = chooseMerge(candidates, lane, settings.limits);
    if (ids !== null) return { ids, alive };
  }
  return null;
}

/** Segments with deletions older than `retentionMs`, or that were asked to leave before. */
async function overdueSegments(tx: Tx, memory: IndexScope, retentionMs: number): Promise<Set<string>> {
  const rows = await tx.query<{ segment_id: string }>({
    name: 'index_overdue',
    text: `SELECT DISTINCT t.segment_id FROM index_tombstones t JOIN index_memories m USING (tenant_id, memory_id)
            WHERE t.tenant_id = $1 AND t.memory_id = $2
              AND (t.marked_at <= m.expunge_before OR t.marked_at <= now() - make_interval(secs => $3 / 1000.0))`,
    values: [memory.tenantId, memory.memoryId, retentionMs],
  });
  return new Set(rows.map((row) => row.segment_id));
}

/** A look without a lease, which most of the time says no. */
export async function isMergeDue(settings: MergeSettings, memory: IndexScope, lane: MergeLane): Promise<boolean> {
  return (
    (await settings.database.transaction((tx) => chooseDue(tx, settings, memory, lane), { mode: 'snapshot' })) !== null
  );
}

async function chooseInputs(tx: Tx, settings: MergeSettings, lease: MergeLease): Promise<MergeInput[] | null> {
  const due = await chooseDue(tx, settings, lease.memory, lease.lane);
  return due === null ? null : openInputs(tx, settings, lease.memory, due.ids, due.alive);
}

function countAlive(bits: Uint8Array | undefined, chunkCount: number): number {
  if (bits === undefined) return chunkCount;
  let count = 0;
  for (let ordinal = 0; ordinal < chunkCount; ordinal++) count += (bits[ordinal >>> 3]! >>> (ordinal & 7)) & 1;
  return count;
}

export async function openInputs(
  tx: Tx,
  settings: Pick<MergeSettings, 'database' | 'weights'>,
  memory: IndexScope,
  ids: readonly string[],
  alive: LiveBits,
): Promise<MergeInput[]> {
  const opened = await openSegments(tx, memory, ids, new PageCache(OPENING_CACHE_BYTES), settings.weights);
  return opened.map((open) => {
    const read = (kind: StreamKind, firstPage: number, count: number) =>
      readPages(settings.database, memory, open.segmentId, kind, firstPage, count);
    return new MergeInput(open, alive.get(open.segmentId) ?? null, read);
  });
}

async function readPages(
  database: Database,
  memory: IndexScope,
  segmentId: string,
  kind: StreamKind,
  firstPage: number,
  count: number,
): Promise<Uint8Array[]> {
  const rows = await database.transaction((tx) =>
    tx.query<{ data: Buffer }>({
      name: 'index_read_pages',
      text: `SELECT data FROM index_pages WHERE tenant_id = $1 AND memory_id = $2 AND segment_id = $3 AND kind = $4
                AND page_no >= $5 AND page_no < $6 ORDER BY page_no`,
      values: [memory.tenantId, memory.memoryId, segmentId, kind, firstPage, firstPage + count],
    }),
  );
  if (rows.length !== count) throw new MergeFencedError('pages of a merge input are gone');
  return rows.map((row) => row.data);
}
