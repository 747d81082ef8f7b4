import { realpath, rm } from 'node:fs/promises';
import { recordedClusterFolder, SYSTEM_DIR } from './cluster-location.ts';
import { EmbeddedStartError } from '../embedded-start-error.ts';
import { findLivePostmaster } from './postmaster.ts';
import { acquireStartLock } from '../process/start-lock.ts';
import { clusterOf } from './stop-postgres.ts';

const LOCK_WAIT_MS = 10_000;

interface DeletePostgresDataOptions {
  dataDir: string;
  /** The one that the server was started with. */
  systemDir?: string;
}

/**
 * Deletes a data folder together with its cluster, which for root may lie elsewhere and would stay behind if only the
 * folder were removed. Refuses while a server runs on it; does nothing when there is no such folder.
 */
export async function deletePostgresData(options: DeletePostgresDataOptions): Promise<void> {
  const dataDir = await realpath(options.dataDir).catch(() => null);
  if (dataDir === null) return;
  const lock = await acquireStartLock(dataDir, LOCK_WAIT_MS);
  try {
    const home = await recordedClusterFolder(dataDir, options.systemDir ?? SYSTEM_DIR);
    const dataDirectory = await clusterOf(dataDir, options.systemDir ?? SYSTEM_DIR);
    const live = dataDirectory === null ? null : await findLivePostmaster(dataDirectory);
    if (live !== null) {
      throw new EmbeddedStartError(
        'data_directory_locked',
        `${dataDir} is in use by a running server (pid ${live.pid}).`,
        'Stop that server first.',
      );
    }
    if (home !== null) await rm(home, { recursive: true, force: true });
    await rm(dataDir, { recursive: true, force: true });
  } finally {
    await lock.release();
  }
}
