import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { locateCluster, SYSTEM_DIR, type ClusterLocation } from './cluster-location.ts';
import { deadlineIn, type Deadline } from '../process/deadline.ts';
import { EmbeddedStartError } from '../embedded-start-error.ts';
import { makeFolder } from '../files/folders.ts';
import { initialiseCluster } from './initialise-cluster.ts';
import { choosePort, portInUse, storePort } from '../process/ports.ts';
import { prepareBinaries } from './postgres-binaries.ts';
import { postgresUrl, provePassword } from './postgres-connection.ts';
import { findPostgresPackage } from './postgres-package.ts';
import { postgresArguments } from './postgres-settings.ts';
import { findLivePostmaster, readPostmasterFile, waitForOrphans } from './postmaster.ts';
import { runningAsRoot } from '../process/server-account.ts';
import { lastLogLines } from '../process/server-log.ts';
import { adoptServer, launchServer, type ServerExit, type ServerProcess } from '../process/server-process.ts';
import { startFailure } from '../process/start-failure.ts';
import { acquireStartLock } from '../process/start-lock.ts';
import { END_STEPS, type StopMode } from './stop-postgres.ts';
import { superuserPassword } from './superuser-password.ts';

const START_TIMEOUT_MS = 60_000;
const READY_POLL_INTERVAL_MS = 10;
const RETRY_INTERVAL_MS = 200;

export interface StartPostgresOptions {
  /** Everything that must survive lies here or is found from here. */
  dataDir: string;
  /** Default: the port of the last start if it is free, else any free one. */
  port?: number;
  /** Server settings by name; the defaults favour durability. */
  settings?: Record<string, string>;
  log?: (line: string) => void;
  /** Bounds the wait for another start on this folder, and then this start, making the cluster included; default 60 s. */
  startTimeoutMs?: number;
  /** As root: where lies what another account must reach; default `/var/lib/cairn`. */
  systemDir?: string;
  /** The folder of the npm package with the binaries; default: the installed one for this platform. */
  packageDir?: string;
}

export interface EmbeddedPostgres {
  host: '127.0.0.1';
  port: number;
  superuserUrl: string;
  /** Where the cluster really lies: not in `dataDir` when root's PostgreSQL could not get there. */
  dataDirectory: string;
  pid: number;
  /** It already ran, left by an earlier process; its settings are those of its own start. */
  adopted: boolean;
  stop(mode?: StopMode): Promise<void>;
  /** Settles when the server has ended, for whatever reason; waiting for it alone does not keep this process alive. */
  exited: Promise<ServerExit>;
}

interface Start {
  options: StartPostgresOptions;
  dataDir: string;
  location: ClusterLocation;
  password: string;
  logPath: string;
  deadline: Deadline;
  log: (line: string) => void;
}

/**
 * Starts PostgreSQL on a data folder, or takes over the one that already runs there. The server outlives this process
 * unless `stop` is called, and neither it nor the returned object keeps this process alive.
 */
export async function startPostgres(options: StartPostgresOptions): Promise<EmbeddedPostgres> {
  const startTimeoutMs = options.startTimeoutMs ?? START_TIMEOUT_MS;
  const log = options.log ?? (() => {});
  try {
    await mkdir(options.dataDir, { recursive: true, mode: runningAsRoot() ? 0o755 : 0o700 });
    const dataDir = await realpath(options.dataDir);
    const lock = await acquireStartLock(dataDir, startTimeoutMs);
    try {
      return await startLocked(options, dataDir, deadlineIn(startTimeoutMs), log);
    } finally {
      await lock.release();
    }
  } catch (error) {
    throw startFailure('PostgreSQL', options.dataDir, error);
  }
}

async function startLocked(
  options: StartPostgresOptions,
  dataDir: string,
  deadline: Deadline,
  log: (line: string) => void,
): Promise<EmbeddedPostgres> {
  const systemDir = await usableSystemDir(options.systemDir ?? SYSTEM_DIR);
  const location = await locateCluster(dataDir, systemDir);
  const password = await superuserPassword(dataDir, location.dataDirectory);
  const start: Start = { options, dataDir, location, password, logPath: join(dataDir, 'postgres.log'), deadline, log };
  const alreadyRunning = await adopt(start);
  if (alreadyRunning !== null) return alreadyRunning;

  // Making a cluster takes a second: a port that cannot be had is refused before.
  if (options.port) await choosePort({ server: 'PostgreSQL', dataDir, wanted: options.port, log });
  const binaries = await prepareBinaries(await findPostgresPackage(options.packageDir), dataDir, systemDir);
  if ((await initialiseCluster(binaries, location, password, deadline)) === 'made') {
    log(`PostgreSQL: made a new cluster in ${location.dataDirectory}`);
  }
  for (;;) {
    await waitForOrphans(location.dataDirectory, deadline);
    const started = await launch(start, binaries);
    if (started !== null) return started;
    await sleep(RETRY_INTERVAL_MS);
    const running = await adopt(start);
    if (running !== null) return running;
  }
}

/** Only root needs it. Without symbolic links, because the account of the server may not be able to follow them. */
async function usableSystemDir(systemDir: string): Promise<string> {
  if (!runningAsRoot()) return systemDir;
  await makeFolder(systemDir, 0o755);
  return realpath(systemDir);
}

/** Takes over the live postmaster; null when there is none, or when it was about to end and has. */
async function adopt(start: Start): Promise<EmbeddedPostgres | null> {
  const { dataDirectory } = start.location;
  const live = await findLivePostmaster(dataDirectory);
  if (live === null) return null;
  const server = await adoptServer(live.pid, start.logPath);
  if (server === null) return null;
  const outcome = await waitUntilReady(server, dataDirectory, start.deadline);
  if (outcome === 'ended') return null;
  if (outcome === 'timeout') throw await startFailed(start, `the running server (pid ${live.pid}) is not ready`);
  const port = (await readPostmasterFile(dataDirectory))?.port ?? live.port;
  await provePassword(port, start.password, start.deadline);
  await storePort(start.dataDir, port);
  start.log(`PostgreSQL: took over the running server (pid ${live.pid}) on 127.0.0.1:${port}`);
  return handle(start, server, port, true);
}

/** Starts a new postmaster; null when another try may succeed: the port was taken meanwhile, or a backend lingers. */
async function launch(start: Start, binaries: string): Promise<EmbeddedPostgres | null> {
  const { location, deadline } = start;
  const wanted = start.options.port;
  const port = await choosePort({ server: 'PostgreSQL', dataDir: start.dataDir, wanted, log: start.log });
  const server = await launchServer({
    command: join(binaries, 'bin', 'postgres'),
    args: postgresArguments(location.dataDirectory, port, start.options.settings ?? {}),
    workingDirectory: '/',
    logPath: start.logPath,
    account: location.account,
    environment: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
  });
  const outcome = await waitUntilReady(server, location.dataDirectory, deadline);
  if (outcome === 'ready') {
    try {
      await provePassword(port, start.password, deadline);
    } catch (error) {
      await server.end(END_STEPS.fast);
      throw error;
    }
    await storePort(start.dataDir, port);
    start.log(`PostgreSQL: ready on 127.0.0.1:${port} (pid ${server.pid})`);
    return handle(start, server, port, false);
  }
  if (outcome === 'timeout') {
    await server.end(END_STEPS.immediate);
    throw await startFailed(start, 'it was not ready in time');
  }
  const { code, lastLines } = await server.exited;
  const text = lastLines.join('\n');
  if (text.includes('Address already in use') && wanted) throw await portInUse('PostgreSQL', port);
  const mayPass = /Address already in use|pre-existing shared memory|lock file "postmaster.pid"/.test(text);
  if (mayPass && !deadline.passed()) return null;
  throw await startFailed(start, `it ended with code ${code}`, lastLines);
}

async function waitUntilReady(
  server: ServerProcess,
  dataDirectory: string,
  deadline: Deadline,
): Promise<'ready' | 'ended' | 'timeout'> {
  while (!deadline.passed()) {
    if (!(await server.isRunning())) return 'ended';
    const file = await readPostmasterFile(dataDirectory);
    if (file?.pid === server.pid && file.status === 'ready') return 'ready';
    await sleep(READY_POLL_INTERVAL_MS);
  }
  return 'timeout';
}

function handle(start: Start, server: ServerProcess, port: number, adopted: boolean): EmbeddedPostgres {
  server.letGo();
  return {
    host: '127.0.0.1',
    port,
    superuserUrl: postgresUrl(port, start.password),
    dataDirectory: start.location.dataDirectory,
    pid: server.pid,
    adopted,
    stop: (mode = 'fast') => server.end(END_STEPS[mode]),
    exited: server.exited,
  };
}

async function startFailed(start: Start, why: string, lines?: string[]): Promise<EmbeddedStartError> {
  const tail = lines ?? (await lastLogLines(start.logPath));
  return new EmbeddedStartError(
    'start_failed',
    `PostgreSQL did not start on ${start.location.dataDirectory}: ${why}.\n${tail.join('\n')}`,
    `Read ${start.logPath}.`,
  );
}
