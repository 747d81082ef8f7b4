/** Order of texts everywhere in the index: by Unicode code points, which is the order of their UTF-8 bytes. */
export function compareText(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right)
      return left >= 0xd800 && right >= 0xd800 ? codePointRank(left) - codePointRank(right) : left - right;
  }
  return a.length - b.length;
}

// UTF-16 places surrogates below U+E000–U+FFFF; code points above U+FFFF belong after them.
function codePointRank(unit: number): number {
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}

const INITIAL_BYTES = 256;

/** A growing buffer of unsigned LEB128 numbers and raw bytes. */
export class ByteWriter {
  bytes: Buffer;
  length = 0;

  constructor(initialBytes: number = INITIAL_BYTES) {
    this.bytes = Buffer.allocUnsafeSlow(initialBytes);
  }

  private reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.bytes.length * 2));
    this.bytes.copy(grown, 0, 0, this.length);
    this.bytes = grown;
  }

  /** An integer from 0 to 2^53 − 1, seven bits a byte, low bits first. */
  varint(value: number): void {
    this.reserve(8);
    let rest = value;
    while (rest >= 0x80) {
      this.bytes[this.length++] = (rest % 0x80) | 0x80;
      rest = rest < 0x8000_0000 ? rest >>> 7 : Math.floor(rest / 0x80);
    }
    this.bytes[this.length++] = rest;
  }

  raw(source: Uint8Array): void {
    this.reserve(source.length);
    this.bytes.set(source, this.length);
    this.length += source.length;
  }

  text(value: string): void {
    const size = Buffer.byteLength(value);
    this.varint(size);
    this.reserve(size);
    this.length += this.bytes.write(value, this.length, 'utf8');
  }

  clear(): void {
    this.length = 0;
  }

  /** A view that the next write may overwrite. */
  view(): Buffer {
    return this.bytes.subarray(0, this.length);
  }

  copy(): Buffer {
    const exact = Buffer.allocUnsafeSlow(this.length);
    this.bytes.copy(exact, 0, 0, this.length);
    return exact;
  }
}

/** Reads what a ByteWriter wrote. `position` is public: hot loops step it themselves. */
export class ByteReader {
  readonly bytes: Uint8Array;
  position: number;

  constructor(bytes: Uint8Array, position = 0) {
    this.bytes = bytes;
    this.position = position;
  }

  varint(): number {
    let byte = this.bytes[this.position++]!;
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    let scale = 0x80;
    do {
      byte = this.bytes[this.position++]!;
      value += (byte & 0x7f) * scale;
      scale *= 0x80;
    } while (byte >= 0x80);
    return value;
  }

  text(): string {
    return this.textOf(this.varint());
  }

  textOf(size: number): string {
    const start = this.position;
    this.position += size;
    return Buffer.from(this.bytes.buffer, this.bytes.byteOffset + start, size).toString('utf8');
  }

  atEnd(): boolean {
    return this.position >= this.bytes.length;
  }
}
