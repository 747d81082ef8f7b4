import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { SYSTEM_DIR } from './cluster-location.ts';
import { postgresUrl } from './postgres-connection.ts';
import { findLivePostmaster } from './postmaster.ts';
import { readFileIfThere } from '../files/private-file.ts';
import { clusterOf } from './stop-postgres.ts';
import { superuserPassword } from './superuser-password.ts';

/** Whether there is a cluster to start on a data folder. Makes nothing. */
export async function holdsCluster(dataDir: string): Promise<boolean> {
  const folder = await realpath(dataDir).catch(() => null);
  const dataDirectory = folder === null ? null : await clusterOf(folder, SYSTEM_DIR);
  return dataDirectory !== null && (await readFileIfThere(join(dataDirectory, 'PG_VERSION'))) !== null;
}

/** URL of the superuser on the server that runs on a data folder; null when none does. Starts and makes nothing. */
export async function runningPostgresUrl(dataDir: string): Promise<string | null> {
  const folder = await realpath(dataDir).catch(() => null);
  if (folder === null) return null;
  const dataDirectory = await clusterOf(folder, SYSTEM_DIR);
  if (dataDirectory === null) return null;
  const live = await findLivePostmaster(dataDirectory);
  return live === null ? null : postgresUrl(live.port, await superuserPassword(folder, dataDirectory));
}
