import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { recordedClusterFolder, SYSTEM_DIR } from './cluster-location.ts';
import { findLivePostmaster } from './postmaster.ts';
import { adoptServer, type EndStep } from '../process/server-process.ts';
import { acquireStartLock } from '../process/start-lock.ts';

/** `fast` rolls back what is open and writes a checkpoint; `immediate` ends at once and recovers at the next start. */
export type StopMode = 'fast' | 'immediate';

export const END_STEPS: Record<StopMode, readonly EndStep[]> = {
  fast: [
    { signal: 'SIGINT', waitMs: 30_000 },
    { signal: 'SIGQUIT', waitMs: 6_000 },
    { signal: 'SIGKILL', waitMs: 2_000 },
  ],
  immediate: [
    { signal: 'SIGQUIT', waitMs: 6_000 },
    { signal: 'SIGKILL', waitMs: 2_000 },
  ],
};

const LOCK_WAIT_MS = 60_000;

interface StopPostgresOptions {
  dataDir: string;
  mode?: StopMode;
  /** The one that the server was started with. */
  systemDir?: string;
}

/**
 * Ends the server that runs on a data folder, whoever started it; a start under way is waited for. Does nothing when
 * none runs or there is no such folder.
 */
export async function stopPostgres(options: StopPostgresOptions): Promise<void> {
  const dataDir = await realpath(options.dataDir).catch(() => null);
  if (dataDir === null) return;
  const lock = await acquireStartLock(dataDir, LOCK_WAIT_MS);
  try {
    const dataDirectory = await clusterOf(dataDir, options.systemDir ?? SYSTEM_DIR);
    const live = dataDirectory === null ? null : await findLivePostmaster(dataDirectory);
    if (live === null) return;
    const server = await adoptServer(live.pid, join(dataDir, 'postgres.log'));
    await server?.end(END_STEPS[options.mode ?? 'fast']);
  } finally {
    await lock.release();
  }
}

/** Where the cluster of a data folder really lies; null when it has none. */
export async function clusterOf(dataDir: string, systemDir: string): Promise<string | null> {
  const home = await recordedClusterFolder(dataDir, systemDir);
  return realpath(home === null ? join(dataDir, 'cluster') : join(home, 'data')).catch(() => null);
}
