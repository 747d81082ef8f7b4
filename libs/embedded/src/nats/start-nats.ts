import { mkdir, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { natsTooOld } from '@cairn/contracts/nats-version';
import { deadlineIn, type Deadline } from '../process/deadline.ts';
import { EmbeddedStartError } from '../embedded-start-error.ts';
import { findNatsServer } from './nats-binary.ts';
import {
  natsConfig,
  natsCredentials,
  natsFiles,
  type NatsCredentials,
  type NatsFiles,
  type NatsUser,
} from './nats-config.ts';
import { askNatsInfo, type NatsInfo } from './nats-info.ts';
import { choosePort, portInUse, storePort } from '../process/ports.ts';
import { readFileIfThere, writePrivateFile } from '../files/private-file.ts';
import { commandLine, processesWorkingIn } from '../process/process-identity.ts';
import {
  adoptServer,
  launchServer,
  type EndStep,
  type ServerExit,
  type ServerProcess,
} from '../process/server-process.ts';
import { lastLogLines } from '../process/server-log.ts';
import { startFailure } from '../process/start-failure.ts';
import { acquireStartLock } from '../process/start-lock.ts';

const START_TIMEOUT_MS = 30_000;
const READY_POLL_INTERVAL_MS = 10;
const RETRY_INTERVAL_MS = 100;
const END_STEPS: readonly EndStep[] = [
  { signal: 'SIGTERM', waitMs: 15_000 },
  { signal: 'SIGKILL', waitMs: 2_000 },
];

export interface StartNatsOptions {
  /** Streams, configuration, credentials and log lie here. */
  dataDir: string;
  /** Default: the port of the last start if it is free, else any free one. */
  port?: number;
  /** Where a fetched nats-server is kept; default: `cache` beside `dataDir`. */
  cacheDir?: string;
  /** Use this program and no other. */
  natsServerPath?: string;
  /** Who else may connect, and to do what. Default: nobody, and a running server keeps the users that it has. */
  users?: readonly NatsUser[];
  log?: (line: string) => void;
  /** Bounds the start of the server; fetching it for the first time has bounds of its own. Default 30 s. */
  startTimeoutMs?: number;
}

export interface EmbeddedNats {
  /** Of the user who may do everything, with the password in it, for clients that read it there. */
  url: string;
  /** The same of one of the restricted users. */
  urlOf(user: string): string;
  user: string;
  password: string;
  port: number;
  pid: number;
  version: string;
  /** It already ran, left by an earlier process. */
  adopted: boolean;
  stop(): Promise<void>;
  /** Settles when the server has ended, for whatever reason; waiting for it alone does not keep this process alive. */
  exited: Promise<ServerExit>;
}

interface Start {
  options: StartNatsOptions;
  dataDir: string;
  files: NatsFiles;
  credentials: NatsCredentials;
  deadline: Deadline;
  log: (line: string) => void;
}

/**
 * Starts nats-server with JetStream on a data folder, or takes over the one that already runs there. It outlives this
 * process unless `stop` is called, and neither it nor the returned object keeps this process alive.
 */
export async function startNats(options: StartNatsOptions): Promise<EmbeddedNats> {
  const startTimeoutMs = options.startTimeoutMs ?? START_TIMEOUT_MS;
  try {
    await mkdir(options.dataDir, { recursive: true, mode: 0o700 });
    const dataDir = await realpath(options.dataDir);
    const log = options.log ?? (() => {});
    const cacheDir = options.cacheDir ?? join(dataDir, '..', 'cache');
    const lock = await acquireStartLock(dataDir, startTimeoutMs);
    try {
      const credentials = await natsCredentials(dataDir, options.users ?? []);
      const files = natsFiles(dataDir);
      const start = { options, dataDir, files, credentials, deadline: deadlineIn(startTimeoutMs), log };
      const running = await adopt(start);
      if (running !== null && 'adopted' in running) return running;
      // Before an old server ends: where no other can be had, it keeps serving its clients.
      const binary = await findNatsServer({ natsServerPath: options.natsServerPath, cacheDir, dataDir, log });
      await running?.end();
      return await launch({ ...start, deadline: deadlineIn(startTimeoutMs) }, binary.path);
    } finally {
      await lock.release();
    }
  } catch (error) {
    throw startFailure('nats-server', options.dataDir, error);
  }
}

/** `url` of the server that runs on a data folder; null when none does. Starts nothing. */
export async function runningNatsUrl(folder: string): Promise<string | null> {
  const dataDir = await realpath(folder).catch(() => null);
  if (dataDir === null) return null;
  const files = natsFiles(dataDir);
  if ((await findLiveServer({ dataDir, files })) === null) return null;
  return adminUrl(await natsCredentials(dataDir, []), await configuredPort(files));
}

function adminUrl({ user, password }: NatsCredentials, port: number): string {
  return `nats://${user}:${password}@127.0.0.1:${port}`;
}

/** A live server of a version that cannot be used. */
interface OldServer {
  end(): Promise<void>;
}

/** Takes over the live server, unless it is too old; null when there is none. */
async function adopt(start: Start): Promise<EmbeddedNats | OldServer | null> {
  const pid = await findLiveServer(start);
  if (pid === null) {
    await rm(start.files.pid, { force: true });
    return null;
  }
  const server = await adoptServer(pid, start.files.log);
  if (server === null) return null;
  const port = await configuredPort(start.files);
  const info = await waitUntilReady(start, server, port);
  if (info === 'ended') return null;
  if (info === 'timeout') throw await startFailed(start, `the server that already runs (pid ${pid}) does not answer`);
  const problem = natsTooOld(info.version);
  if (problem !== null) {
    return {
      end() {
        start.log(`NATS: ending the running server (pid ${pid}): ${problem}`);
        return server.end(END_STEPS);
      },
    };
  }
  await updateUsers(start, server.pid, port);
  start.log(`NATS: took over the running server (pid ${pid}) on 127.0.0.1:${port}`);
  return handle(start, server, port, info, true);
}

/** A server that an earlier version started does not know the users; it takes over a changed file without a restart. */
async function updateUsers({ options, files, credentials }: Start, pid: number, port: number): Promise<void> {
  if (options.users === undefined) return;
  const wanted = natsConfig(files, port, credentials, options.users);
  if ((await readFileIfThere(files.config)) === wanted) return;
  await writePrivateFile(files.config, wanted);
  process.kill(pid, 'SIGHUP');
}

/** The pid file says so; a server whose starter was killed before it wrote that file is known by its working folder. */
async function findLiveServer({ dataDir, files }: Pick<Start, 'dataDir' | 'files'>): Promise<number | null> {
  const written = Number(await readFileIfThere(files.pid));
  for (const pid of [written, ...processesWorkingIn(dataDir)]) {
    // The configuration file lies in the data folder, so its path identifies whose server it is.
    if ((await commandLine(pid)).endsWith(` -c ${files.config}`)) return pid;
  }
  return null;
}

async function configuredPort(files: NatsFiles): Promise<number> {
  const config = (await readFileIfThere(files.config)) ?? '';
  return Number(/^listen: "127\.0\.0\.1:(\d+)"$/m.exec(config)?.[1]);
}

async function launch(start: Start, command: string): Promise<EmbeddedNats> {
  const { files, credentials, deadline } = start;
  const wanted = start.options.port;
  for (;;) {
    const port = await choosePort({ server: 'NATS', dataDir: start.dataDir, wanted, log: start.log });
    await writePrivateFile(files.config, natsConfig(files, port, credentials, start.options.users ?? []));
    const server = await launchServer({
      command,
      args: ['-c', files.config],
      workingDirectory: start.dataDir,
      logPath: files.log,
      environment: {},
    });
    const info = await waitUntilReady(start, server, port);
    if (info === 'timeout') {
      await server.end(END_STEPS);
      throw await startFailed(start, 'it was not ready in time');
    }
    if (info !== 'ended') {
      await storePort(start.dataDir, port);
      start.log(`NATS: nats-server ${info.version} ready on 127.0.0.1:${port} (pid ${server.pid})`);
      return handle(start, server, port, info, false);
    }
    const { code, lastLines } = await server.exited;
    const portTaken = lastLines.join('\n').includes('address already in use');
    if (portTaken && wanted) throw await portInUse('NATS', port);
    if (!portTaken || deadline.passed()) throw await startFailed(start, `it ended with code ${code}`, lastLines);
    await sleep(RETRY_INTERVAL_MS);
  }
}

/** Ready means: this very server greets on the port and has JetStream. */
async function waitUntilReady(
  start: Start,
  server: ServerProcess,
  port: number,
): Promise<NatsInfo | 'ended' | 'timeout'> {
  while (!start.deadline.passed()) {
    if (!(await server.isRunning())) return 'ended';
    const info = await askNatsInfo(port);
    if (info?.server_name === start.credentials.serverName && info.jetstream === true) return info;
    await sleep(READY_POLL_INTERVAL_MS);
  }
  return 'timeout';
}

function handle(start: Start, server: ServerProcess, port: number, info: NatsInfo, adopted: boolean): EmbeddedNats {
  const { user, password, users } = start.credentials;
  server.letGo();
  return {
    url: adminUrl(start.credentials, port),
    urlOf(name) {
      if (users[name] === undefined) throw new Error(`NATS has no user ${name}`);
      return `nats://${name}:${users[name]}@127.0.0.1:${port}`;
    },
    user,
    password,
    port,
    pid: server.pid,
    version: info.version,
    adopted,
    stop: () => server.end(END_STEPS),
    exited: server.exited,
  };
}

async function startFailed(start: Start, why: string, lines?: string[]): Promise<EmbeddedStartError> {
  const tail = lines ?? (await lastLogLines(start.files.log));
  return new EmbeddedStartError(
    'start_failed',
    `nats-server did not start on ${start.dataDir}: ${why}.\n${tail.join('\n')}`,
    `Read ${start.files.log}.`,
  );
}
