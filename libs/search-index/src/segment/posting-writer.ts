import { ByteWriter } from './bytes.ts';
import type { FieldWeights } from './scoring.ts';
import { BLOCK_POSTINGS, STREAM, type FieldCounts } from './segment-format.ts';
import type { StreamSink } from './sorted-table.ts';

/** What the dictionary says about a term: its document frequency and the bytes of its lists. */
interface ListSizes {
  df: number;
  postingBytes: number;
  skipBytes: number;
  positionBytes: number;
}

/** Points kept per block. More bound tighter and cost bytes. */
const FRONT_POINTS_MAX = 3;
/** Frequencies are rounded up and lengths down to multiples of 1/4, so that any weights give valid bounds. */
export const FRONT_SCALE = 4;

/**
 * Writes the posting list of one term after another. A posting is `delta << 1 | 1` when the term stands once in
 * the body and nowhere else, else `delta << 1`, `body << 2 | context? 2 | title? 1`, and the other frequencies.
 * Lists of up to 128 postings are one block that starts with its maxima; longer ones keep last ordinal, sizes
 * and maxima of every block in the skip stream (block maxima as in Ding and Suel, SIGIR 2011; kept as pairs of
 * frequency and length, because the average length they are normalised with moves).
 */
export class PostingWriter {
  private readonly sink: StreamSink;
  private readonly weights: FieldWeights;
  private readonly block = new ByteWriter();
  private readonly positions = new ByteWriter();
  private readonly skips = new ByteWriter();
  private readonly front = new ByteWriter();
  private readonly frequencies = new Float64Array(BLOCK_POSTINGS);
  private readonly lengths = new Float64Array(BLOCK_POSTINGS);
  private inBlock = 0;
  private previous = -1;
  private skippedTo = -1;
  private sizes: ListSizes = emptySizes();

  constructor(sink: StreamSink, weights: FieldWeights) {
    this.sink = sink;
    this.weights = weights;
  }

  /** `positions` are the encoded positions of this posting; `length` is the chunk's weighted length. */
  posting(ordinal: number, counts: FieldCounts, length: number, positions: Uint8Array): void {
    if (this.inBlock === BLOCK_POSTINGS) this.closeBlock();
    const delta = ordinal - this.previous - 1;
    this.previous = ordinal;
    if (counts.body === 1 && counts.context === 0 && counts.title === 0) {
      this.block.varint(delta * 2 + 1);
    } else {
      this.block.varint(delta * 2);
      writeCounts(this.block, counts);
    }
    this.frequencies[this.inBlock] = weightedFrequency(counts, this.weights);
    this.lengths[this.inBlock] = length;
    this.positions.raw(positions);
    this.inBlock++;
    this.sizes.df++;
  }

  private closeBlock(): void {
    this.front.clear();
    writeFront(this.front, this.frequencies, this.lengths, this.inBlock);
    this.skips.varint(this.previous - this.skippedTo - 1);
    this.skips.varint(this.block.length);
    this.skips.varint(this.positions.length);
    this.skips.raw(this.front.view());
    this.skippedTo = this.previous;
    this.flushBlock();
  }

  private flushBlock(): void {
    this.sink.append(STREAM.postings, this.block.view());
    this.sink.append(STREAM.positions, this.positions.view());
    this.sizes.postingBytes += this.block.length;
    this.sizes.positionBytes += this.positions.length;
    this.block.clear();
    this.positions.clear();
    this.inBlock = 0;
  }

  /** Ends the term's list; the next posting begins another. */
  endList(): ListSizes {
    if (this.skips.length === 0) {
      this.front.clear();
      writeFront(this.front, this.frequencies, this.lengths, this.inBlock);
      this.sink.append(STREAM.postings, this.front.view());
      this.sizes.postingBytes += this.front.length;
      this.flushBlock();
    } else {
      this.closeBlock();
      this.sink.append(STREAM.skips, this.skips.view());
      this.sizes.skipBytes = this.skips.length;
      this.skips.clear();
    }
    const sizes = this.sizes;
    this.sizes = emptySizes();
    this.previous = -1;
    this.skippedTo = -1;
    return sizes;
  }
}

function emptySizes(): ListSizes {
  return { df: 0, postingBytes: 0, skipBytes: 0, positionBytes: 0 };
}

export function weightedFrequency(counts: FieldCounts, weights: FieldWeights): number {
  return weights.title * counts.title + weights.context * counts.context + weights.body * counts.body;
}

export function writeCounts(out: ByteWriter, counts: FieldCounts): void {
  out.varint(counts.body * 4 + (counts.context > 0 ? 2 : 0) + (counts.title > 0 ? 1 : 0));
  if (counts.context > 0) out.varint(counts.context);
  if (counts.title > 0) out.varint(counts.title);
}

/** The pairs of frequency and length that no other posting of the block beats in both, coarsened to a few. */
function writeFront(out: ByteWriter, frequencies: Float64Array, lengths: Float64Array, count: number): void {
  if (count === 1) return writePoints(out, [{ frequency: frequencies[0]!, length: lengths[0]! }]);
  const byFrequency = Array.from({ length: count }, (_, i) => i).sort(
    (a, b) => frequencies[b]! - frequencies[a]! || lengths[a]! - lengths[b]!,
  );
  const points: { frequency: number; length: number }[] = [];
  let shortest = Infinity;
  for (const i of byFrequency) {
    if (lengths[i]! >= shortest) continue;
    shortest = lengths[i]!;
    points.push({ frequency: frequencies[i]!, length: shortest });
  }
  while (points.length > FRONT_POINTS_MAX) {
    let closest = 1;
    for (let i = 2; i < points.length; i++) {
      if (gap(points, i) < gap(points, closest)) closest = i;
    }
    points[closest - 1]!.length = points[closest]!.length;
    points.splice(closest, 1);
  }
  writePoints(out, points);
}

function writePoints(out: ByteWriter, points: readonly { frequency: number; length: number }[]): void {
  out.varint(points.length);
  for (const point of points) {
    out.varint(Math.ceil(point.frequency * FRONT_SCALE));
    out.varint(Math.floor(point.length * FRONT_SCALE));
  }
}

function gap(points: readonly { frequency: number; length: number }[], i: number): number {
  return points[i - 1]!.frequency / points[i]!.frequency;
}
