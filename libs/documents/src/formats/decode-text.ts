import { storable } from '../storable.ts';

const BYTE_ORDER_MARKS: [encoding: string, bytes: number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];
const SNIFFED_BYTES = 4_096;
/** In UTF-16 every other byte of Latin text is zero. */
const ZERO_SHARE_OF_UTF16 = 0.3;
/** Control characters that no text has. */
const STRANGE_SHARE_MAX = 0.02;

/**
 * Text out of bytes: by its byte order mark, as UTF-8 if it is that, as UTF-16 when it looks like it, else in
 * `fallback`, which a page may name. Null when it is no text. NUL characters and halves of characters, which cannot
 * be stored, become blanks and replacement characters of the same length.
 */
export function decodeText(bytes: Uint8Array, fallback = 'windows-1252'): string | null {
  const text = decode(bytes, fallback);
  return text === null || looksBinary(text) ? null : storable(text);
}

function decode(bytes: Uint8Array, fallback: string): string | null {
  for (const [encoding, mark] of BYTE_ORDER_MARKS) {
    if (mark.every((byte, index) => bytes[index] === byte)) return new TextDecoder(encoding).decode(bytes);
  }
  const utf16 = utf16Of(bytes);
  if (utf16 !== null) return new TextDecoder(utf16).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder(knownEncoding(fallback)).decode(bytes);
  }
}

function knownEncoding(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return 'windows-1252';
  }
}

function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const sample = bytes.subarray(0, SNIFFED_BYTES);
  if (sample.length < 4) return null;
  const zeros = [0, 0];
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2]! += 1;
  const half = sample.length / 2;
  if (zeros[1]! / half > ZERO_SHARE_OF_UTF16 && zeros[0] === 0) return 'utf-16le';
  if (zeros[0]! / half > ZERO_SHARE_OF_UTF16 && zeros[1] === 0) return 'utf-16be';
  return null;
}

function looksBinary(text: string): boolean {
  const sample = text.slice(0, SNIFFED_BYTES);
  // oxlint-disable-next-line no-control-regex
  const strange = sample.match(/[\x01-\x08\x0e-\x1a\x1c-\x1f\x7f]/g)?.length ?? 0;
  const zeros = sample.length - sample.replaceAll('\0', '').length;
  return strange > sample.length * STRANGE_SHARE_MAX || zeros > sample.length / 4;
}
