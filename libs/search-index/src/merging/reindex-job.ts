import { randomUUID } from 'node:crypto';
import { BUILT_CHUNKS_MAX, buildSegmentInSlices } from '../segment/build-segment.ts';
import { compareText } from '../segment/bytes.ts';
import { readManifest } from '../segment/manifest.ts';
import { TableCursor, type MergeInput } from './merge-input.ts';
import { openInputs, pageWriter, pauseFor, type MergeReport, type MergeSettings } from './merge-job.ts';
import type { MergeLease } from './merge-lease.ts';
import { PageSink } from '../segment/page-sink.ts';
import { replaceSegments, type NewSegment } from './replace-segments.ts';
import { readWhole } from '../segment/tombstones.ts';
import type { IndexChunk, IndexScope } from '../search-index.ts';
import { STREAM, STREAM_COUNT, type StreamKind } from '../segment/segment-format.ts';

/** Returns the stored chunks of a memory by id, in any order; chunks that are gone are left out. */
export type ChunkSource = (memory: IndexScope, chunkIds: readonly string[]) => Promise<IndexChunk[]>;

export async function isReindexDue(settings: MergeSettings, memory: IndexScope): Promise<boolean> {
  const manifest = await settings.database.transaction((tx) => readManifest(tx, memory), { mode: 'snapshot' });
  return manifest?.segments.some((segment) => segment.analyserVersion < settings.analyser.version) ?? false;
}

/**
 * Rebuilds one segment of an older analyser and puts the result in its place; null when all are of this
 * version. The old segment answers until the commit.
 */
export async function runReindex(
  settings: MergeSettings,
  lease: MergeLease,
  source: ChunkSource,
): Promise<MergeReport | null> {
  const startedAt = performance.now();
  const input = await settings.database.transaction(
    async (tx) => {
      const read = await readWhole(tx, lease.memory);
      const old = read?.manifest.segments.find((segment) => segment.analyserVersion < settings.analyser.version);
      if (read === null || old === undefined) return null;
      return (await openInputs(tx, settings, lease.memory, [old.segmentId], read.alive))[0]!;
    },
    { mode: 'snapshot' },
  );
  if (input === null) return null;
  const rebuilt = await rebuild(settings, lease, input, source);
  const inputId = input.open.segmentId;
  await replaceSegments(settings.database, {
    lease,
    inputs: [{ segmentId: inputId, paged: input.open.packed === null }],
    outputs: rebuilt.outputs,
    locate: (_, ordinal) => {
      const output = rebuilt.outputs[rebuilt.outputOf[ordinal]!];
      return output === undefined ? null : { segmentId: output.segmentId, ordinal: rebuilt.ordinalOf[ordinal]! };
    },
    graceMs: settings.graceMs,
  });
  return {
    inputIds: [inputId],
    outputIds: rebuilt.outputs.map((output) => output.segmentId),
    chunkCount: rebuilt.outputs.reduce((sum, output) => sum + output.header.chunkCount, 0),
    byteSize: rebuilt.outputs.reduce((sum, output) => sum + output.byteSize, 0),
    tookMs: performance.now() - startedAt,
  };
}

interface Rebuilt {
  outputs: NewSegment[];
  /** By old ordinal: place in `outputs` (−1 for none) and new ordinal. */
  outputOf: Int32Array;
  ordinalOf: Int32Array;
}

async function rebuild(
  settings: MergeSettings,
  lease: MergeLease,
  input: MergeInput,
  source: ChunkSource,
): Promise<Rebuilt> {
  const { chunkCount } = input.open.header;
  const rebuilt: Rebuilt = {
    outputs: [],
    outputOf: new Int32Array(chunkCount).fill(-1),
    ordinalOf: new Int32Array(chunkCount),
  };
  const pause = pauseFor(settings, lease, null);
  const ids = new TableCursor(input.open.chunkIds, input.stream(STREAM.chunkIds));
  let batch = new Map<string, number>();
  const flush = async () => {
    if (batch.size > 0) await rebuildBatch(settings, lease, batch, source, rebuilt);
    batch = new Map();
  };
  for (await ids.next(); ids.key !== null; await ids.next()) {
    if (input.isAlive(ids.ordinal)) batch.set(ids.key, ids.ordinal);
    if (batch.size === BUILT_CHUNKS_MAX) await flush();
    await pause();
  }
  await flush();
  return rebuilt;
}

async function rebuildBatch(
  settings: MergeSettings,
  lease: MergeLease,
  batch: ReadonlyMap<string, number>,
  source: ChunkSource,
  rebuilt: Rebuilt,
): Promise<void> {
  const chunks = (await source(lease.memory, [...batch.keys()])).filter((chunk) => batch.has(chunk.chunkId));
  if (chunks.length === 0) return;
  chunks.sort((a, b) => compareText(a.chunkId, b.chunkId));
  const built = await buildSegmentInSlices(chunks, settings.weights, settings.analyser);
  const segmentId = randomUUID();
  const sink = new PageSink(pageWriter(settings, lease, segmentId));
  for (let kind = 1; kind <= STREAM_COUNT; kind++) sink.append(kind as StreamKind, built.sink.stream(kind));
  const packed = await sink.finish();
  for (const [ordinal, chunk] of chunks.entries()) {
    const old = batch.get(chunk.chunkId)!;
    rebuilt.outputOf[old] = rebuilt.outputs.length;
    rebuilt.ordinalOf[old] = ordinal;
  }
  rebuilt.outputs.push({ segmentId, header: built.header, byteSize: sink.byteSize, packed });
}
