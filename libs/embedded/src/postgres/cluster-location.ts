import { randomBytes } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EmbeddedStartError } from '../embedded-start-error.ts';
import { makeFolder } from '../files/folders.ts';
import { readFileIfThere, writePrivateFile } from '../files/private-file.ts';
import { canReach, postgresAccount, runningAsRoot, type ServerAccount } from '../process/server-account.ts';

/** Where root keeps what another account must reach, unless configured otherwise. */
export const SYSTEM_DIR = '/var/lib/cairn';

/** Where a cluster lies and who runs it. */
export interface ClusterLocation {
  dataDirectory: string;
  /** Undefined: as ourselves. */
  account: ServerAccount | undefined;
}

interface RecordedLocation {
  /** Random, so that a data folder that was deleted and made again never finds the old cluster. */
  id: string;
  place: 'inside' | 'outside';
}

/**
 * Decides once per data folder where its cluster lies and remembers it in `location.json`.
 *
 * It lies inside, unless we are root and the account that PostgreSQL runs as cannot get there (a checkout below a home
 * folder of mode 0700): then below `<systemDir>/clusters/<id>`, with `origin.json` pointing back.
 */
export async function locateCluster(dataDir: string, systemDir: string): Promise<ClusterLocation> {
  const location = await chooseLocation(dataDir, systemDir);
  // A running server is recognised by the folder it works in, which the kernel reports without symbolic links.
  const dataDirectory = await realpath(location.dataDirectory).catch(() => location.dataDirectory);
  return { ...location, dataDirectory };
}

async function chooseLocation(dataDir: string, systemDir: string): Promise<ClusterLocation> {
  const recorded = await recordedLocation(dataDir);
  if (!runningAsRoot()) {
    if (recorded?.place === 'outside') {
      throw unreachable(dataDir, 'its cluster was made by root and lies elsewhere');
    }
    if (recorded === null) await record(dataDir, newLocation('inside'));
    return { dataDirectory: join(dataDir, 'cluster'), account: undefined };
  }

  const inside = join(dataDir, 'cluster');
  const account = (await ownerOf(inside)) ?? (await postgresAccount());
  const reachable = await canReach(account, dataDir);
  if (recorded?.place === 'outside') return outside(dataDir, systemDir, recorded, account);
  if (reachable) {
    if (recorded === null) await record(dataDir, newLocation('inside'));
    return { dataDirectory: inside, account };
  }
  if ((await ownerOf(inside)) !== null) {
    throw unreachable(dataDir, `uid ${account.uid}, which owns the cluster in it, cannot get there any more`);
  }
  const location = newLocation('outside');
  await record(dataDir, location);
  return outside(dataDir, systemDir, location, account);
}

async function outside(
  dataDir: string,
  systemDir: string,
  location: RecordedLocation,
  fallback: ServerAccount,
): Promise<ClusterLocation> {
  const home = join(systemDir, 'clusters', location.id);
  // Passable for the account that runs the cluster, but not listable: the names stay secret.
  await makeFolder(home, 0o711);
  await claimOrigin(home, dataDir, location.id);
  const dataDirectory = join(home, 'data');
  return { dataDirectory, account: (await ownerOf(dataDirectory)) ?? fallback };
}

/** The folder outside that this data folder's cluster has to itself; null when it has none, or is a copy of its owner. */
export async function recordedClusterFolder(dataDir: string, systemDir: string): Promise<string | null> {
  const recorded = await recordedLocation(dataDir);
  if (recorded?.place !== 'outside') return null;
  const home = join(systemDir, 'clusters', recorded.id);
  return (await originOf(home)) === dataDir ? home : null;
}

async function originOf(home: string): Promise<string | null> {
  const text = await readFileIfThere(join(home, 'origin.json'));
  return text === null ? null : (JSON.parse(text) as { dataDir: string }).dataDir;
}

/** Two data folders must never share a cluster; one that moved takes its cluster along. */
async function claimOrigin(home: string, dataDir: string, id: string): Promise<void> {
  const origin = await originOf(home);
  if (origin === dataDir) return;
  if (origin !== null) {
    const other = await recordedLocation(origin).catch(() => null);
    if (other?.id === id && (await realpath(origin)) !== (await realpath(dataDir))) {
      throw new EmbeddedStartError(
        'data_directory_locked',
        `${dataDir} is a copy of ${origin}; its cluster ${home} belongs to the original.`,
        `Delete ${join(dataDir, 'location.json')} to give the copy an empty cluster of its own.`,
      );
    }
  }
  await writePrivateFile(join(home, 'origin.json'), `${JSON.stringify({ dataDir }, null, 2)}\n`);
}

async function recordedLocation(dataDir: string): Promise<RecordedLocation | null> {
  const text = await readFileIfThere(join(dataDir, 'location.json'));
  if (text === null) return null;
  const parsed = JSON.parse(text) as RecordedLocation;
  if (!/^[0-9a-f]{32}$/.test(parsed.id)) throw unreachable(dataDir, 'its location.json is damaged');
  return parsed;
}

async function record(dataDir: string, location: RecordedLocation): Promise<void> {
  await writePrivateFile(join(dataDir, 'location.json'), `${JSON.stringify(location, null, 2)}\n`);
}

function newLocation(place: RecordedLocation['place']): RecordedLocation {
  return { id: randomBytes(16).toString('hex'), place };
}

async function ownerOf(path: string): Promise<ServerAccount | null> {
  const found = await stat(path).catch(() => null);
  return found === null || found.uid === 0 ? null : { uid: found.uid, gid: found.gid };
}

function unreachable(dataDir: string, why: string): EmbeddedStartError {
  return new EmbeddedStartError(
    'start_failed',
    `PostgreSQL cannot use ${dataDir}: ${why}.`,
    `Start as the user who made ${dataDir}, make ${dirname(dataDir)} passable for others (chmod o+x), or choose another data folder.`,
  );
}
