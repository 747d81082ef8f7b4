import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errorCode } from '../embedded-start-error.ts';

/** One file of a backup. */
export interface CopiedFile {
  /** Relative to what was copied, with `/`. */
  path: string;
  bytes: number;
  sha256: string;
}

/** Copies a file durably and returns the checksum of what was written; null when the source is gone. */
export async function copyWithChecksum(source: string, target: string, path: string): Promise<CopiedFile | null> {
  const hash = createHash('sha256');
  let bytes = 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  try {
    await pipeline(createReadStream(source), count, createWriteStream(target, { mode: 0o600, flush: true }));
  } catch (error) {
    // A relation that is dropped while it is copied: the write-ahead log knows.
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
  return { path, bytes, sha256: hash.digest('hex') };
}
