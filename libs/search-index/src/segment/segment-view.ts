import { ByteReader } from './bytes.ts';
import type { OpenSegment } from './open-segment.ts';
import { BLOCK_POSTINGS, DOC_ORDINAL_BYTES, pageBytes, STREAM, TIME_BYTES, type StreamKind } from './segment-format.ts';
import { blockOf, findInBlock, keyAt, keysInBlock, TABLE_BLOCK_KEYS, type TableIndex } from './sorted-table.ts';

/** A page of a segment, as caches and tables name it. */
export interface PageRef {
  segmentId: string;
  kind: StreamKind;
  pageNo: number;
}

/** Where a term's lists are in a segment. */
export interface TermLists {
  df: number;
  postingOffset: number;
  postingBytes: number;
  positionOffset: number;
  positionBytes: number;
  skipOffset: number;
  skipBytes: number;
}

/**
 * A segment during one search: its opened part and the pages the search holds. The search asks what it needs
 * (`*Range`), fetches, hands pages over, and reads; reading what was not handed over throws.
 */
export class SegmentView {
  readonly open: OpenSegment;
  private readonly pages = new Map<number, Uint8Array>();

  constructor(open: OpenSegment) {
    this.open = open;
  }

  get chunkCount(): number {
    return this.open.header.chunkCount;
  }

  addPage(kind: StreamKind, pageNo: number, bytes: Uint8Array): void {
    this.pages.set(pageKey(kind, pageNo), bytes);
  }

  hasPage(kind: StreamKind, pageNo: number): boolean {
    return this.open.packed !== null || this.pages.has(pageKey(kind, pageNo));
  }

  /** Adds the pages of a byte range that this view does not hold yet. */
  missing(kind: StreamKind, offset: number, length: number, into: PageRef[]): void {
    if (this.open.packed !== null || length === 0) return;
    const size = pageBytes(kind);
    const last = Math.floor((offset + length - 1) / size);
    for (let pageNo = Math.floor(offset / size); pageNo <= last; pageNo++) {
      if (!this.pages.has(pageKey(kind, pageNo))) into.push({ segmentId: this.open.segmentId, kind, pageNo });
    }
  }

  missingStream(kind: StreamKind, into: PageRef[]): void {
    this.missing(kind, 0, this.open.header.streamBytes[kind] ?? 0, into);
  }

  /** The bytes of a range: a view of a page, or a copy where the range crosses pages. */
  bytes(kind: StreamKind, offset: number, length: number): Uint8Array {
    if (this.open.packed !== null) return this.open.packed[kind]!.subarray(offset, offset + length);
    const size = pageBytes(kind);
    const first = Math.floor(offset / size);
    const within = offset - first * size;
    if (within + length <= size) return this.page(kind, first).subarray(within, within + length);
    const joined = new Uint8Array(length);
    for (let done = 0; done < length;) {
      const at = offset + done;
      const page = Math.floor(at / size);
      const part = this.page(kind, page).subarray(at - page * size, Math.min(size, at - page * size + length - done));
      joined.set(part, done);
      done += part.length;
    }
    return joined;
  }

  stream(kind: StreamKind): Uint8Array {
    return this.bytes(kind, 0, this.open.header.streamBytes[kind] ?? 0);
  }

  private page(kind: StreamKind, pageNo: number): Uint8Array {
    const page = this.pages.get(pageKey(kind, pageNo));
    if (page === undefined)
      throw new Error(`index segment ${this.open.segmentId} lacks page ${pageNo} of stream ${kind}`);
    return page;
  }

  /** The pages a look-up of `term` reads. */
  missingForTerm(term: string, into: PageRef[]): void {
    this.missingForKey(this.open.terms, STREAM.terms, term, into);
  }

  lookUp(term: string): TermLists | null {
    const { terms } = this.open;
    const block = blockOf(terms, term);
    if (block < 0) return null;
    const [postingSums, positionSums, skipSums] = terms.sums;
    const lists: TermLists = {
      df: 0,
      postingOffset: postingSums![block]!,
      postingBytes: 0,
      positionOffset: positionSums![block]!,
      positionBytes: 0,
      skipOffset: skipSums![block]!,
      skipBytes: 0,
    };
    const bytes = this.blockBytes(terms, STREAM.terms, block);
    const found = findInBlock(bytes, keysInBlock(terms, block), Buffer.from(term, 'utf8'), (input) =>
      readLists(input, lists),
    );
    return found < 0 ? null : lists;
  }

  missingForKey(table: TableIndex, kind: StreamKind, key: string, into: PageRef[]): void {
    const block = blockOf(table, key);
    if (block >= 0) this.missingBlock(table, kind, block, into);
  }

  private missingBlock(table: TableIndex, kind: StreamKind, block: number, into: PageRef[]): void {
    this.missing(kind, table.offsets[block]!, table.offsets[block + 1]! - table.offsets[block]!, into);
  }

  private blockBytes(table: TableIndex, kind: StreamKind, block: number): Uint8Array {
    return this.bytes(kind, table.offsets[block]!, table.offsets[block + 1]! - table.offsets[block]!);
  }

  /** The ordinal of a key in a table of ids, or −1. */
  ordinalOf(table: TableIndex, kind: StreamKind, key: string): number {
    const block = blockOf(table, key);
    if (block < 0) return -1;
    const place = findInBlock(this.blockBytes(table, kind, block), keysInBlock(table, block), Buffer.from(key, 'utf8'));
    return place < 0 ? -1 : block * TABLE_BLOCK_KEYS + place;
  }

  missingForOrdinal(table: TableIndex, kind: StreamKind, ordinal: number, into: PageRef[]): void {
    this.missingBlock(table, kind, Math.floor(ordinal / TABLE_BLOCK_KEYS), into);
  }

  keyOf(table: TableIndex, kind: StreamKind, ordinal: number): string {
    const block = Math.floor(ordinal / TABLE_BLOCK_KEYS);
    return keyAt(this.blockBytes(table, kind, block), ordinal - block * TABLE_BLOCK_KEYS);
  }
}

function readLists(input: ByteReader, lists: TermLists): void {
  lists.postingOffset += lists.postingBytes;
  lists.positionOffset += lists.positionBytes;
  lists.skipOffset += lists.skipBytes;
  lists.df = input.varint();
  lists.postingBytes = input.varint();
  lists.positionBytes = input.varint();
  lists.skipBytes = lists.df > BLOCK_POSTINGS ? input.varint() : 0;
}

const PAGES_PER_KIND = 0x100_0000;

function pageKey(kind: StreamKind, pageNo: number): number {
  return kind * PAGES_PER_KIND + pageNo;
}

/** The documents stream: one 32-bit ordinal per chunk. Columns are little-endian, as every machine Node runs on is. */
export function decodeDocOrdinals(bytes: Uint8Array): Uint32Array {
  const copy = new Uint32Array(bytes.length / DOC_ORDINAL_BYTES);
  new Uint8Array(copy.buffer).set(bytes);
  return copy;
}

/** A column of whole numbers, one per chunk. */
export function decodeNumbers(bytes: Uint8Array, count: number): Uint32Array {
  const input = new ByteReader(bytes);
  const numbers = new Uint32Array(count);
  for (let i = 0; i < count; i++) numbers[i] = input.varint();
  return numbers;
}

/** A column of times in milliseconds; NaN where a chunk has none, which no comparison holds for. */
export function decodeTimes(bytes: Uint8Array): Float64Array {
  const copy = new Float64Array(bytes.length / TIME_BYTES);
  new Uint8Array(copy.buffer).set(bytes);
  return copy;
}
