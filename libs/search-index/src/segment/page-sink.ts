import { ByteWriter } from './bytes.ts';
import { MemorySink } from './open-segment.ts';
import { PACKED_MAX_BYTES, pageBytes, STREAM_COUNT, type StreamKind } from './segment-format.ts';
import type { NewPage } from './segment-store.ts';
import type { StreamSink } from './sorted-table.ts';

/** Full pages kept before they are written. The driver encodes them at once, which holds the event loop. */
const PENDING_MAX_BYTES = 1024 * 1024;

/**
 * Cuts a merge's streams into pages and hands full ones on. A result that stays small never becomes pages: it
 * is packed at the end.
 */
export class PageSink implements StreamSink {
  private readonly write: (pages: NewPage[]) => Promise<void>;
  private small: MemorySink | null = new MemorySink();
  private readonly tails: (ByteWriter | undefined)[] = [];
  private readonly pageNos: number[] = Array.from({ length: STREAM_COUNT + 1 }, () => 0);
  private pending: NewPage[] = [];
  private pendingBytes = 0;
  byteSize = 0;

  /** `write` stores pages; it is called by `flush` and `finish` only. */
  constructor(write: (pages: NewPage[]) => Promise<void>) {
    this.write = write;
  }

  append(kind: StreamKind, bytes: Uint8Array): void {
    this.byteSize += bytes.length;
    if (this.small !== null) {
      this.small.append(kind, bytes);
      if (this.byteSize > PACKED_MAX_BYTES) this.outgrow(this.small);
      return;
    }
    this.appendPaged(kind, bytes);
  }

  private outgrow(small: MemorySink): void {
    this.small = null;
    for (let kind = 1; kind <= STREAM_COUNT; kind++) this.appendPaged(kind as StreamKind, small.stream(kind));
  }

  private appendPaged(kind: StreamKind, bytes: Uint8Array): void {
    const tail = (this.tails[kind] ??= new ByteWriter());
    tail.raw(bytes);
    const size = pageBytes(kind);
    if (tail.length < size) return;
    let at = 0;
    for (; tail.length - at >= size; at += size) this.page(kind, tail.bytes.subarray(at, at + size));
    const rest = Buffer.from(tail.bytes.subarray(at, tail.length));
    tail.clear();
    tail.raw(rest);
  }

  private page(kind: StreamKind, data: Uint8Array): void {
    this.pending.push({ kind, pageNo: this.pageNos[kind]!++, data: Buffer.from(data) });
    this.pendingBytes += data.length;
  }

  get full(): boolean {
    return this.pendingBytes >= PENDING_MAX_BYTES;
  }

  async flush(): Promise<void> {
    const pages = this.pending;
    this.pending = [];
    this.pendingBytes = 0;
    if (pages.length > 0) await this.write(pages);
  }

  /** Writes what is left; returns the packed segment when it stayed small. */
  async finish(): Promise<Buffer | null> {
    if (this.small !== null) return this.small.pack();
    for (const [kind, tail] of this.tails.entries())
      if (tail !== undefined && tail.length > 0) this.page(kind as StreamKind, tail.view());
    await this.flush();
    return null;
  }
}
