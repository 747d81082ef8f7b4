import { createHash, randomBytes } from 'node:crypto';
import {
  chmod,
  copyFile,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  lstat,
} from 'node:fs/promises';
import { constants, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { errorCode } from '../embedded-start-error.ts';
import { makeFolder, sweepAbandoned } from '../files/folders.ts';
import { readFileIfThere, syncDirectory } from '../files/private-file.ts';
import type { PostgresPackage } from './postgres-package.ts';
import { runningAsRoot } from '../process/server-account.ts';

const COPIES_AT_ONCE = 16;

interface BinaryFile {
  path: string;
  sizeBytes: number;
}

interface BinaryLink {
  path: string;
  target: string;
}

/** The files to run: the package's own, or a copy where another account must read them or we may not write there. */
export async function prepareBinaries(source: PostgresPackage, dataDir: string, systemDir: string): Promise<string> {
  if (runningAsRoot()) return copyBinaries(source, systemDir);
  if (await hydrateInPlace(source)) return join(source.directory, 'native');
  return copyBinaries(source, join(dataDir, 'binaries'));
}

/**
 * Makes the package's own files usable where they lie: its shared libraries need symbolic links that its install script
 * would have made. False when they are missing and this user may not write there.
 */
export async function hydrateInPlace(source: PostgresPackage): Promise<boolean> {
  const native = join(source.directory, 'native');
  try {
    for (const link of await declaredLinks(source)) await ensureLink(native, link);
    return true;
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes(errorCode(error) ?? '')) return false;
    throw error;
  }
}

/**
 * Copies what a server needs into a folder below `home` that is named after the content, and returns it. Readable by
 * everybody, writable by us alone; it appears in one rename, so starts at the same time may all call this.
 */
export async function copyBinaries(source: PostgresPackage, home: string): Promise<string> {
  const native = join(source.directory, 'native');
  const files = await binaryFiles(native);
  const target = join(home, `postgresql-${source.version}-${await contentHash(native, source.version, files)}`);
  if (await isComplete(target, files)) return target;

  await makeFolder(home, 0o755);
  await sweepAbandoned(home, 'postgresql-');
  const draft = `${target}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await copyFiles(native, draft, files);
    for (const link of [...(await existingLinks(native)), ...(await declaredLinks(source))])
      await ensureLink(draft, link);
    await moveIntoPlace(draft, target, files);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return target;
}

async function moveIntoPlace(draft: string, target: string, files: BinaryFile[]): Promise<void> {
  try {
    await rename(draft, target);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) throw error;
    // Another start was faster, which is as good; or what lies there was damaged, then it makes room.
    if (await isComplete(target, files)) return;
    const damaged = `${target}.${randomBytes(6).toString('hex')}.tmp`;
    await rename(target, damaged);
    await rename(draft, target);
    await rm(damaged, { recursive: true, force: true });
  }
  await syncDirectory(dirname(target));
}

/** Everything but static libraries and build metadata; links are handled apart. */
async function binaryFiles(native: string): Promise<BinaryFile[]> {
  const found: BinaryFile[] = [];
  for (const entry of await readdir(native, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name.endsWith('.a') || entry.parentPath.endsWith(`${sep}pkgconfig`)) continue;
    const path = relative(native, join(entry.parentPath, entry.name));
    // About a thousand files: asking for each through the thread pool takes ten times as long as this does.
    found.push({ path, sizeBytes: statSync(join(native, path)).size });
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** npm has verified the package; version, names, sizes and the programs themselves tell two of them apart. */
async function contentHash(native: string, version: string, files: BinaryFile[]): Promise<string> {
  const hash = createHash('sha256').update(version);
  for (const file of files) {
    hash.update(`\0${file.path}\0${file.sizeBytes}`);
    if (file.path.startsWith(`bin${sep}`)) hash.update(await readFile(join(native, file.path)));
  }
  return hash.digest('hex').slice(0, 16);
}

async function isComplete(target: string, files: BinaryFile[]): Promise<boolean> {
  try {
    const folder = await stat(target);
    if (folder.uid !== process.geteuid?.() || (folder.mode & 0o022) !== 0) return false;
    return files.every((file) => statSync(join(target, file.path)).size === file.sizeBytes);
  } catch {
    return false;
  }
}

async function copyFiles(native: string, draft: string, files: BinaryFile[]): Promise<void> {
  const folders = new Set(['.', ...files.map((file) => dirname(file.path))]);
  for (const folder of folders) await mkdir(join(draft, folder), { recursive: true });
  for (const entry of await readdir(draft, { recursive: true, withFileTypes: true })) {
    await chmod(join(entry.parentPath, entry.name), 0o755);
  }
  await chmod(draft, 0o755);
  for (let start = 0; start < files.length; start += COPIES_AT_ONCE) {
    const batch = files.slice(start, start + COPIES_AT_ONCE);
    await Promise.all(
      batch.map(async ({ path }) => {
        await copyFile(join(native, path), join(draft, path), constants.COPYFILE_FICLONE);
        await chmod(join(draft, path), path.startsWith(`bin${sep}`) || path.startsWith(`lib${sep}`) ? 0o755 : 0o644);
      }),
    );
  }
}

async function existingLinks(native: string): Promise<BinaryLink[]> {
  const links: BinaryLink[] = [];
  for (const entry of await readdir(native, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath, entry.name);
    links.push({ path: relative(native, path), target: await readlink(path) });
  }
  return links;
}

/** The links that `native/pg-symlinks.json` asks for; its paths count from the package's folder. */
async function declaredLinks(source: PostgresPackage): Promise<BinaryLink[]> {
  const text = await readFileIfThere(join(source.directory, 'native', 'pg-symlinks.json'));
  if (text === null) return [];
  const declared = JSON.parse(text) as { source: string; target: string }[];
  return declared.map((link) => ({
    path: relative('native', link.target),
    target: relative(dirname(link.target), link.source),
  }));
}

async function ensureLink(native: string, link: BinaryLink): Promise<void> {
  const path = join(native, link.path);
  if (path.split(sep).includes('..') || link.target.startsWith('/')) return;
  const there = await lstat(path).catch(() => null);
  if (there?.isFile()) return;
  if (there?.isSymbolicLink() && (await readlink(path)) === link.target) return;
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  await symlink(link.target, draft);
  await rename(draft, path);
}
