import { promisify } from 'node:util';
import { brotliDecompress, brotliDecompressSync, gunzip, gunzipSync, inflate, inflateSync } from 'node:zlib';
import { CairnError } from '@cairn/errors';

/** The encodings of a body that are understood. */
export type BodyEncoding = keyof typeof INFLATERS;

/** To so much a body may inflate whatever its size: a batch of a hundred documents from one template is 70 times smaller. */
const INFLATED_FREE_MAX_BYTES = 1_048_576;
/**
 * Beyond that, to so many times its size. Prose and sources become 3.5 times smaller, rows of a table 7 to 15 times,
 * indented JSON 20 to 40 times; blanks 1,000 times.
 */
const INFLATED_RATIO_MAX = 50;

const INFLATERS = {
  gzip: { apart: promisify(gunzip), here: gunzipSync },
  deflate: { apart: promisify(inflate), here: inflateSync },
  br: { apart: promisify(brotliDecompress), here: brotliDecompressSync },
} as const;

export function isBodyEncoding(encoding: string): encoding is BodyEncoding {
  return Object.hasOwn(INFLATERS, encoding);
}

/** What a body of so many bytes may inflate to, where `limit` bounds every body. */
export function inflatedMaxBytes(packedBytes: number, limit: number): number {
  return Math.min(limit, Math.max(INFLATED_FREE_MAX_BYTES, INFLATED_RATIO_MAX * packedBytes));
}

/** Inflates in zlib's own threads, up to `maxBytes`; null when the body is larger. Throws `malformed_request`. */
export async function inflateInPool(
  packed: Uint8Array,
  encoding: BodyEncoding,
  maxBytes: number,
): Promise<Buffer | null> {
  try {
    return await INFLATERS[encoding].apart(packed, { maxOutputLength: maxBytes });
  } catch (error) {
    if (isTooLarge(error)) return null;
    throw notInEncoding(encoding, error);
  }
}

/** Inflates a body in this thread. Throws `payload_too_large` or `malformed_request`. */
export function inflateInThread(packed: Uint8Array, encoding: BodyEncoding, limit: number): Buffer {
  const maxBytes = inflatedMaxBytes(packed.byteLength, limit);
  try {
    return INFLATERS[encoding].here(packed, { maxOutputLength: maxBytes });
  } catch (error) {
    if (isTooLarge(error)) throw inflatesTooMuch(maxBytes, limit);
    throw notInEncoding(encoding, error);
  }
}

/** Says which of the two bounds a body passed. */
export function inflatesTooMuch(maxBytes: number, limit: number): CairnError {
  return new CairnError(
    'payload_too_large',
    maxBytes === limit
      ? 'The body is larger than this operation takes.'
      : `The body inflates to more than ${INFLATED_RATIO_MAX} times its size. Send it without compression.`,
  );
}

function isTooLarge(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
}

function notInEncoding(encoding: BodyEncoding, cause: unknown): CairnError {
  return new CairnError('malformed_request', `The body is not valid ${encoding}.`, { cause });
}
