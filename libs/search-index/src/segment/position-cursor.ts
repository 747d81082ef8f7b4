import { ByteReader } from './bytes.ts';
import { readCounts } from './open-segment.ts';
import { NO_MORE } from './posting-cursor.ts';
import { BLOCK_POSTINGS, STREAM, type FieldCounts } from './segment-format.ts';
import type { SegmentView, TermLists } from './segment-view.ts';

/** Above any position in a field: fields lie apart, so that no phrase crosses from one into the next. */
const FIELD_SPAN = 0x10_0000;

interface Block {
  last: number;
  postingBytes: number;
  positionBytes: number;
}

/** Walks one list by chunk ordinal with its positions; blocks that are passed over are not read. */
export class PositionCursor {
  private readonly view: SegmentView;
  private readonly df: number;
  private readonly blocks: Block[];
  private block = -1;
  private postingOffset: number;
  private positionOffset: number;
  private left = 0;
  private postings = new ByteReader(new Uint8Array(0));
  private positions = new ByteReader(new Uint8Array(0));
  private readonly posting = { ordinal: -1, counts: { title: 0, context: 0, body: 0 } };
  /** Positions of the current posting that were not read, and those of postings before it. */
  private unreadPositions = 0;
  private passedPositions = 0;

  constructor(view: SegmentView, lists: TermLists) {
    this.view = view;
    this.df = lists.df;
    this.postingOffset = lists.postingOffset;
    this.positionOffset = lists.positionOffset;
    this.blocks = lists.df > BLOCK_POSTINGS ? readBlocks(view, lists) : [{ ...lists, last: NO_MORE - 1 }];
  }

  /** Moves to the first posting at or after `target`, which never falls, and returns its ordinal or NO_MORE. */
  advance(target: number): number {
    if (this.block >= 0 && this.posting.ordinal >= target) return this.posting.ordinal;
    if (this.block < 0 || this.blocks[this.block]!.last < target) {
      do {
        if (!this.nextBlock()) return NO_MORE;
      } while (this.blocks[this.block]!.last < target);
      this.openBlock();
    }
    do {
      if (this.left === 0) return this.exhaust();
      this.next();
    } while (this.posting.ordinal < target);
    return this.posting.ordinal;
  }

  private exhaust(): number {
    this.posting.ordinal = NO_MORE;
    return NO_MORE;
  }

  private nextBlock(): boolean {
    const current = this.blocks[this.block];
    if (current !== undefined) {
      this.postingOffset += current.postingBytes;
      this.positionOffset += current.positionBytes;
    }
    this.block++;
    if (this.block < this.blocks.length) return true;
    this.block = this.blocks.length - 1;
    this.exhaust();
    return false;
  }

  private openBlock(): void {
    const { postingBytes, positionBytes } = this.blocks[this.block]!;
    this.postings = new ByteReader(this.view.bytes(STREAM.postings, this.postingOffset, postingBytes));
    this.positions = new ByteReader(this.view.bytes(STREAM.positions, this.positionOffset, positionBytes));
    if (this.df <= BLOCK_POSTINGS) skipFront(this.postings);
    this.posting.ordinal = this.block === 0 ? -1 : this.blocks[this.block - 1]!.last;
    this.left = Math.min(BLOCK_POSTINGS, this.df - this.block * BLOCK_POSTINGS);
    this.unreadPositions = 0;
    this.passedPositions = 0;
  }

  private next(): void {
    this.passedPositions += this.unreadPositions;
    readPosting(this.postings, this.posting);
    const { title, context, body } = this.posting.counts;
    this.unreadPositions = title + context + body;
    this.left--;
  }

  /** Adds where a phrase would start that has this term `offset` positions in; once per posting. */
  addStarts(offset: number, starts: number[]): void {
    if (this.unreadPositions === 0) return;
    skipNumbers(this.positions, this.passedPositions);
    this.passedPositions = 0;
    const { title, context, body } = this.posting.counts;
    let field = FIELD_SPAN;
    for (const count of [title, context, body]) {
      let position = field;
      for (let i = 0; i < count; i++) {
        position += this.positions.varint();
        starts.push(position - offset);
      }
      field += FIELD_SPAN;
    }
    this.unreadPositions = 0;
  }
}

function readBlocks(view: SegmentView, lists: TermLists): Block[] {
  const input = new ByteReader(view.bytes(STREAM.skips, lists.skipOffset, lists.skipBytes));
  const blocks: Block[] = [];
  let last = -1;
  for (let n = Math.ceil(lists.df / BLOCK_POSTINGS); n > 0; n--) {
    last += input.varint() + 1;
    blocks.push({ last, postingBytes: input.varint(), positionBytes: input.varint() });
    skipFront(input);
  }
  return blocks;
}

/** Steps over block maxima. */
export function skipFront(input: ByteReader): void {
  skipNumbers(input, input.varint() * 2);
}

/** Steps over whole numbers without reading them. */
export function skipNumbers(input: ByteReader, count: number): void {
  const { bytes } = input;
  let at = input.position;
  for (let left = count; left > 0; left--) {
    while (bytes[at]! >= 0x80) at++;
    at++;
  }
  input.position = at;
}

/** Reads the posting after `posting` into it. */
export function readPosting(input: ByteReader, posting: { ordinal: number; counts: FieldCounts }): void {
  const code = input.varint();
  posting.ordinal += Math.floor(code / 2) + 1;
  if (code % 2 === 1) {
    posting.counts.title = 0;
    posting.counts.context = 0;
    posting.counts.body = 1;
  } else {
    readCounts(input, posting.counts);
  }
}
