import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { ConfigError } from '@cairn/service-kit';

/** An encoding that a client may accept, and the ending of the files that hold it; the smaller one first. */
const PRECOMPRESSED = [
  { encoding: 'br', ending: '.br' },
  { encoding: 'gzip', ending: '.gz' },
] as const;

export interface BuiltConsole {
  folder: string;
  /** Each file that is served, as its path below the folder with slashes, and the encodings kept beside it. */
  files: ReadonlyMap<string, readonly (typeof PRECOMPRESSED)[number][]>;
}

/**
 * Lists the files of the built console once, so that no path of a request ever reaches the file system. Throws when the
 * folder holds no console.
 */
export async function readConsole(folder: string): Promise<BuiltConsole> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((cause: unknown) => {
    throw new ConfigError([`CAIRN_CONSOLE_DIR (${folder}) cannot be read: ${(cause as Error).message}`]);
  });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
  const present = new Set(paths);
  if (!present.has('index.html'))
    throw new ConfigError([`CAIRN_CONSOLE_DIR (${folder}) holds no index.html: build the console first`]);
  const served = paths.filter((path) => !PRECOMPRESSED.some(({ ending }) => path.endsWith(ending)));
  return {
    folder,
    files: new Map(served.map((path) => [path, PRECOMPRESSED.filter(({ ending }) => present.has(path + ending))])),
  };
}
