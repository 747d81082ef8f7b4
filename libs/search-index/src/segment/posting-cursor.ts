import { ByteReader } from './bytes.ts';
import { FRONT_SCALE } from './posting-writer.ts';
import { contributionBound, weightsKey, type FieldWeights, type LengthNorm } from './scoring.ts';
import { BLOCK_POSTINGS, STREAM } from './segment-format.ts';
import type { SegmentView, TermLists } from './segment-view.ts';

/** Above every chunk ordinal. */
export const NO_MORE = 0x7fff_ffff;

/**
 * Walks one posting list by chunk ordinal, block by block. Blocks between are not decoded. `docs` and
 * `frequencies` (weighted) hold the current block; hot loops read them directly.
 */
export class PostingCursor {
  readonly df: number;
  readonly blockCount: number;
  readonly docs: Int32Array;
  readonly frequencies: Float64Array;
  /** Postings in the current block, and the place in it. */
  size = 0;
  at = 0;
  block = -1;
  private readonly view: SegmentView;
  private readonly lists: TermLists;
  private readonly weights: FieldWeights;
  private readonly lastDocs: Int32Array;
  private readonly starts: Float64Array;
  /** Maxima of all blocks: the front's points, one after another. */
  private readonly frontStarts: Uint32Array;
  private readonly fronts: Float64Array;
  /** Bounds by block, filled by `setBounds`. */
  private readonly bounds: Float64Array;
  private readonly bounded: boolean;

  constructor(view: SegmentView, lists: TermLists, weights: FieldWeights) {
    this.view = view;
    this.lists = lists;
    this.weights = weights;
    this.df = lists.df;
    this.docs = new Int32Array(Math.min(lists.df, BLOCK_POSTINGS));
    this.frequencies = new Float64Array(Math.min(lists.df, BLOCK_POSTINGS));
    this.bounded = view.open.header.weightsKey === weightsKey(weights);
    this.blockCount = Math.ceil(lists.df / BLOCK_POSTINGS);
    this.lastDocs = new Int32Array(this.blockCount);
    this.starts = new Float64Array(this.blockCount + 1);
    this.frontStarts = new Uint32Array(this.blockCount + 1);
    this.bounds = new Float64Array(this.blockCount);
    this.fronts = this.readFronts();
  }

  private readFronts(): Float64Array {
    const { view, lists } = this;
    const fronts: number[] = [];
    if (this.blockCount === 1) {
      const input = new ByteReader(view.bytes(STREAM.postings, lists.postingOffset, lists.postingBytes));
      readFront(input, fronts);
      this.starts[0] = lists.postingOffset + input.position;
      this.starts[1] = lists.postingOffset + lists.postingBytes;
      this.frontStarts[1] = fronts.length;
      this.lastDocs[0] = NO_MORE - 1;
      return Float64Array.from(fronts);
    }
    const input = new ByteReader(view.bytes(STREAM.skips, lists.skipOffset, lists.skipBytes));
    let last = -1;
    this.starts[0] = lists.postingOffset;
    for (let block = 0; block < this.blockCount; block++) {
      last += input.varint() + 1;
      this.lastDocs[block] = last;
      this.starts[block + 1] = this.starts[block]! + input.varint();
      input.varint();
      readFront(input, fronts);
      this.frontStarts[block + 1] = fronts.length;
    }
    return Float64Array.from(fronts);
  }

  /** Computes what a posting of each block can contribute at most, and returns the highest. */
  setBounds(weight: number, norm: LengthNorm): number {
    let highest = 0;
    for (let block = 0; block < this.blockCount; block++) {
      // Maxima made under other weights say nothing: the saturation's limit does.
      let bound = this.bounded ? 0 : contributionBound(weight, 1, 0, { base: 0, slope: 0 });
      for (let i = this.frontStarts[block]!; this.bounded && i < this.frontStarts[block + 1]!; i += 2) {
        bound = Math.max(bound, contributionBound(weight, this.fronts[i]!, this.fronts[i + 1]!, norm));
      }
      this.bounds[block] = bound;
      if (bound > highest) highest = bound;
    }
    return highest;
  }

  /** The highest frequency and the shortest length of the whole list, for bounds over several lists. */
  extremes(): { frequency: number; length: number } {
    if (!this.bounded) return { frequency: Infinity, length: 0 };
    let frequency = 0;
    let length = Infinity;
    for (let i = 0; i < this.fronts.length; i += 2) {
      frequency = Math.max(frequency, this.fronts[i]!);
      length = Math.min(length, this.fronts[i + 1]!);
    }
    return { frequency, length };
  }

  /** At least every contribution of this list to chunks from `from` up to but not including `to`. */
  boundWithin(from: number, to: number): number {
    if (this.block < 0 && this.blockCount === 1) this.decode(0);
    if (this.size > 0 && (this.docs[this.at]! >= to || (this.blockCount === 1 && this.advance(from) >= to))) return 0;
    let block = Math.max(0, this.block);
    while (block < this.blockCount && this.lastDocs[block]! < from) block++;
    let highest = 0;
    for (; block < this.blockCount; block++) {
      if (this.bounds[block]! > highest) highest = this.bounds[block]!;
      if (this.lastDocs[block]! >= to - 1) break;
    }
    return highest;
  }

  /** Moves to the first posting at or after `target` and returns its ordinal, or NO_MORE. Never moves back. */
  advance(target: number): number {
    let block = this.block < 0 ? 0 : this.block;
    if (this.block < 0 || this.size === 0 || this.docs[this.size - 1]! < target) {
      if (this.block >= 0) block++;
      while (block < this.blockCount && this.lastDocs[block]! < target) block++;
      if (block >= this.blockCount) return this.exhaust();
      this.decode(block);
    }
    const { docs } = this;
    let at = this.at;
    const size = this.size;
    if (at + 8 < size && docs[at + 8]! < target) at = lowerBound(docs, at + 8, size, target);
    else while (at < size && docs[at]! < target) at++;
    this.at = at;
    return at < size ? docs[at]! : this.exhaust();
  }

  /** The first posting after the current block, decoded; NO_MORE at the end. */
  nextBlock(): number {
    if (this.block + 1 >= this.blockCount) return this.exhaust();
    this.decode(this.block + 1);
    return this.docs[0]!;
  }

  private exhaust(): number {
    this.block = this.blockCount;
    this.size = 0;
    this.at = 0;
    return NO_MORE;
  }

  private decode(block: number): void {
    const start = this.starts[block]!;
    const bytes = this.view.bytes(STREAM.postings, start, this.starts[block + 1]! - start);
    const size = Math.min(BLOCK_POSTINGS, this.df - block * BLOCK_POSTINGS);
    const { docs, frequencies } = this;
    const { title, context, body } = this.weights;
    let doc = block === 0 ? -1 : this.lastDocs[block - 1]!;
    let position = 0;
    for (let i = 0; i < size; i++) {
      let code = bytes[position++]!;
      if (code >= 0x80) {
        code &= 0x7f;
        let shift = 7;
        let byte: number;
        do {
          byte = bytes[position++]!;
          code |= (byte & 0x7f) << shift;
          shift += 7;
        } while (byte >= 0x80);
      }
      doc += (code >>> 1) + 1;
      docs[i] = doc;
      if ((code & 1) === 1) {
        frequencies[i] = body;
        continue;
      }
      let counts = bytes[position++]!;
      if (counts >= 0x80) {
        const byte = bytes[position++]!;
        counts = (counts & 0x7f) | ((byte & 0x7f) << 7);
        if (byte >= 0x80) counts |= bytes[position++]! << 14;
      }
      let frequency = body * (counts >>> 2);
      for (let flag = 2; flag > 0; flag--) {
        if ((counts & flag) === 0) continue;
        let count = bytes[position++]!;
        if (count >= 0x80) count = (count & 0x7f) | (bytes[position++]! << 7);
        frequency += (flag === 2 ? context : title) * count;
      }
      frequencies[i] = frequency;
    }
    this.block = block;
    this.size = size;
    this.at = 0;
  }
}

function readFront(input: ByteReader, into: number[]): void {
  for (let count = input.varint(); count > 0; count--)
    into.push(input.varint() / FRONT_SCALE, input.varint() / FRONT_SCALE);
}

function lowerBound(docs: Int32Array, from: number, to: number, target: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (docs[middle]! < target) low = middle + 1;
    else high = middle;
  }
  return low;
}
