import { stat } from 'node:fs/promises';
import { join } from 'node:path';

const WRITABLE_BY_OTHERS = 0o022;

/**
 * A folder of what can be made again: in the cache that installations share, if nobody else can put something there, for
 * what lies in it is executed; otherwise in the installation's own.
 */
export async function cacheFolder(shared: string | undefined, own: string, name: string): Promise<string> {
  if (shared === undefined) return join(own, name);
  const found = await stat(shared).catch(() => null);
  const isOurs = found?.uid === process.geteuid?.() && ((found?.mode ?? WRITABLE_BY_OTHERS) & WRITABLE_BY_OTHERS) === 0;
  return join(isOurs ? shared : own, name);
}
