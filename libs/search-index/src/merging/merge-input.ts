import { ByteReader } from '../segment/bytes.ts';
import { readCounts, type OpenSegment } from '../segment/open-segment.ts';
import { BLOCK_POSTINGS, STREAM, type FieldCounts, type StreamKind } from '../segment/segment-format.ts';
import { decodeTimes } from '../segment/segment-view.ts';
import { SequentialStream, type ReadPages } from '../segment/sequential-stream.ts';
import { KeyBuffer, keysInBlock, type TableIndex } from '../segment/sorted-table.ts';

/** Steps through the keys of a sorted table, and through the numbers beside them. */
export class TableCursor {
  private readonly table: TableIndex;
  private readonly stream: SequentialStream;
  private readonly payload: ((input: ByteReader) => void) | null;
  private readonly keys = new KeyBuffer();
  private block = -1;
  private left = 0;
  private input = new ByteReader(new Uint8Array(0));
  /** The current key; null past the last. */
  key: string | null = null;
  ordinal = -1;

  constructor(table: TableIndex, stream: SequentialStream, payload: ((input: ByteReader) => void) | null = null) {
    this.table = table;
    this.stream = stream;
    this.payload = payload;
  }

  /** Moves to the next key; a promise only where bytes must be read. */
  next(): Promise<void> | undefined {
    if (this.left > 0) {
      this.step();
      return undefined;
    }
    this.block++;
    if (this.block >= this.table.firstKeys.length) {
      this.key = null;
      return undefined;
    }
    const size = this.table.offsets[this.block + 1]! - this.table.offsets[this.block]!;
    const bytes = this.stream.tryTake(size);
    if (bytes === null) return this.stream.take(size).then((read) => this.startBlock(read));
    this.startBlock(bytes);
    return undefined;
  }

  private startBlock(bytes: Uint8Array): void {
    this.input = new ByteReader(bytes);
    this.left = keysInBlock(this.table, this.block);
    this.step();
  }

  private step(): void {
    this.keys.read(this.input);
    this.payload?.(this.input);
    this.key = this.keys.text();
    this.ordinal++;
    this.left--;
  }
}

/** Sizes of the current term's lists. */
interface CurrentLists {
  df: number;
  postingBytes: number;
  positionBytes: number;
}

/** One segment as a merge reads it. */
export class MergeInput {
  readonly open: OpenSegment;
  /** Bits of chunks that were not deleted when the merge began; null when none was. */
  readonly alive: Uint8Array | null;
  readonly terms: TableCursor;
  readonly lists: CurrentLists = { df: 0, postingBytes: 0, positionBytes: 0 };
  private readonly readPages: ReadPages;
  private readonly postings: SequentialStream;
  private readonly positions: SequentialStream;

  constructor(open: OpenSegment, alive: Uint8Array | null, readPages: ReadPages) {
    this.open = open;
    this.alive = alive;
    this.readPages = readPages;
    this.postings = this.stream(STREAM.postings);
    this.positions = this.stream(STREAM.positions);
    this.terms = new TableCursor(open.terms, this.stream(STREAM.terms), (input) => {
      this.lists.df = input.varint();
      this.lists.postingBytes = input.varint();
      this.lists.positionBytes = input.varint();
      if (this.lists.df > BLOCK_POSTINGS) input.varint();
    });
  }

  stream(kind: StreamKind): SequentialStream {
    return new SequentialStream(kind, this.size(kind), this.open.packed?.[kind] ?? null, this.readPages);
  }

  private size(kind: StreamKind): number {
    return this.open.header.streamBytes[kind] ?? 0;
  }

  column(kind: StreamKind): Promise<Uint8Array> {
    return this.stream(kind).take(this.size(kind));
  }

  isAlive(ordinal: number): boolean {
    return this.alive === null || (this.alive[ordinal >>> 3]! & (1 << (ordinal & 7))) !== 0;
  }

  /** The bytes of the current term's postings and positions; the lists are consecutive. */
  async takeLists(): Promise<{ postings: Uint8Array; positions: Uint8Array }> {
    const postings =
      this.postings.tryTake(this.lists.postingBytes) ?? (await this.postings.take(this.lists.postingBytes));
    const positions =
      this.positions.tryTake(this.lists.positionBytes) ?? (await this.positions.take(this.lists.positionBytes));
    return { postings, positions };
  }
}

/** The columns of a segment's chunks, in step. Lengths come back as counts by field. */
export class ColumnCursor {
  private readonly lengths: ByteReader;
  private readonly vaults: ByteReader;
  private readonly languages: ByteReader;
  private readonly occurred: Float64Array;
  private readonly created: Float64Array;
  private ordinal = -1;
  readonly counts: FieldCounts = { title: 0, context: 0, body: 0 };
  /** Places in the header's lists of vaults and languages. */
  vault = 0;
  language = 0;

  private constructor(numbers: ByteReader[], times: Float64Array[]) {
    [this.lengths, this.vaults, this.languages] = numbers as [ByteReader, ByteReader, ByteReader];
    [this.occurred, this.created] = times as [Float64Array, Float64Array];
  }

  static async over(input: MergeInput): Promise<ColumnCursor> {
    const numbers: ByteReader[] = [];
    for (const kind of [STREAM.lengths, STREAM.vaults, STREAM.languages])
      numbers.push(new ByteReader(await input.column(kind)));
    const times: Float64Array[] = [];
    for (const kind of [STREAM.occurred, STREAM.created]) times.push(decodeTimes(await input.column(kind)));
    return new ColumnCursor(numbers, times);
  }

  next(): void {
    this.ordinal++;
    readCounts(this.lengths, this.counts);
    this.vault = this.vaults.varint();
    this.language = this.languages.varint();
  }

  get occurredAtMs(): number | null {
    const time = this.occurred[this.ordinal]!;
    return Number.isNaN(time) ? null : time;
  }

  get createdAtMs(): number {
    return this.created[this.ordinal]!;
  }
}
