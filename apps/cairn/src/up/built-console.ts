import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';

const ROOT = resolve(import.meta.dirname, '../../../..');
const BUILD = join(ROOT, 'apps/console/build/main.ts');
/** What the built console is made of. */
const SOURCES = [
  'apps/console/src',
  'apps/console/build',
  'apps/console/index.html',
  'apps/console/package.json',
  'sdk/src',
  'package-lock.json',
];
const BUILD_TIMEOUT_MS = 120_000;

/**
 * The folder of the built console, which is built when its sources have changed since. Null without its sources, and
 * when it cannot be built: the rest works without it, and the log says why.
 */
export async function builtConsole(cache: string, log: (line: string) => void): Promise<string | null> {
  if (!existsSync(BUILD)) return null;
  const built = join(cache, await hashOf(SOURCES));
  if (existsSync(join(built, 'index.html'))) return built;
  await mkdir(cache, { recursive: true });
  const making = await mkdtemp(join(cache, 'making-'));
  try {
    await promisify(execFile)(process.execPath, [BUILD, '--out', making], { timeout: BUILD_TIMEOUT_MS });
    // Another installation may have been faster, with the same result.
    await rename(making, built).catch((error: unknown) => {
      if (!existsSync(join(built, 'index.html'))) throw error;
    });
    return built;
  } catch (error) {
    const said = (error as { stderr?: string }).stderr?.trim().split('\n').at(-1);
    log(`the console could not be built, and /console is not served: ${said ?? String(error)}`);
    return null;
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

async function hashOf(paths: readonly string[]): Promise<string> {
  const files = (await Promise.all(paths.map((path) => filesOf(join(ROOT, path))))).flat().toSorted();
  const hash = createHash('sha256').update(process.version);
  for (const file of files) {
    hash.update(relative(ROOT, file)).update('\0');
    hash.update(await readFile(file)).update('\0');
  }
  return hash.digest('hex').slice(0, 32);
}

async function filesOf(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => null);
  if (entries === null) return [path];
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
