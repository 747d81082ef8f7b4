import { mkdir, readdir, rm } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { backUpCluster, type ClusterBackup, type CopiedFile, copyWithChecksum, holdsCluster } from '@cairn/embedded';
import { type DataFolder, openDataFolder, readJson, writePrivately } from '../data-folder.ts';
import { MAIN_CLUSTER, MANIFEST_FILE, manifestOf } from './backup-folder.ts';

/** Files of the data folder that are copied as they are; each contains secrets. */
const INSTALLATION_FILES = ['credentials.json', 'nats/nats-credentials.json'];

/**
 * Copies an embedded installation into a new folder below `target` while it may be running, and returns that folder.
 * Each cluster is consistent in itself. The streams of NATS are not copied: see docs/operations.md.
 */
export async function backUpInstallation(
  dataDir: string,
  target: string,
  log: (line: string) => void,
): Promise<string> {
  if (`${resolve(target)}${sep}`.startsWith(`${resolve(dataDir)}${sep}`))
    throw new Error(`${target} lies in the data folder ${dataDir}; back up to another folder, best on another disk.`);
  if ((await readJson(join(dataDir, 'keys', 'jwks.json'))) === null)
    throw new Error(`${dataDir} holds no installation.`);
  const folder = await openDataFolder(dataDir);
  const backup = join(target, new Date().toISOString().replaceAll(/[-:]|\.\d+/g, ''));
  await mkdir(target, { recursive: true });
  await mkdir(backup, { mode: 0o700 });
  try {
    const passwords: CopiedFile[] = [];
    const clusters: (ClusterBackup & { name: string })[] = [];
    for (const { name, dataDir: clusterDir } of await clustersOf(folder)) {
      const cluster = await backUpCluster({ dataDir: clusterDir, target: join(backup, name) });
      log(`${name}: ${cluster.files.length} files, ${megabytes(cluster.files)} MB`);
      clusters.push({ name, ...cluster });
      passwords.push(
        await copyRequired(join(clusterDir, 'superuser-password'), join(backup, 'installation'), passwordFileOf(name)),
      );
    }
    // After the clusters: a key that is made meanwhile may have encrypted something in them, and none goes away by itself.
    const installation = [...passwords, ...(await copyInstallationFiles(folder, join(backup, 'installation')))];
    await writePrivately(join(backup, MANIFEST_FILE), JSON.stringify(manifestOf(installation, clusters)));
    return backup;
  } catch (error) {
    await rm(backup, { recursive: true, force: true });
    throw error;
  }
}

/** Where a backup keeps the password of a cluster's superuser. */
export function passwordFileOf(cluster: string): string {
  return `superusers/${cluster}`;
}

async function copyInstallationFiles(folder: DataFolder, target: string): Promise<CopiedFile[]> {
  const keys = (await readdir(join(folder.root, 'keys'))).map((name) => `keys/${name}`);
  const copied = [...keys, ...INSTALLATION_FILES].map((path) =>
    copyWithChecksum(join(folder.root, path), join(target, path), path),
  );
  return (await Promise.all(copied)).filter((file) => file !== null);
}

async function copyRequired(source: string, target: string, path: string): Promise<CopiedFile> {
  const copied = await copyWithChecksum(source, join(target, path), path);
  if (copied === null) throw new Error(`${source} is missing.`);
  return copied;
}

async function clustersOf(folder: DataFolder): Promise<{ name: string; dataDir: string }[]> {
  const entries = await readdir(folder.engines, { withFileTypes: true }).catch(() => []);
  const clusters = [{ name: MAIN_CLUSTER, dataDir: folder.postgres }];
  for (const { name } of entries.filter((entry) => entry.isDirectory())) {
    const dataDir = join(folder.engines, name);
    // One that is just being made has nothing to keep yet.
    if (await holdsCluster(dataDir)) clusters.push({ name, dataDir });
  }
  return clusters;
}

function megabytes(files: readonly CopiedFile[]): number {
  return Math.ceil(files.reduce((sum, file) => sum + file.bytes, 0) / 1_000_000);
}
