import { createHash } from 'node:crypto';
import { EXTRACTOR_VERSION, type Extraction, type ReadStatement } from '../extract/extraction.ts';
import type { WindowChunk } from '../extract/read-window.ts';
import type { LinkedChunk } from '../store/linked-chunk.ts';

/** Consecutive chunks of a document that are read together. */
export interface Window {
  chunks: readonly LinkedChunk[];
  /** What is read: equal digests give equal extractions. */
  sha256: Buffer;
  texts: readonly WindowChunk[];
}

/** Reads windows: an extraction for each chunk. Throws when one of them cannot be read. */
export type ReadWindows = (tenantId: string, windows: readonly Window[]) => Promise<Extraction[][]>;

/** Where texts of windows are read: worker processes. */
interface ReadingPool {
  readWindows(tenantId: string, windows: readonly (readonly WindowChunk[])[]): Promise<Extraction[][]>;
}

/** Reads windows in a pool. */
export function readIn(pool: ReadingPool): ReadWindows {
  return (tenantId, windows) =>
    pool.readWindows(
      tenantId,
      windows.map(({ texts }) => texts),
    );
}

const WINDOW_MIN_CHARS = 24_000;
const WINDOW_MAX_CHARS = 60_000;
/** One chunk in so many may end a window that is long enough, whatever stands before it. */
const ENDS_ONE_IN = 4;

/**
 * Cuts a document into windows. Where one ends is a matter of the chunk there, so that a change moves only the nearest
 * ends and leaves the other windows as they were. `statementsOf`: what a model said of a chunk.
 */
export function windowsOf(
  chunks: readonly LinkedChunk[],
  statementsOf: (chunkId: string) => readonly ReadStatement[],
): Window[] {
  const windows: Window[] = [];
  let from = 0;
  let size = 0;
  for (const [at, { title_path, body }] of chunks.entries()) {
    size += title_path.length + body.length;
    const next = chunks[at + 1];
    const isFull = next !== undefined && size + next.title_path.length + next.body.length > WINDOW_MAX_CHARS;
    const ends = size >= WINDOW_MIN_CHARS && digestOf(body)[0]! % ENDS_ONE_IN === 0;
    if (next !== undefined && !ends && !isFull) continue;
    windows.push(windowOf(chunks.slice(from, at + 1), statementsOf));
    from = at + 1;
    size = 0;
  }
  return windows;
}

function windowOf(chunks: readonly LinkedChunk[], statementsOf: (chunkId: string) => readonly ReadStatement[]): Window {
  const texts = chunks.map(({ chunk_id, title_path, body }) => ({
    titlePath: title_path,
    body,
    said: statementsOf(chunk_id),
  }));
  return { chunks, texts, sha256: digestOf(`${EXTRACTOR_VERSION}\u0000${JSON.stringify(texts)}`) };
}

/** The chunk as it was read in its window: with an equal digest it needs no second reading. */
export function chunkDigest(window: Window, place: number): Buffer {
  return digestOf(`${window.sha256.toString('hex')} ${place}`);
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
