import { join } from 'node:path';
import { findFreePort } from '@cairn/embedded';
import type { DataFolder, Signer } from './data-folder.ts';
import type { DatabaseService, Engines } from './engines.ts';
import { runServiceProcess, serviceEntry, type ServiceProcess } from './service-process.ts';

export interface Addresses {
  gateway: string;
  keysGrpc: string;
  tenancyGrpc: string;
}

export interface RunningServices {
  addresses: Addresses;
  processes: readonly ServiceProcess[];
  stop(): Promise<void>;
}

export interface ServicesOptions {
  folder: DataFolder;
  engines: Engines;
  gatewayPort: number;
  baseUrl: string;
  /** Variables that are passed on as they are, e.g. NODE_ENV or a log level. */
  passedEnv: Record<string, string>;
  onRestart: (name: string, reason: string) => void;
}

const MEMORY_DOMAIN = 'localhost';

/** Starts every service as a process of its own on loopback, and waits until all are ready. */
export async function startServices(options: ServicesOptions): Promise<RunningServices> {
  const free = async () => `127.0.0.1:${await findFreePort()}`;
  const [keysHttp, keysGrpc, tenancyHttp, tenancyGrpc] = await Promise.all([free(), free(), free(), free()]);
  const [memoryHttp, memoryGrpc, researchHttp, researchGrpc] = await Promise.all([free(), free(), free(), free()]);
  const own = (name: DatabaseService, http: string, grpc: string, more: Record<string, string> = {}) => ({
    name,
    env: {
      ...commonEnv(options, name),
      ...databaseEnv(options.engines, name),
      NATS_URL: options.engines.natsUrl,
      CAIRN_HTTP_LISTEN: http,
      CAIRN_GRPC_LISTEN: grpc,
      ...more,
    },
  });
  const wanted = [
    own('tenancy', tenancyHttp, tenancyGrpc, {
      CAIRN_KEYS_GRPC: keysGrpc,
      CAIRN_MEMORY_GRPC: memoryGrpc,
      CAIRN_BASE_URL: options.baseUrl,
      CAIRN_KEY_ENCRYPTION_KEYS_FILE: options.folder.keyEncryptionKeysFile,
      CAIRN_ENGINES_DIR: options.folder.engines,
    }),
    own('keys', keysHttp, keysGrpc, { CAIRN_TENANCY_GRPC: tenancyGrpc, CAIRN_BASE_URL: options.baseUrl }),
    own('memory', memoryHttp, memoryGrpc, {
      CAIRN_TENANCY_GRPC: tenancyGrpc,
      CAIRN_INGEST_KEYS_FILE: options.folder.ingestKeysFile,
    }),
    own('research', researchHttp, researchGrpc, {
      CAIRN_TENANCY_GRPC: tenancyGrpc,
      CAIRN_MEMORY_GRPC: memoryGrpc,
      CAIRN_BASE_URL: options.baseUrl,
    }),
    {
      name: 'gateway' as const,
      env: {
        ...commonEnv(options, 'gateway'),
        CAIRN_HTTP_LISTEN: `127.0.0.1:${options.gatewayPort}`,
        CAIRN_BASE_URL: options.baseUrl,
        CAIRN_MEMORY_DOMAIN: MEMORY_DOMAIN,
        CAIRN_KEYS_GRPC: keysGrpc,
        CAIRN_TENANCY_GRPC: tenancyGrpc,
        CAIRN_KEYS_HTTP: `http://${keysHttp}`,
        CAIRN_TENANCY_HTTP: `http://${tenancyHttp}`,
        CAIRN_MEMORY_HTTP: `http://${memoryHttp}`,
        CAIRN_RESEARCH_HTTP: `http://${researchHttp}`,
        CAIRN_STATE_DIR: options.folder.gatewayState,
      },
    },
  ];
  const processes = await Promise.all(
    wanted.map(({ name, env }) =>
      runServiceProcess({
        name,
        entry: serviceEntry(name),
        env,
        logFile: join(options.folder.logs, `${name}.log`),
        onRestart: options.onRestart,
      }),
    ),
  );
  const stop = () => stopAll(processes);
  try {
    await Promise.all(processes.map((process) => process.ready));
  } catch (error) {
    await stop();
    throw error;
  }
  return { addresses: { gateway: options.baseUrl, keysGrpc, tenancyGrpc }, processes, stop };
}

/** The gateway, which is the last, first, so that nothing new comes in while the rest ends. */
async function stopAll(processes: readonly ServiceProcess[]): Promise<void> {
  await processes.at(-1)?.stop();
  await Promise.all(processes.slice(0, -1).map((process) => process.stop()));
}

function commonEnv(options: ServicesOptions, signer: Signer): Record<string, string> {
  return {
    ...options.passedEnv,
    CAIRN_SIGNING_KEY_FILE: options.folder.signingKeyFile(signer),
    CAIRN_JWKS_FILE: options.folder.jwksFile,
    // Compiled sources are kept between starts.
    NODE_COMPILE_CACHE: join(options.folder.cache, 'node-compile-cache'),
  };
}

function databaseEnv(engines: Engines, service: DatabaseService): Record<string, string> {
  const roles = engines.roles[service];
  return { DATABASE_URL: roles.url, DATABASE_WORKER_URL: roles.workerUrl, DATABASE_OWNER_URL: roles.ownerUrl };
}
