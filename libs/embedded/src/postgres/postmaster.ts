import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { deadlineIn, pollUntil, type Deadline } from '../process/deadline.ts';
import { EmbeddedStartError } from '../embedded-start-error.ts';
import { readFileIfThere } from '../files/private-file.ts';
import {
  commandLine,
  processesWorkingIn,
  processIdentity,
  processWorkingDirectory,
  signalProcess,
} from '../process/process-identity.ts';

const ORPHAN_POLL_INTERVAL_MS = 50;
/** Orphaned backends notice on their own when they next wait; one in a long computation does not, and is signalled. */
const ORPHAN_GRACE_MS = 2_000;
const ORPHAN_SETTLE_MS = 50;

/** Its backends call themselves `postgres: …` instead. */
const POSTMASTER_COMMAND = /(^|\/)postgres( |$)/;

/** What `postmaster.pid` says. */
interface PostmasterFile {
  pid: number;
  port: number;
  /** `starting`, `ready`, `standby` or `stopping`; empty until the server wrote it. */
  status: string;
}

/** Lines: pid, data directory, start time, port, socket folder, listen address, shared memory key, status. */
export async function readPostmasterFile(dataDirectory: string): Promise<PostmasterFile | null> {
  const text = await readFileIfThere(join(dataDirectory, 'postmaster.pid'));
  if (text === null) return null;
  const lines = text.split('\n');
  return { pid: Number(lines[0]), port: Number(lines[3]), status: (lines[7] ?? '').trim() };
}

/**
 * The postmaster that runs on this very data directory, if any. A pid file whose process is a stranger with a reused pid
 * is removed, because PostgreSQL would refuse to start; one whose process is gone stays, as PostgreSQL reads more in it.
 */
export async function findLivePostmaster(dataDirectory: string): Promise<PostmasterFile | null> {
  const file = await readPostmasterFile(dataDirectory);
  if (file === null || (await processIdentity(file.pid)) === null) return null;
  if (await isPostmasterOf(file.pid, dataDirectory)) return file;
  await rm(join(dataDirectory, 'postmaster.pid'), { force: true });
  return null;
}

async function isPostmasterOf(pid: number, dataDirectory: string): Promise<boolean> {
  const command = await commandLine(pid);
  if (!POSTMASTER_COMMAND.test(command)) return false;
  const folder = await processWorkingDirectory(pid);
  return folder === null ? command.includes(`-D ${dataDirectory}`) : folder === dataDirectory;
}

/**
 * Waits until the backends of a postmaster that was killed have let go of its shared memory. PostgreSQL refuses to
 * start before that, because two servers would write the same files.
 */
export async function waitForOrphans(dataDirectory: string, deadline: Deadline): Promise<void> {
  let orphans = await orphansOf(dataDirectory);
  if (orphans.length === 0) return;
  const gone = async () => {
    orphans = await orphansOf(dataDirectory);
    return orphans.length === 0;
  };
  const grace = deadlineIn(Math.min(ORPHAN_GRACE_MS, deadline.remainingMs()));
  if (!(await pollUntil(gone, grace, ORPHAN_POLL_INTERVAL_MS))) {
    for (const pid of orphans) {
      const identity = await processIdentity(pid);
      if (identity !== null) await signalProcess(pid, identity, 'SIGQUIT');
    }
    if (!(await pollUntil(gone, deadline, ORPHAN_POLL_INTERVAL_MS))) {
      throw new EmbeddedStartError(
        'data_directory_locked',
        `${dataDirectory} is still used by processes of a killed server (pid ${orphans.join(', ')}).`,
        'End these processes, then start again.',
      );
    }
  }
  await sleep(ORPHAN_SETTLE_MS);
}

async function orphansOf(dataDirectory: string): Promise<number[]> {
  const orphans: number[] = [];
  for (const pid of processesWorkingIn(dataDirectory)) {
    const command = await commandLine(pid);
    if (command.startsWith('postgres:') || POSTMASTER_COMMAND.test(command)) orphans.push(pid);
  }
  return orphans;
}
