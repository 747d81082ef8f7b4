import { type FileHandle, open, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 250;
const PIECE_BYTES = 65_536;

/**
 * Yields what is appended to a file from `from` bytes on, line by line, until the signal aborts. When another file has
 * taken its place, as rotation does, the rest of the old one comes first, then the new one from its beginning. A file
 * that is not there yet is waited for.
 */
export async function* followLog(path: string, from: number, signal: AbortSignal): AsyncGenerator<string> {
  let file: FileHandle | null = null;
  let position = from;
  let isReplaced = false;
  let rest = Buffer.alloc(0);
  const piece = Buffer.alloc(PIECE_BYTES);
  try {
    for (;;) {
      file ??= await open(path, 'r').catch(nullWhenMissing);
      const { bytesRead } = (await file?.read(piece, 0, PIECE_BYTES, position)) ?? { bytesRead: 0 };
      if (bytesRead > 0) {
        position += bytesRead;
        const bytes = Buffer.concat([rest, piece.subarray(0, bytesRead)]);
        const end = bytes.lastIndexOf(0x0a) + 1;
        // A copy: the piece is written over by what is read next.
        rest = Buffer.from(bytes.subarray(end));
        if (end > 0) yield* bytes.toString('utf8', 0, end - 1).split('\n');
        continue;
      }
      if (file !== null && isReplaced) {
        await file.close();
        [file, position, isReplaced] = [null, 0, false];
      } else if (file !== null && (await wasReplaced(file, path))) {
        // Something may have been added to it until then.
        isReplaced = true;
      } else if (!(await waited(signal))) return;
    }
  } finally {
    await file?.close();
  }
}

async function wasReplaced(file: FileHandle, path: string): Promise<boolean> {
  const [known, there] = await Promise.all([file.stat(), stat(path).catch(nullWhenMissing)]);
  return there !== null && there.ino !== known.ino;
}

/** False once the signal has aborted. */
async function waited(signal: AbortSignal): Promise<boolean> {
  return sleep(POLL_MS, true, { signal }).catch(() => false);
}

function nullWhenMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
