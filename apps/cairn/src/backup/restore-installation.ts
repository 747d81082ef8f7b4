import { cp, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { acquireStartLock, copyWithChecksum, restoreCluster } from '@cairn/embedded';
import { type FoundBackup, findBackup, MAIN_CLUSTER, type Manifest } from './backup-folder.ts';
import { passwordFileOf } from './back-up-installation.ts';
import { acceptLostDecisions } from '../restore/accept-lost.ts';
import { DATABASE } from '../up/engines.ts';

interface RestoreInstallation {
  /** A backup, or a folder of backups. */
  from: string;
  into: string;
  toTime: Date | undefined;
  walArchive: string | undefined;
  /** Data folder whose journal of revocations and deletions survived; undefined: the operator gives it up. */
  journalFrom: string | undefined;
  revokeAll: boolean;
}

const LOCK_WAIT_MS = 1_000;

/** Restores an embedded installation into a new folder and leaves it stopped. Throws and removes it when that fails. */
export async function restoreInstallation(options: RestoreInstallation, log: (line: string) => void): Promise<void> {
  const { into, toTime, walArchive } = options;
  if (toTime !== undefined && walArchive === undefined)
    throw new Error('--to-time needs --wal-archive: the folder that CAIRN_WAL_ARCHIVE_DIR named.');
  const names = await readdir(into).catch(() => []);
  if (names.length > 0) throw new Error(`${into} is not empty; restore into a new folder.`);
  const found = await findBackup(options.from, toTime);
  log(`Restoring ${found.folder}, completed at ${found.manifest.completed_at}.`);
  if (toTime !== undefined && found.manifest.clusters.length > 1)
    log('The servers of dedicated memories are restored to the backup itself: their log is not archived.');
  // Passable, because as root PostgreSQL runs as another account.
  await mkdir(into, { recursive: true });
  try {
    await restoreFiles(found, into);
    if (options.journalFrom !== undefined) await takeJournal(options.journalFrom, into);
    for (const cluster of found.manifest.clusters) await restoreOne(options, found, cluster, log);
  } catch (error) {
    await rm(into, { recursive: true, force: true });
    throw error;
  }
}

async function restoreOne(
  options: RestoreInstallation,
  { folder }: FoundBackup,
  cluster: Manifest['clusters'][number],
  log: (line: string) => void,
): Promise<void> {
  const { into, toTime, walArchive, journalFrom, revokeAll } = options;
  const isMain = cluster.name === MAIN_CLUSTER;
  const passwordFile = join(folder, 'installation', passwordFileOf(cluster.name));
  await restoreCluster({
    backup: cluster,
    source: join(folder, cluster.name),
    superuserPassword: (await readFile(passwordFile, 'utf8')).trim(),
    dataDir: isMain ? join(into, 'postgres') : join(into, 'engines', cluster.name),
    ...(isMain ? { toTime, walArchive } : {}),
    async whileRunning(superuserUrl) {
      if (!isMain || journalFrom !== undefined) return;
      const url = new URL(superuserUrl);
      url.pathname = `/${DATABASE}`;
      const revoked = await acceptLostDecisions(url.href, { revokeAll });
      if (revokeAll) log(`Revoked ${revoked} credentials.`);
    },
  });
  log(`${cluster.name}: recovered, every file matches its checksum.`);
}

async function restoreFiles({ folder, manifest }: FoundBackup, into: string): Promise<void> {
  for (const file of manifest.installation) {
    if (file.path.startsWith('superusers/')) continue;
    const copied = await copyWithChecksum(join(folder, 'installation', file.path), join(into, file.path), file.path);
    if (copied?.sha256 !== file.sha256)
      throw new Error(`The backup is damaged: the checksum of ${file.path} is not the recorded one.`);
  }
}

/**
 * Copies the streams of a broker that survived. Its consumers are left out: they start from the beginning, because what they had
 * handled after the restored instant is gone, and what they had handled before is known to the inboxes.
 */
async function takeJournal(from: string, into: string): Promise<void> {
  const streams = join(from, 'nats', 'jetstream');
  if ((await readdir(streams).catch(() => [])).length === 0)
    throw new Error(`${streams} holds no streams; with --accept-lost-revocations the restore does without them.`);
  const lock = await acquireStartLock(from, LOCK_WAIT_MS).catch((error: unknown) => {
    throw new Error(`The installation on ${from} is running; stop it first.`, { cause: error });
  });
  try {
    await cp(streams, join(into, 'nats', 'jetstream'), {
      recursive: true,
      filter: (source) => !/[\\/]streams[\\/][^\\/]+[\\/]obs([\\/]|$)/.test(source),
    });
  } finally {
    await lock.release();
  }
}
