import { stat } from 'node:fs/promises';
import { join } from 'node:path';

const NAME = 'node-compile-cache';
const WRITABLE_BY_OTHERS = 0o022;

/**
 * Where compiled sources are kept between starts: in the cache that installations share, if nobody else can put
 * something there, for what lies in it is executed; otherwise in the installation's own.
 */
export async function moduleCacheFolder(shared: string | undefined, own: string): Promise<string> {
  if (shared === undefined) return join(own, NAME);
  const found = await stat(shared).catch(() => null);
  const isOurs = found?.uid === process.geteuid?.() && ((found?.mode ?? WRITABLE_BY_OTHERS) & WRITABLE_BY_OTHERS) === 0;
  return join(isOurs ? shared : own, NAME);
}
