import { ByteReader, compareText } from '../segment/bytes.ts';
import { ColumnCursor, TableCursor, type MergeInput } from './merge-input.ts';
import { readPosting, skipFront, skipNumbers } from '../segment/position-cursor.ts';
import type { FieldWeights } from '../segment/scoring.ts';
import { BLOCK_POSTINGS, STREAM, type FieldCounts, type SegmentHeader } from '../segment/segment-format.ts';
import { decodeDocOrdinals } from '../segment/segment-view.ts';
import { SegmentWriter } from '../segment/segment-writer.ts';
import type { StreamSink } from '../segment/sorted-table.ts';

/** Where the chunks of the inputs went: by input, by old ordinal, the new ordinal or −1 for a deleted chunk. */
type OrdinalMaps = Int32Array[];

interface MergeResult {
  /** Null when no chunk is left alive, and nothing was written that counts. */
  header: SegmentHeader | null;
  maps: OrdinalMaps;
}

/** Called often; waits while others should run, pages should be written or a lease be renewed. */
export type Pause = () => Promise<void> | undefined;

/**
 * Writes the living chunks of some segments as one. Reads every stream front to back; holds ordinals, lengths
 * and one term's lists in memory.
 */
export async function mergeSegments(
  inputs: readonly MergeInput[],
  sink: StreamSink,
  weights: FieldWeights,
  pause: Pause,
): Promise<MergeResult> {
  const writer = new SegmentWriter(sink, weights, inputs[0]!.open.header.analyserVersion);
  const docMaps = await mergeDocIds(inputs, writer, pause);
  const maps = await mergeChunks(inputs, docMaps, writer, pause);
  if (maps.every((map) => map.every((ordinal) => ordinal < 0))) return { header: null, maps };
  await mergeTerms(inputs, maps, writer, pause);
  return { header: writer.finish(), maps };
}

interface MergedTable {
  cursors: TableCursor[];
  /** The inputs whose current key is the smallest. */
  smallest: number[];
}

/** Walks several tables as one; calls `visit` for each distinct key with the inputs that hold it. */
async function walk(
  cursors: TableCursor[],
  visit: (key: string, holders: number[]) => Promise<void> | undefined,
  pause: Pause,
): Promise<void> {
  const merged: MergedTable = { cursors, smallest: [] };
  for (const cursor of cursors) await cursor.next();
  for (;;) {
    const key = takeSmallest(merged);
    if (key === null) return;
    const visited = visit(key, merged.smallest);
    if (visited !== undefined) await visited;
    for (const holder of merged.smallest) {
      const moved = cursors[holder]!.next();
      if (moved !== undefined) await moved;
    }
    const paused = pause();
    if (paused !== undefined) await paused;
  }
}

function takeSmallest(merged: MergedTable): string | null {
  let smallest: string | null = null;
  merged.smallest = [];
  for (const [i, { key }] of merged.cursors.entries()) {
    if (key === null) continue;
    const order = smallest === null ? -1 : compareText(key, smallest);
    if (order > 0) continue;
    if (order < 0) merged.smallest.length = 0;
    merged.smallest.push(i);
    smallest = key;
  }
  return smallest;
}

/** Writes the documents that still have a living chunk; returns new ordinals by input and old ordinal. */
async function mergeDocIds(inputs: readonly MergeInput[], writer: SegmentWriter, pause: Pause): Promise<Int32Array[]> {
  const used: Uint8Array[] = [];
  for (const input of inputs) {
    const marks = new Uint8Array(input.open.header.docCount);
    const docs = decodeDocOrdinals(await input.column(STREAM.docs));
    for (let ordinal = 0; ordinal < docs.length; ordinal++) if (input.isAlive(ordinal)) marks[docs[ordinal]!] = 1;
    used.push(marks);
  }
  const maps = inputs.map((input) => new Int32Array(input.open.header.docCount).fill(-1));
  const cursors = inputs.map((input) => new TableCursor(input.open.docIds, input.stream(STREAM.docIds)));
  let next = 0;
  const visit = (key: string, holders: number[]) => {
    const living = holders.filter((i) => used[i]![cursors[i]!.ordinal] === 1);
    if (living.length === 0) return undefined;
    writer.docId(key);
    for (const i of living) maps[i]![cursors[i]!.ordinal] = next;
    next++;
    return undefined;
  };
  await walk(cursors, visit, pause);
  return maps;
}

async function mergeChunks(
  inputs: readonly MergeInput[],
  docMaps: Int32Array[],
  writer: SegmentWriter,
  pause: Pause,
): Promise<OrdinalMaps> {
  const maps = inputs.map((input) => new Int32Array(input.open.header.chunkCount).fill(-1));
  const cursors = inputs.map((input) => new TableCursor(input.open.chunkIds, input.stream(STREAM.chunkIds)));
  const docs: Uint32Array[] = [];
  const columns: ColumnCursor[] = [];
  const languages = inputs.map((input) => [...input.open.header.languages.keys()]);
  for (const input of inputs) {
    docs.push(decodeDocOrdinals(await input.column(STREAM.docs)));
    columns.push(await ColumnCursor.over(input));
  }
  let next = 0;
  const visit = (chunkId: string, holders: number[]) => {
    for (const i of holders) {
      const { ordinal } = cursors[i]!;
      const column = columns[i]!;
      column.next();
      if (!inputs[i]!.isAlive(ordinal)) continue;
      writer.chunk({
        chunkId,
        docOrdinal: docMaps[i]![docs[i]![ordinal]!]!,
        vaultId: inputs[i]!.open.header.vaultIds[column.vault]!,
        language: languages[i]![column.language]!,
        counts: column.counts,
        occurredAtMs: column.occurredAtMs,
        createdAtMs: column.createdAtMs,
      });
      maps[i]![ordinal] = next++;
    }
    return undefined;
  };
  await walk(cursors, visit, pause);
  return maps;
}

async function mergeTerms(
  inputs: readonly MergeInput[],
  maps: OrdinalMaps,
  writer: SegmentWriter,
  pause: Pause,
): Promise<void> {
  const visit = async (term: string, holders: number[]) => {
    const lists: MappedList[] = [];
    for (const i of holders) {
      const { postings, positions } = await inputs[i]!.takeLists();
      lists.push(new MappedList(postings, positions, inputs[i]!.lists.df, maps[i]!));
    }
    if (await writeMerged(lists, writer, pause)) writer.term(term);
  };
  await walk(
    inputs.map((input) => input.terms),
    visit,
    pause,
  );
}

/** A list of one input whose living postings come out under their new ordinals, still ascending. */
class MappedList {
  private readonly postings: ByteReader;
  private readonly positions: ByteReader;
  private readonly map: Int32Array;
  private left: number;
  private readonly posting = { ordinal: -1, counts: { title: 0, context: 0, body: 0 } };
  private positionsStart = 0;
  /** New ordinal of the current posting; −1 past the last. */
  ordinal = -1;

  constructor(postings: Uint8Array, positions: Uint8Array, df: number, map: Int32Array) {
    this.postings = new ByteReader(postings);
    this.positions = new ByteReader(positions);
    this.map = map;
    this.left = df;
    if (df <= BLOCK_POSTINGS) skipFront(this.postings);
    this.next();
  }

  next(): void {
    while (this.left > 0) {
      this.left--;
      readPosting(this.postings, this.posting);
      this.positionsStart = this.positions.position;
      const { title, context, body } = this.posting.counts;
      skipNumbers(this.positions, title + context + body);
      this.ordinal = this.map[this.posting.ordinal]!;
      if (this.ordinal >= 0) return;
    }
    this.ordinal = -1;
  }

  get counts(): FieldCounts {
    return this.posting.counts;
  }

  get positionBytes(): Uint8Array {
    return this.positions.bytes.subarray(this.positionsStart, this.positions.position);
  }
}

/** A term of every chunk would hold the event loop for long. */
const POSTINGS_BETWEEN_PAUSES = 4_096;

/** Writes the lists as one by new ordinal; false when no posting is left. */
async function writeMerged(lists: readonly MappedList[], writer: SegmentWriter, pause: Pause): Promise<boolean> {
  for (let written = 0; ; written++) {
    if (written % POSTINGS_BETWEEN_PAUSES === POSTINGS_BETWEEN_PAUSES - 1) await pause();
    let first: MappedList | null = null;
    for (const list of lists) if (list.ordinal >= 0 && (first === null || list.ordinal < first.ordinal)) first = list;
    if (first === null) return written > 0;
    writer.posting(first.ordinal, first.counts, first.positionBytes);
    first.next();
  }
}
