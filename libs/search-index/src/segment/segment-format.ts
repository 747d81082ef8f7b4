/** Streams of a segment. A stream is one run of bytes, cut in pages; only the last page may be shorter. */
export const STREAM = {
  header: 1,
  termIndex: 2,
  terms: 3,
  postings: 4,
  skips: 5,
  positions: 6,
  lengths: 7,
  vaults: 8,
  docs: 9,
  occurred: 10,
  created: 11,
  chunkIdIndex: 12,
  chunkIds: 13,
  docIdIndex: 14,
  docIds: 15,
  languages: 16,
} as const;
export type StreamKind = (typeof STREAM)[keyof typeof STREAM];
export const STREAM_COUNT = 16;

/** Read whole when a segment is opened. */
export const OPENING_STREAMS: readonly StreamKind[] = [
  STREAM.header,
  STREAM.termIndex,
  STREAM.lengths,
  STREAM.chunkIdIndex,
  STREAM.docIdIndex,
];

// PostgreSQL cuts large values in pieces of 1,996 bytes, four to a block; multiples of that waste nothing.
const TOAST_PIECE_BYTES = 1_996;
const LARGE_PAGE_BYTES = 32 * TOAST_PIECE_BYTES;
const SMALL_PAGE_BYTES = 8 * TOAST_PIECE_BYTES;

/** Small pages where a search wants a few entries here and there, large ones where it reads on. */
export function pageBytes(kind: StreamKind): number {
  return kind === STREAM.terms || kind === STREAM.chunkIds || kind === STREAM.docIds
    ? SMALL_PAGE_BYTES
    : LARGE_PAGE_BYTES;
}

/** Segments up to this size are one value in their manifest row. */
export const PACKED_MAX_BYTES = 48_000;

/** Postings per block; each block has its own maxima. */
export const BLOCK_POSTINGS = 128;

/** Fixed, so that the document of one hit is read without the column before it. */
export const DOC_ORDINAL_BYTES = 4;

/** Times are little-endian doubles, NaN for none: a filter reads a whole column without decoding it. */
export const TIME_BYTES = 8;

export const FORMAT_VERSION = 1;

export interface SegmentHeader {
  formatVersion: number;
  analyserVersion: number;
  chunkCount: number;
  docCount: number;
  termCount: number;
  titleTokens: number;
  contextTokens: number;
  bodyTokens: number;
  weightsKey: string;
  /** Vault ids; the vaults stream holds positions in this list. */
  vaultIds: string[];
  languages: Map<string, number>;
  /** Bytes by stream kind. */
  streamBytes: number[];
}

/** Field frequencies of one posting or field lengths of one chunk. */
export interface FieldCounts {
  title: number;
  context: number;
  body: number;
}
