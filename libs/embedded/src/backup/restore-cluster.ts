import { randomBytes } from 'node:crypto';
import { chmod, chown, copyFile, mkdir, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pg from 'pg';
import type { ClusterBackup } from './back-up-cluster.ts';
import { type ClusterLocation, locateCluster, SYSTEM_DIR } from '../postgres/cluster-location.ts';
import { copyWithChecksum } from '../files/copied-file.ts';
import { makeFolder } from '../files/folders.ts';
import { readFileIfThere, writePrivateFile } from '../files/private-file.ts';
import { runningAsRoot } from '../process/server-account.ts';
import { startPostgres } from '../postgres/start-postgres.ts';

interface RestoreClusterOptions {
  backup: ClusterBackup;
  /** Folder that holds the backup's files. */
  source: string;
  /** The superuser's password at the time of the backup. */
  superuserPassword: string;
  /** Data folder of the new cluster; must not hold one. */
  dataDir: string;
  /** Folder of archived write-ahead log; needed for `toTime`. */
  walArchive?: string | undefined;
  /** Recovers up to this instant instead of the end of what there is. */
  toTime?: Date | undefined;
  /** Called with the superuser's URL when the cluster is recovered, before it is stopped. */
  whileRunning?: (superuserUrl: string) => Promise<void>;
  systemDir?: string;
  log?: (line: string) => void;
}

const RECOVERY_MAX_MS = 6 * 60 * 60 * 1000;
/** Paths go into a shell command of PostgreSQL's. */
const SAFE_PATH = /^[\w./ +@,=-]+$/;

/**
 * Restores a cluster from a backup: checks every file against its checksum, lets PostgreSQL recover, and leaves it
 * stopped on a timeline of its own. Throws, and leaves nothing that could be started, when anything is missing.
 */
export async function restoreCluster(options: RestoreClusterOptions): Promise<void> {
  const systemDir = options.systemDir ?? SYSTEM_DIR;
  await mkdir(options.dataDir, { recursive: true, mode: runningAsRoot() ? 0o755 : 0o700 });
  const dataDir = await realpath(options.dataDir);
  if (runningAsRoot()) await makeFolder(systemDir, 0o755);
  const location = await locateCluster(dataDir, systemDir);
  if ((await readFileIfThere(join(location.dataDirectory, 'PG_VERSION'))) !== null)
    throw new Error(`${dataDir} holds a cluster already; restore into a new folder.`);
  const parent = dirname(location.dataDirectory);
  const name = `restore-${randomBytes(6).toString('hex')}`;
  const draft = join(parent, `${name}.data`);
  const wal = join(parent, `${name}.wal`);
  if (!SAFE_PATH.test(wal)) throw new Error(`The path ${wal} contains characters that PostgreSQL's shell may misread.`);
  try {
    await copyVerified(options, draft);
    await copyWal(options, wal);
    await writeFile(join(draft, 'recovery.signal'), '', { mode: 0o600 });
    for (const folder of [draft, wal]) await handOver(folder, location);
    await writePrivateFile(join(dataDir, 'superuser-password'), `${options.superuserPassword}\n`);
    await rename(draft, location.dataDirectory);
    await recover(options, dataDir, wal).catch(async (error: unknown) => {
      // Started as it is, it would be taken for a whole one.
      await rm(location.dataDirectory, { recursive: true, force: true });
      throw error;
    });
  } finally {
    for (const folder of [draft, wal]) await rm(folder, { recursive: true, force: true });
  }
}

async function copyVerified({ backup, source }: RestoreClusterOptions, draft: string): Promise<void> {
  await mkdir(draft, { mode: 0o700 });
  for (const folder of backup.folders) await mkdir(join(draft, folder), { recursive: true, mode: 0o700 });
  for (const file of backup.files.filter(({ path }) => path.startsWith('data/')))
    await copyChecked(source, file, join(draft, file.path.slice('data/'.length)));
}

async function copyWal({ backup, source, walArchive }: RestoreClusterOptions, wal: string): Promise<void> {
  await mkdir(wal, { mode: 0o700 });
  if (walArchive !== undefined)
    for (const name of await readdir(walArchive))
      if (/^[0-9A-F]{8}/.test(name) && !name.endsWith('.part')) await copyFile(join(walArchive, name), join(wal, name));
  for (const file of backup.files.filter(({ path }) => path.startsWith('wal/')))
    await copyChecked(source, file, join(wal, file.path.slice('wal/'.length)));
}

async function copyChecked(source: string, file: ClusterBackup['files'][number], target: string): Promise<void> {
  const copied = await copyWithChecksum(join(source, file.path), target, file.path);
  if (copied === null) throw new Error(`The backup is incomplete: ${file.path} is missing.`);
  if (copied.sha256 !== file.sha256)
    throw new Error(`The backup is damaged: the checksum of ${file.path} is not the recorded one.`);
}

/** To the account that PostgreSQL runs as. */
async function handOver(folder: string, { account }: ClusterLocation): Promise<void> {
  await chmod(folder, 0o700);
  if (account === undefined) return;
  for (const name of await readdir(folder, { recursive: true }))
    await chown(join(folder, name), account.uid, account.gid);
  await chown(folder, account.uid, account.gid);
}

async function recover(options: RestoreClusterOptions, dataDir: string, wal: string): Promise<void> {
  const { toTime, log } = options;
  const server = await startPostgres({
    dataDir,
    startTimeoutMs: RECOVERY_MAX_MS,
    ...(log === undefined ? {} : { log }),
    ...(options.systemDir === undefined ? {} : { systemDir: options.systemDir }),
    settings: {
      restore_command: `cp "${wal}/%f" "%p"`,
      hot_standby: 'off',
      recovery_target_action: 'promote',
      ...(toTime === undefined
        ? {}
        : { recovery_target_time: toTime.toISOString().replace('T', ' ').replace('Z', '+00') }),
    },
  });
  try {
    const client = new pg.Client({ connectionString: server.superuserUrl });
    await client.connect();
    const { rows } = await client.query<{ recovering: boolean }>('SELECT pg_is_in_recovery() AS recovering');
    await client.end();
    if (rows[0]!.recovering) throw new Error('PostgreSQL did not leave recovery.');
    await options.whileRunning?.(server.superuserUrl);
  } finally {
    await server.stop();
  }
}
