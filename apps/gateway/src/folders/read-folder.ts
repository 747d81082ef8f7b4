import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** An encoding that a client may accept, and the ending of the files that hold it; the smaller one first. */
const PRECOMPRESSED = [
  { encoding: 'br', ending: '.br' },
  { encoding: 'gzip', ending: '.gz' },
] as const;

export interface BuiltFolder {
  folder: string;
  /** Each file that is served, as its path below the folder with slashes, and the encodings kept beside it. */
  files: ReadonlyMap<string, readonly (typeof PRECOMPRESSED)[number][]>;
}

/** Lists the files of a built folder once, so that no path of a request ever reaches the file system. */
export async function readFolder(folder: string): Promise<BuiltFolder> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
  const present = new Set(paths);
  const served = paths.filter((path) => !PRECOMPRESSED.some(({ ending }) => path.endsWith(ending)));
  return {
    folder,
    files: new Map(served.map((path) => [path, PRECOMPRESSED.filter(({ ending }) => present.has(path + ending))])),
  };
}
