import { ByteReader, ByteWriter } from './bytes.ts';
import { weightedFrequency } from './posting-writer.ts';
import type { FieldWeights } from './scoring.ts';
import { STREAM, STREAM_COUNT, type FieldCounts, type SegmentHeader, type StreamKind } from './segment-format.ts';
import { decodeHeader } from './segment-header.ts';
import { decodeTableIndex, type StreamSink, type TableIndex } from './sorted-table.ts';

/** What is decoded once per segment and cached: enough to know which pages a search needs. */
export interface OpenSegment {
  segmentId: string;
  header: SegmentHeader;
  terms: TableIndex;
  chunkIds: TableIndex;
  docIds: TableIndex;
  /** Weighted length of every chunk. */
  lengths: Float64Array;
  /** All streams of a small segment, by kind; null when they lie in pages. */
  packed: (Uint8Array | undefined)[] | null;
  /** Bytes this takes in memory, estimated from its arrays and strings. */
  memoryBytes: number;
}

/** Opens a segment from its opening streams. */
export function openSegment(
  segmentId: string,
  stream: (kind: StreamKind) => Uint8Array,
  packed: (Uint8Array | undefined)[] | null,
  weights: FieldWeights,
): OpenSegment {
  const header = decodeHeader(stream(STREAM.header));
  const terms = decodeTableIndex(stream(STREAM.termIndex), header.termCount, 3);
  const chunkIds = decodeTableIndex(stream(STREAM.chunkIdIndex), header.chunkCount);
  const docIds = decodeTableIndex(stream(STREAM.docIdIndex), header.docCount);
  const lengths = decodeLengths(stream(STREAM.lengths), header.chunkCount, weights);
  const memoryBytes =
    OBJECT_BYTES +
    tableBytes(terms) +
    tableBytes(chunkIds) +
    tableBytes(docIds) +
    lengths.byteLength +
    (packed?.reduce((sum, bytes) => sum + (bytes?.length ?? 0), 0) ?? 0);
  return { segmentId, header, terms, chunkIds, docIds, lengths, packed, memoryBytes };
}

// Measured with --expose-gc over 20,000 opened one-chunk segments: headers, maps, views and cache entries.
const OBJECT_BYTES = 4_500;
const STRING_BYTES = 32;

function tableBytes(index: TableIndex): number {
  const keys = index.firstKeys.reduce((sum, key) => sum + STRING_BYTES + key.length, 0);
  return keys + index.offsets.byteLength + index.sums.reduce((sum, array) => sum + array.byteLength, 0);
}

function decodeLengths(bytes: Uint8Array, count: number, weights: FieldWeights): Float64Array {
  const lengths = new Float64Array(count);
  const input = new ByteReader(bytes);
  const counts: FieldCounts = { title: 0, context: 0, body: 0 };
  for (let i = 0; i < count; i++) {
    readCounts(input, counts);
    lengths[i] = weightedFrequency(counts, weights);
  }
  return lengths;
}

export function readCounts(input: ByteReader, counts: FieldCounts): void {
  const code = input.varint();
  counts.body = Math.floor(code / 4);
  counts.context = (code & 2) === 0 ? 0 : input.varint();
  counts.title = (code & 1) === 0 ? 0 : input.varint();
}

/** Gathers streams in memory: what a small segment is made of, and what specs compare. */
export class MemorySink implements StreamSink {
  private readonly streams: (ByteWriter | undefined)[] = [];
  byteSize = 0;

  append(kind: StreamKind, bytes: Uint8Array): void {
    this.byteSize += bytes.length;
    (this.streams[kind] ??= new ByteWriter()).raw(bytes);
  }

  stream(kind: number): Buffer {
    return this.streams[kind]?.view() ?? Buffer.alloc(0);
  }

  /** Header size, header, then the other streams by kind. */
  pack(): Buffer {
    const streams = Array.from({ length: STREAM_COUNT + 1 }, (_, kind) => this.stream(kind));
    const size = Buffer.alloc(4);
    size.writeUInt32LE(streams[STREAM.header]!.length);
    return Buffer.concat([size, ...streams]);
  }
}

/** The streams of what `pack` made, as views of it. */
function unpack(packed: Uint8Array): Uint8Array[] {
  const headerBytes = Buffer.from(packed.buffer, packed.byteOffset, 4).readUInt32LE();
  const header = packed.subarray(4, 4 + headerBytes);
  const { streamBytes } = decodeHeader(header);
  const streams: Uint8Array[] = [];
  streams[STREAM.header] = header;
  let at = 4 + headerBytes;
  for (let kind = STREAM.header + 1; kind <= STREAM_COUNT; kind++) {
    const size = streamBytes[kind] ?? 0;
    streams[kind] = packed.subarray(at, at + size);
    at += size;
  }
  return streams;
}

export function openPacked(segmentId: string, packed: Uint8Array, weights: FieldWeights): OpenSegment {
  const streams = unpack(packed);
  return openSegment(segmentId, (kind) => streams[kind]!, streams, weights);
}
