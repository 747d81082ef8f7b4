import { ByteReader, ByteWriter, compareText } from './bytes.ts';
import type { StreamKind } from './segment-format.ts';

/** Where streams go: a packed value, or pages of a table. */
export interface StreamSink {
  append(kind: StreamKind, bytes: Uint8Array): void;
}

/** Keys per front-coded block. A look-up scans half a block. */
export const TABLE_BLOCK_KEYS = 32;

/**
 * Writes ascending keys front-coded in blocks, and an index with the first key and the size of every block.
 * Each key may carry `sizes`: bytes it takes in other streams, whose running sums the index keeps per block.
 */
export class SortedTableWriter {
  private readonly sink: StreamSink;
  private readonly dataKind: StreamKind;
  private readonly indexKind: StreamKind;
  private readonly block = new ByteWriter();
  private readonly index = new ByteWriter();
  private readonly blockSizes: number[];
  private previous: Buffer = Buffer.alloc(0);
  private blockFirst: Buffer = Buffer.alloc(0);
  private indexedFirst: Buffer = Buffer.alloc(0);
  private keysInBlock = 0;
  count = 0;

  constructor(sink: StreamSink, dataKind: StreamKind, indexKind: StreamKind, sizeCount = 0) {
    this.sink = sink;
    this.dataKind = dataKind;
    this.indexKind = indexKind;
    this.blockSizes = Array.from({ length: sizeCount }, () => 0);
  }

  /** Adds a key above all before it, with numbers stored beside it. */
  add(key: string, payload: readonly number[] = [], sizes: readonly number[] = []): void {
    const bytes = Buffer.from(key, 'utf8');
    if (this.keysInBlock === TABLE_BLOCK_KEYS) this.closeBlock();
    const shared = this.keysInBlock === 0 ? 0 : sharedPrefix(this.previous, bytes);
    if (this.keysInBlock === 0) this.blockFirst = bytes;
    this.block.varint(shared);
    this.block.varint(bytes.length - shared);
    this.block.raw(bytes.subarray(shared));
    for (const value of payload) this.block.varint(value);
    for (let i = 0; i < sizes.length; i++) this.blockSizes[i]! += sizes[i]!;
    this.previous = bytes;
    this.keysInBlock++;
    this.count++;
  }

  private closeBlock(): void {
    const shared = sharedPrefix(this.indexedFirst, this.blockFirst);
    this.index.varint(shared);
    this.index.varint(this.blockFirst.length - shared);
    this.index.raw(this.blockFirst.subarray(shared));
    this.index.varint(this.block.length);
    for (const size of this.blockSizes) this.index.varint(size);
    this.indexedFirst = this.blockFirst;
    this.sink.append(this.dataKind, this.block.view());
    this.block.clear();
    this.blockSizes.fill(0);
    this.keysInBlock = 0;
  }

  finish(): void {
    if (this.keysInBlock > 0) this.closeBlock();
    this.sink.append(this.indexKind, this.index.view());
  }
}

function sharedPrefix(a: Uint8Array, b: Uint8Array): number {
  const limit = Math.min(a.length, b.length);
  let shared = 0;
  while (shared < limit && a[shared] === b[shared]) shared++;
  return shared;
}

/** The decoded index of a sorted table: blocks, and for each the running sums of what its keys take elsewhere. */
export interface TableIndex {
  firstKeys: string[];
  /** Start of every block in the data stream, and the stream's end. */
  offsets: Float64Array;
  /** Per size: its sum over all blocks before. */
  sums: Float64Array[];
  keyCount: number;
}

export function decodeTableIndex(bytes: Uint8Array, keyCount: number, sizeCount = 0): TableIndex {
  const blocks = Math.ceil(keyCount / TABLE_BLOCK_KEYS);
  const firstKeys: string[] = [];
  const offsets = new Float64Array(blocks + 1);
  const sums = Array.from({ length: sizeCount }, () => new Float64Array(blocks + 1));
  const keys = new KeyBuffer();
  const input = new ByteReader(bytes);
  for (let block = 0; block < blocks; block++) {
    keys.read(input);
    firstKeys.push(keys.text());
    offsets[block + 1] = offsets[block]! + input.varint();
    for (const sum of sums) sum[block + 1] = sum[block]! + input.varint();
  }
  return { firstKeys, offsets, sums, keyCount };
}

/** The block that holds `key` if any does, or −1. */
export function blockOf(index: TableIndex, key: string): number {
  let low = 0;
  let high = index.firstKeys.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    if (compareText(index.firstKeys[middle]!, key) <= 0) low = middle + 1;
    else high = middle - 1;
  }
  return high;
}

export function keysInBlock(index: TableIndex, block: number): number {
  return Math.min(TABLE_BLOCK_KEYS, index.keyCount - block * TABLE_BLOCK_KEYS);
}

/** Reads one key's payload; called for every key up to the one looked for. */
type PayloadReader = (input: ByteReader) => void;

/**
 * Finds a key's place in a block without building the strings before it; −1 when the block lacks it. After the
 * call the last payload read is that of the key found.
 */
export function findInBlock(block: Uint8Array, keyCount: number, key: Uint8Array, payload?: PayloadReader): number {
  const input = new ByteReader(block);
  let matched = 0;
  for (let i = 0; i < keyCount; i++) {
    const shared = input.varint();
    const suffix = input.varint();
    const start = input.position;
    input.position += suffix;
    // The key before was below ours and differed at `matched`: one that shares more with it is below ours too.
    if (shared > matched) {
      payload?.(input);
      continue;
    }
    if (shared < matched) return -1;
    let at = 0;
    while (at < suffix && matched < key.length && block[start + at] === key[matched]) {
      at++;
      matched++;
    }
    if (at === suffix && matched === key.length) {
      payload?.(input);
      return i;
    }
    if (at < suffix && (matched === key.length || block[start + at]! > key[matched]!)) return -1;
    payload?.(input);
  }
  return -1;
}

/** The key being rebuilt while a front-coded run is read on. */
export class KeyBuffer {
  private bytes = Buffer.allocUnsafeSlow(128);
  private length = 0;

  read(input: ByteReader): void {
    const shared = input.varint();
    const suffix = input.varint();
    if (shared + suffix > this.bytes.length) {
      const grown = Buffer.allocUnsafeSlow((shared + suffix) * 2);
      this.bytes.copy(grown, 0, 0, shared);
      this.bytes = grown;
    }
    for (let i = 0; i < suffix; i++) this.bytes[shared + i] = input.bytes[input.position + i]!;
    input.position += suffix;
    this.length = shared + suffix;
  }

  text(): string {
    return this.bytes.toString('utf8', 0, this.length);
  }
}

/** The key at a place of a block. */
export function keyAt(block: Uint8Array, place: number): string {
  const input = new ByteReader(block);
  const keys = new KeyBuffer();
  for (let i = 0; i <= place; i++) keys.read(input);
  return keys.text();
}
