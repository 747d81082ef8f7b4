import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { type CopiedFile, copyWithChecksum } from '../files/copied-file.ts';
import { holdsCluster } from '../postgres/inspect-postgres.ts';
import { type EmbeddedPostgres, startPostgres } from '../postgres/start-postgres.ts';

/** What a restore needs to know of a cluster's backup; all files lie in the folder `target`. */
export interface ClusterBackup {
  /** Files below `data/` and `wal/`. */
  files: CopiedFile[];
  /** Folders below `data/`, those that are empty included. */
  folders: string[];
  /** The restored state is never older than this instant. */
  stoppedAt: string;
}

interface BackUpClusterOptions {
  dataDir: string;
  target: string;
  log?: (line: string) => void;
}

/** Of these the folder is kept and the content is not: it belongs to the running server (as pg_basebackup does it). */
const EMPTY_FOLDERS = /^(?:pg_(?:wal|replslot|dynshmem|notify|serial|snapshots|stat_tmp|subtrans))$/;
const SKIPPED_FILES = /^(?:postmaster\.(?:pid|opts)|backup_label(?:\.old)?|tablespace_map(?:\.old)?|.*\.part)$/;
const SKIPPED_NAMES = /^pgsql_tmp|^pg_internal\.init/;
const WAL_FILE = /^[0-9A-F]{24}$|^[0-9A-F]{8}\.history$/;

/**
 * Makes a consistent physical copy of a cluster while it may be in use, with PostgreSQL's low-level interface
 * (pg_backup_start and pg_backup_stop) and the write-ahead log of that time. Starts the server for as long as it takes
 * if it does not run. Throws when there is no cluster.
 */
export async function backUpCluster(options: BackUpClusterOptions): Promise<ClusterBackup> {
  const { dataDir, log } = options;
  // The start would make an empty one, and the backup would look like one of the installation.
  if (!(await holdsCluster(dataDir))) throw new Error(`${dataDir} holds no cluster: there is nothing to back up.`);
  const server = await startPostgres({ dataDir, ...(log === undefined ? {} : { log }) });
  try {
    return await copyRunning(server, options.target);
  } finally {
    if (!server.adopted) await server.stop();
  }
}

async function copyRunning({ superuserUrl, dataDirectory }: EmbeddedPostgres, target: string): Promise<ClusterBackup> {
  const client = new pg.Client({ connectionString: superuserUrl, application_name: 'cairn:backup' });
  let lost: Error | undefined;
  client.on('error', (error) => {
    lost = error;
  });
  await client.connect();
  try {
    // Keeps the log from the backup's checkpoint on; gone with the session, whatever happens.
    await client.query("SELECT pg_create_physical_replication_slot('cairn_backup_' || pg_backend_pid(), true, true)");
    const started = await client.query<{ wal: string }>(
      "SELECT pg_walfile_name(pg_backup_start('cairn backup', fast => true)) AS wal",
    );
    const { files, folders } = await copyData(dataDirectory, join(target, 'data'));
    const stopped = await client.query<{ wal: string; label: string; at: Date }>(
      'SELECT pg_walfile_name(lsn) AS wal, labelfile AS label, clock_timestamp() AS at FROM pg_backup_stop(wait_for_archive => false)',
    );
    const { wal: lastWal, label, at } = stopped.rows[0]!;
    await writeFile(join(target, 'data', 'backup_label'), label, { mode: 0o600 });
    await client.query('SELECT pg_switch_wal()');
    const wal = await copyWal(dataDirectory, join(target, 'wal'), started.rows[0]!.wal, lastWal);
    if (lost !== undefined) throw lost;
    const copiedLabel = await copyWithChecksum(
      join(target, 'data', 'backup_label'),
      join(target, 'label.tmp'),
      'data/backup_label',
    );
    await rm(join(target, 'label.tmp'));
    return { files: [...files, ...wal, copiedLabel!], folders, stoppedAt: at.toISOString() };
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function copyData(source: string, target: string): Promise<{ files: CopiedFile[]; folders: string[] }> {
  const files: CopiedFile[] = [];
  const folders: string[] = [];
  const visit = async (folder: string): Promise<void> => {
    const entries = await readdir(join(source, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (SKIPPED_NAMES.test(entry.name)) continue;
      if (entry.isDirectory()) {
        folders.push(path);
        if (!EMPTY_FOLDERS.test(path)) await visit(path);
      } else if (!SKIPPED_FILES.test(path)) {
        const copied = await copyWithChecksum(join(source, path), join(target, path), `data/${path}`);
        if (copied !== null) files.push(copied);
      }
    }
  };
  await visit('');
  // The content is left out; the folders must be there.
  folders.push('pg_wal/archive_status', 'pg_wal/summaries');
  return { files, folders };
}

async function copyWal(source: string, target: string, first: string, last: string): Promise<CopiedFile[]> {
  const names = (await readdir(join(source, 'pg_wal'))).filter(
    (name) => WAL_FILE.test(name) && (name.endsWith('.history') || (name >= first && name <= last)),
  );
  if (!names.includes(first) || !names.includes(last))
    throw new Error(`the write-ahead log ${first} … ${last} of the backup is incomplete`);
  const files: CopiedFile[] = [];
  for (const name of names) {
    const copied = await copyWithChecksum(join(source, 'pg_wal', name), join(target, name), `wal/${name}`);
    if (copied === null) throw new Error(`the write-ahead log file ${name} is gone`);
    files.push(copied);
  }
  return files;
}
