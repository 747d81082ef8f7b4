import { basename, dirname } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createStream } from 'rotating-file-stream';

/** The log of one service over all its restarts. */
interface ServiceLog {
  /** Writes what a process prints, line by line, until it ends. */
  write(output: Readable): void;
  close(): Promise<void>;
}

interface ServiceLogBounds {
  /** A file that has reached this size becomes the first of the older ones. */
  fileMaxBytes: number;
  /** Older files that are kept: `keys.log.1` is the youngest. */
  olderFilesMax: number;
}

const BOUNDS: ServiceLogBounds = { fileMaxBytes: 10 * 1_048_576, olderFilesMax: 3 };
/** A line that is longer is written in pieces, so that one without an end does not fill the memory. */
const LINE_MAX_BYTES = 1_048_576;
const DRAIN_TIMEOUT_MS = 2_000;

/**
 * A log of bounded size. The process writes into a pipe and we into the file, so that files can be exchanged without
 * its help and without losing a line.
 */
export function openServiceLog(
  file: string,
  onError: (error: Error) => void,
  { fileMaxBytes, olderFilesMax }: ServiceLogBounds = BOUNDS,
): ServiceLog {
  const stream = createStream(basename(file), {
    path: dirname(file),
    size: `${fileMaxBytes}B`,
    rotate: olderFilesMax,
    mode: 0o600,
  });
  // A full disk must not end the installation.
  stream.on('error', onError);
  stream.on('warning', onError);
  // One chunk at a time, which also makes the process wait for the file. A stream that has failed answers at once: its
  // chunks are dropped, because a process that nobody reads would stand still.
  const append = (lines: Buffer) => new Promise<void>((resolve) => void stream.write(lines, () => resolve()));
  const copy = async (output: Readable) => {
    for await (const lines of output.pipe(wholeLines())) await append(lines as Buffer);
  };
  const writing = new Set<Promise<void>>();
  return {
    write(output) {
      const written = copy(output)
        .catch(onError)
        .finally(() => writing.delete(written));
      writing.add(written);
    },
    async close() {
      // What was printed last may still be on its way to the file; after the end nothing would be taken. Bounded,
      // because a pipe stays open as long as any process that inherited it lives.
      await Promise.race([Promise.all(writing), sleep(DRAIN_TIMEOUT_MS, undefined, { ref: false })]);
      await new Promise<void>((resolve) => stream.end(resolve));
    },
  };
}

/** Passes on whole lines only: files are exchanged between two chunks, and two processes may write at a time. */
function wholeLines(): Transform {
  let rest: Buffer = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const end = chunk.lastIndexOf(0x0a) + 1;
      if (end === 0 && rest.length + chunk.length < LINE_MAX_BYTES) {
        rest = Buffer.concat([rest, chunk]);
        done();
        return;
      }
      const cut = end === 0 ? chunk.length : end;
      const lines = Buffer.concat([rest, chunk.subarray(0, cut)]);
      rest = Buffer.from(chunk.subarray(cut));
      done(null, lines);
    },
    flush(done) {
      if (rest.length === 0) done();
      else done(null, Buffer.concat([rest, Buffer.from('\n')]));
    },
  });
}
