import { execFile } from 'node:child_process';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const OWN_PACKAGES = '@cairn';
const HELD_BY_WORKSPACES = ['apps', 'libs', 'tools'];

interface OldRelease {
  folder: string;
  /** Short name of its commit. */
  commit: string;
  /** When it was committed, as a day. */
  day: string;
  /** Commits between it and this checkout. */
  commitsSince: number;
}

/**
 * Writes the files of a commit into `folder`. Its own packages are its own; others are those of this checkout, because
 * only the code of Cairn is compared.
 */
export async function checkOutOldRelease(commit: string, folder: string): Promise<OldRelease> {
  const git = async (...args: string[]) => (await run('git', args, { cwd: ROOT })).stdout.trim();
  const name = await git('rev-parse', '--short', '--verify', `${commit}^{commit}`);
  await mkdir(folder, { recursive: true });
  const archive = join(folder, 'release.tar');
  await git('archive', '--format=tar', `--output=${archive}`, name);
  await run('tar', ['-xf', archive, '-C', folder]);
  await linkPackages(folder);
  return {
    folder,
    commit: name,
    day: await git('log', '-1', '--format=%cs', name),
    commitsSince: Number(await git('rev-list', '--count', `${name}..HEAD`)),
  };
}

async function linkPackages(folder: string): Promise<void> {
  await linkEach(join(ROOT, 'node_modules'), join(folder, 'node_modules'), (name) => name !== OWN_PACKAGES);
  const own = join(folder, 'node_modules', OWN_PACKAGES);
  await mkdir(own);
  for (const group of HELD_BY_WORKSPACES.slice(0, 2))
    for (const name of await readdir(join(folder, group)))
      await symlink(relative(own, join(folder, group, name)), join(own, name));
  // Packages of which a workspace needs another version than the rest.
  for (const group of HELD_BY_WORKSPACES)
    for (const name of await readdir(join(ROOT, group)))
      await linkEach(join(ROOT, group, name, 'node_modules'), join(folder, group, name, 'node_modules'), () => true);
}

async function linkEach(from: string, to: string, isWanted: (name: string) => boolean): Promise<void> {
  const names = await readdir(from).catch(() => null);
  if (names === null) return;
  await mkdir(to, { recursive: true });
  for (const name of names.filter(isWanted)) await symlink(join(from, name), join(to, name));
}
