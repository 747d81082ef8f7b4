import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises';

/** A log above this size becomes the one older generation when its server starts. */
const ROTATE_ABOVE_BYTES = 8 * 1024 * 1024;
const TAIL_BYTES = 16 * 1024;
const TAIL_LINES = 20;

/** Opens a server's log for appending; the handle is given to the server as its standard output and error. */
export async function openServerLog(path: string): Promise<FileHandle> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size > ROTATE_ABOVE_BYTES) {
    await rm(`${path}.1`, { force: true });
    await rename(path, `${path}.1`);
  }
  return open(path, 'a', 0o600);
}

/** How long the log is now: what a server writes later lies behind it. */
export async function logEnd(path: string): Promise<number> {
  return stat(path).then(
    (found) => found.size,
    () => 0,
  );
}

/** The last lines written after `from`, at most twenty; empty when there is no log. */
export async function lastLogLines(path: string, from = 0): Promise<string[]> {
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch {
    return [];
  }
  try {
    const { size } = await file.stat();
    const start = Math.max(from, size - TAIL_BYTES);
    const buffer = Buffer.alloc(Math.max(0, size - start));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, start);
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n');
    return lines.filter((line) => line.trim() !== '').slice(-TAIL_LINES);
  } finally {
    await file.close();
  }
}
