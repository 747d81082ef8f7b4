import { pageBytes, type StreamKind } from './segment-format.ts';

/** Reads consecutive pages of one stream. */
export type ReadPages = (kind: StreamKind, firstPage: number, count: number) => Promise<Uint8Array[]>;

/** Bytes read ahead per stream and input of a merge. */
const READ_AHEAD_BYTES = 256 * 1024;

/** One stream of one segment, read front to back in bounded memory. */
export class SequentialStream {
  private readonly kind: StreamKind;
  private readonly readPages: ReadPages;
  private buffer: Uint8Array;
  private at = 0;
  private nextPage: number;
  private readonly pageCount: number;

  /** `whole` is the stream of a packed segment; null reads pages. */
  constructor(kind: StreamKind, streamBytes: number, whole: Uint8Array | null, readPages: ReadPages) {
    this.kind = kind;
    this.readPages = readPages;
    this.buffer = whole ?? new Uint8Array(0);
    this.nextPage = 0;
    this.pageCount = whole === null ? Math.ceil(streamBytes / pageBytes(kind)) : 0;
  }

  /** The next bytes, if they are here already. */
  tryTake(length: number): Uint8Array | null {
    if (this.buffer.length - this.at < length) return null;
    const taken = this.buffer.subarray(this.at, this.at + length);
    this.at += length;
    return taken;
  }

  async take(length: number): Promise<Uint8Array> {
    while (this.buffer.length - this.at < length) {
      if (this.nextPage >= this.pageCount) throw new Error(`stream ${this.kind} ends before ${length} more bytes`);
      const wanted = Math.max(length, READ_AHEAD_BYTES);
      const count = Math.min(Math.ceil(wanted / pageBytes(this.kind)), this.pageCount - this.nextPage);
      const pages = await this.readPages(this.kind, this.nextPage, count);
      this.nextPage += count;
      this.buffer = Buffer.concat([this.buffer.subarray(this.at), ...pages]);
      this.at = 0;
    }
    return this.tryTake(length)!;
  }
}
