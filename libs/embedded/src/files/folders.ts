import { chmod, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** What a killed start left half made is swept once no start can still be working on it. */
const ABANDONED_AGE_MS = 60 * 60 * 1000;

/** Makes a folder and its missing parents with exactly this mode, whatever the umask; existing ones keep theirs. */
export async function makeFolder(path: string, mode: number): Promise<void> {
  const topmost = await mkdir(path, { recursive: true, mode });
  if (topmost === undefined) return;
  for (let folder = path; folder.length >= topmost.length; folder = dirname(folder)) await chmod(folder, mode);
}

/** Removes old drafts (names that begin like this and end with `.tmp`) from a folder that several starts share. */
export async function sweepAbandoned(folder: string, prefix: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix) || !name.endsWith('.tmp')) continue;
    const found = await stat(join(folder, name)).catch(() => null);
    if (found === null || Date.now() - found.ctimeMs < ABANDONED_AGE_MS) continue;
    await rm(join(folder, name), { recursive: true, force: true }).catch(() => {});
  }
}
