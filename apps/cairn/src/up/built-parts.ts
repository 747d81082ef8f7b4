import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DATABASE_SERVICES } from './engines.ts';
import { inRepository } from './in-repository.ts';

/** What is built of the repository's sources when the installation starts, and kept for the next start. */
interface Part {
  /** Module that builds it into the folder given with --out. */
  build: string;
  /** Files and folders that it is made of. */
  sources: readonly string[];
  /** One of its files. */
  file: string;
  /** What follows when it cannot be built. */
  without: string;
}

const CONSOLE: Part = {
  build: 'apps/console/build/main.ts',
  sources: [
    'apps/console/src',
    'apps/console/build',
    'apps/console/index.html',
    'apps/console/package.json',
    'sdk/src',
    'package-lock.json',
  ],
  file: 'index.html',
  without: 'the console could not be built, and /console is not served',
};

const SERVICES: Part = {
  build: 'tools/release/bundles/installation.ts',
  sources: [
    ...['gateway', ...DATABASE_SERVICES].map((name) => `apps/${name}/src`),
    'apps/cairn/src/up',
    'libs',
    'config',
    'tools/release/bundles',
    'package-lock.json',
  ],
  file: 'modules.json',
  without: 'the services could not be bundled, and start from their sources, more slowly',
};

const DOCS: Part = {
  build: 'apps/docs/src/main.ts',
  sources: [
    'apps/docs/src',
    'apps/docs/site',
    'apps/docs/package.json',
    'docs',
    'ARCHITECTURE.md',
    'CHANGELOG.md',
    'CODE_OF_CONDUCT.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'config/plans.json',
    'libs/contracts/src',
    'libs/errors/src',
    'libs/pages/src',
    'sdk/README.md',
    'sdk/python/README.md',
    'package-lock.json',
  ],
  file: 'inline-scripts.json',
  without: 'the documentation could not be built, and /docs explains what is missing',
};

const BUILD_TIMEOUT_MS = 120_000;
/** Beside other work, with a low priority. */
const DOCS_TIMEOUT_MS = 900_000;
/** Older builds of a cache that installations share may still be running. */
const BUILDS_MAX = 3;
const BUILD_RETENTION_MS = 12 * 3_600_000;
/** Folders in them of which nothing is built. */
const NOT_SOURCES = new Set(['node_modules', 'dist', 'tests']);

/** The folder of the built console; null where its sources are missing, and when it cannot be built. */
export function builtConsole(cache: string, log: (line: string) => void): Promise<string | null> {
  return builtPart(CONSOLE, cache, log);
}

/** The documentation, which is built when everything else is up. */
export interface PlannedDocs {
  /** Where it is, or will be. */
  folder: string;
  /** False when it could not be built, and when the signal came before. */
  build(signal: AbortSignal): Promise<boolean>;
}

/** Null where its sources are missing. */
export async function plannedDocs(cache: string, log: (line: string) => void): Promise<PlannedDocs | null> {
  if (!existsSync(inRepository(DOCS.build))) return null;
  const folder = join(cache, await hashOf(DOCS.sources));
  return {
    folder,
    build: async (signal) => (await builtAt(DOCS, cache, folder, { log, signal })) !== null,
  };
}

/** Source of a module that a process runs → its bundle; of what is not bundled, nothing. */
export type BundledModules = ReadonlyMap<string, string>;

/** The services' bundled modules; none where they cannot be built. */
export async function builtServices(cache: string, log: (line: string) => void): Promise<BundledModules> {
  const folder = await builtPart(SERVICES, cache, log);
  if (folder === null) return new Map();
  const names = JSON.parse(await readFile(join(folder, SERVICES.file), 'utf8')) as Record<string, string>;
  return new Map(Object.entries(names).map(([source, name]) => [source, join(folder, name)]));
}

/** Built when its sources have changed since. The rest works without it, and the log says why it is missing. */
async function builtPart(part: Part, cache: string, log: (line: string) => void): Promise<string | null> {
  if (!existsSync(inRepository(part.build))) return null;
  return builtAt(part, cache, join(cache, await hashOf(part.sources)), { log });
}

/** With a signal, which ends it, the build runs at a low priority. */
async function builtAt(
  part: Part,
  cache: string,
  built: string,
  { log, signal }: { log: (line: string) => void; signal?: AbortSignal },
): Promise<string | null> {
  if (existsSync(join(built, part.file))) {
    await utimes(built, new Date(), new Date());
    return built;
  }
  await mkdir(cache, { recursive: true });
  const making = await mkdtemp(join(cache, 'making-'));
  try {
    await run([inRepository(part.build), '--out', making], signal);
    // Another installation may have been faster, with the same result.
    await rename(making, built).catch((error: unknown) => {
      if (!existsSync(join(built, part.file))) throw error;
    });
    await removeOldBuilds(cache);
    return built;
  } catch (error) {
    if (signal?.aborted === true) return null;
    const printed = (error as { stderr?: string }).stderr?.trim().split('\n') ?? [];
    // Node prints its version after what was thrown.
    const said = printed.find((line) => /^\w*Error\b/.test(line)) ?? printed.at(-1);
    log(`${part.without}: ${said ?? String(error)}`);
    return null;
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

async function run(command: string[], signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) {
    await promisify(execFile)(process.execPath, command, { timeout: BUILD_TIMEOUT_MS });
    return;
  }
  const running = promisify(execFile)(process.execPath, command, { timeout: DOCS_TIMEOUT_MS, signal });
  if (running.child.pid !== undefined) setPriority(running.child.pid, constants.priority.PRIORITY_LOW);
  await running;
}

async function removeOldBuilds(cache: string): Promise<void> {
  const paths = (await readdir(cache)).map((name) => join(cache, name));
  // Another installation may just have renamed or removed one.
  const found = await Promise.all(paths.map((path) => stat(path).catch(() => null)));
  const builds = paths.flatMap((path, index) => {
    const usedMs = found[index]?.mtimeMs;
    return usedMs === undefined ? [] : [{ path, usedMs }];
  });
  const oldest = Date.now() - BUILD_RETENTION_MS;
  const others = builds.toSorted((a, b) => b.usedMs - a.usedMs).slice(BUILDS_MAX);
  for (const { path, usedMs } of others) if (usedMs < oldest) await rm(path, { recursive: true, force: true });
}

async function hashOf(paths: readonly string[]): Promise<string> {
  const files = (await Promise.all(paths.map(filesOf))).flat().toSorted();
  const hash = createHash('sha256').update(process.version);
  for (const file of files) {
    hash.update(file).update('\0');
    hash.update(await readFile(inRepository(file))).update('\0');
  }
  return hash.digest('hex').slice(0, 32);
}

/** The path itself, or the files below it. */
async function filesOf(path: string): Promise<string[]> {
  const entries = await readdir(inRepository(path), { withFileTypes: true }).catch(() => null);
  if (entries === null) return [path];
  const below = entries.map((entry) => {
    if (NOT_SOURCES.has(entry.name) || entry.name.endsWith('.spec.ts')) return [];
    return entry.isDirectory() ? filesOf(join(path, entry.name)) : [join(path, entry.name)];
  });
  return (await Promise.all(below)).flat();
}
