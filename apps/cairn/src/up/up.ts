import { rm } from 'node:fs/promises';
import { acquireStartLock, describePortOwner, findFreePort, reservePort } from '@cairn/embedded';
import { unknownVariables } from '@cairn/service-kit';
import { type Credentials, openDataFolder, writePrivately } from '../data-folder.ts';
import { startEngines } from './engines.ts';
import { ensureCredentials } from './first-tenant.ts';
import { builtConsole, builtServices, type PlannedDocs, plannedDocs } from './built-parts.ts';
import { cacheFolder } from './cache-folder.ts';
import { type Environment, readServiceVariables } from './service-variables.ts';
import { startServices } from './services.ts';
import { UpError } from './up-error.ts';

interface UpOptions {
  dataDir: string;
  /** 0 takes a free one. */
  port: number;
  metricsPort: number | undefined;
  natsUrl: string | undefined;
  natsServerPath: string | undefined;
  cacheDir: string | undefined;
  walArchiveDir: string | undefined;
  /** Each service gets what it reads of it. */
  environment: Environment;
  log: (line: string) => void;
}

export interface Installation {
  credentials: Credentials;
  /** Where they are kept. */
  credentialsFile: string;
  /** Where it is kept what of the documentation can be asked. */
  documentationFile: string;
  /** True when this start made the tenant and its keys. */
  first: boolean;
  pids: () => Record<string, number | undefined>;
  /** Null where the environment names another documentation, or its sources are missing. */
  docs: PlannedDocs | null;
  /** Resolves when something that everything needs has ended and cannot be started again. */
  failed: Promise<Error>;
  stop(): Promise<void>;
}

const LOCK_WAIT_MS = 1_000;
const READY_TIMEOUT_MS = 30_000;
const READY_POLL_MS = 50;

/** Brings everything up on the embedded defaults: engines, services, first tenant. */
export async function bringUp(options: UpOptions): Promise<Installation> {
  const folder = await openDataFolder(options.dataDir);
  const lock = await acquireStartLock(folder.root, LOCK_WAIT_MS).catch((error: unknown) => {
    throw new UpError(
      `An installation on ${folder.root} is running already. Stop it, or set CAIRN_DATA_DIR to another folder.`,
      { cause: error },
    );
  });
  const undo: (() => Promise<void>)[] = [() => lock.release()];
  const stop = async () => {
    for (const step of undo.splice(0).toReversed())
      await step().catch((error: unknown) => options.log(`stopping: ${String(error)}`));
  };
  try {
    const port = options.port === 0 ? await findFreePort() : await takePort(options.port);
    const failed = Promise.withResolvers<Error>();
    const variables = await readServiceVariables();
    for (const name of unknownVariables(options.environment))
      options.log(`${name} is set, and no part of Cairn reads a variable of this name`);
    const cached = (name: string) => cacheFolder(options.cacheDir, folder.cache, name);
    // Beside the engines, which take longer; not when the environment names another one.
    const console =
      options.environment['CAIRN_CONSOLE_DIR'] === undefined
        ? cached('console').then((cache) => builtConsole(cache, options.log))
        : Promise.resolve(null);
    console.catch(() => undefined);
    const bundled = cached('services').then((cache) => builtServices(cache, options.log));
    bundled.catch(() => undefined);
    const docs =
      (options.environment['CAIRN_DOCS_DIR'] ?? '') === ''
        ? await plannedDocs(await cached('docs'), options.log)
        : null;
    const engines = await startEngines({ ...options, folder, onGiveUp: failed.resolve });
    undo.push(engines.stop);
    const services = await startServices({
      folder,
      engines,
      gatewayPort: port,
      metricsPort: options.metricsPort,
      baseUrl: `http://127.0.0.1:${port}`,
      bundled: await bundled,
      moduleCache: await cached('node-compile-cache'),
      consoleDir: await console,
      docsDir: docs?.folder ?? null,
      environment: options.environment,
      variables,
      onRestart: (name, reason) => options.log(`${name} ended (${reason}) and is started again`),
      log: options.log,
    });
    undo.push(services.stop);
    await waitUntilReady(services.addresses.gateway);
    await writePrivately(folder.addressesFile, JSON.stringify(services.addresses));
    undo.push(() => rm(folder.addressesFile, { force: true }));
    const { credentials, first } = await ensureCredentials(folder, services.addresses);
    return {
      credentials,
      credentialsFile: folder.credentialsFile,
      documentationFile: folder.documentationFile,
      first,
      pids: () => Object.fromEntries(services.processes.map((process) => [process.name, process.pid()])),
      docs,
      failed: failed.promise,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Keeps the port of the gateway, which starts last, from being found free for one of the others. */
async function takePort(port: number): Promise<number> {
  const owner = await describePortOwner(port);
  if (owner !== null)
    throw new UpError(`Port ${port} is in use by ${owner}. Stop it, or choose another port with CAIRN_PORT.`);
  reservePort(port);
  return port;
}

async function waitUntilReady(baseUrl: string): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  let last = '';
  while (Date.now() < deadline) {
    const answer = await fetch(`${baseUrl}/readyz`).catch(() => null);
    if (answer?.ok === true) return;
    last = answer === null ? 'no answer' : await answer.text();
    await new Promise((resolve) => setTimeout(resolve, READY_POLL_MS));
  }
  throw new UpError(`The gateway did not become ready: ${last}`);
}
