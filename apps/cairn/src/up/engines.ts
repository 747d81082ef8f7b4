import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { EventService } from '@cairn/contracts';
import {
  type EmbeddedNats,
  type EmbeddedPostgres,
  startArchivedPostgres,
  startNats,
  startPostgres,
  stopPostgres,
} from '@cairn/embedded';
import { brokerPermissions } from '@cairn/events';
import { provisionService, type ServiceRoles } from '@cairn/postgres';
import { prepareBroker } from '../broker-commands.ts';
import type { DataFolder } from '../data-folder.ts';
import { databasePasswords } from './database-passwords.ts';
import { superviseServer } from './supervise-server.ts';

export const DATABASE_SERVICES = ['keys', 'tenancy', 'memory', 'research', 'webhooks', 'usage'] as const;
export type DatabaseService = (typeof DATABASE_SERVICES)[number];

export interface Engines {
  /** How one service reaches the broker, as a user of its own. */
  natsUrlOf(service: EventService): string;
  roles: Record<DatabaseService, ServiceRoles>;
  stop(): Promise<void>;
}

interface EngineOptions {
  folder: DataFolder;
  /** A broker that runs already; none is started then. */
  natsUrl: string | undefined;
  natsServerPath: string | undefined;
  cacheDir: string | undefined;
  /** Where finished files of the write-ahead log are copied to. */
  walArchiveDir: string | undefined;
  log: (line: string) => void;
  /** A server ended and cannot be started again. */
  onGiveUp: (error: Error) => void;
}

export const DATABASE = 'cairn';

/** Starts PostgreSQL and NATS side by side, keeps them running, and prepares each service's schema, roles and user. */
export async function startEngines(options: EngineOptions): Promise<Engines> {
  const { folder } = options;
  const settled = await Promise.allSettled([startDatabase(options), startBroker(options)] as const);
  const [postgres, nats] = settled;
  const stop = async () => {
    await stopDedicated(folder);
    if (nats.status === 'fulfilled') await nats.value?.stop();
    if (postgres.status === 'fulfilled') await postgres.value.stop();
  };
  try {
    const failed = settled.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    const { superuserUrl } = (postgres as PromiseFulfilledResult<Supervised<EmbeddedPostgres>>).value.server;
    const broker = (nats as PromiseFulfilledResult<Supervised<EmbeddedNats> | null>).value?.server ?? null;
    const [roles] = await Promise.all([
      provisionAll(superuserUrl, folder),
      broker === null ? null : prepareBroker(broker.url),
    ]);
    return { natsUrlOf: (service) => options.natsUrl ?? broker!.urlOf(service), roles, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Supervised<Server> {
  /** As it was first started; port and credentials stay the same. */
  server: Server;
  stop(): Promise<void>;
}

async function startDatabase(options: EngineOptions): Promise<Supervised<EmbeddedPostgres>> {
  const { folder, log, onGiveUp, walArchiveDir } = options;
  const start = (port?: number) => {
    const wanted = { dataDir: folder.postgres, log, ...(port === undefined ? {} : { port }) };
    return walArchiveDir === undefined ? startPostgres(wanted) : startArchivedPostgres(wanted, walArchiveDir);
  };
  const server = await start();
  const restart = () => start(server.port);
  return { server, ...superviseServer({ name: 'PostgreSQL', server, restart, log, onGiveUp }) };
}

async function startBroker(options: EngineOptions): Promise<Supervised<EmbeddedNats> | null> {
  if (options.natsUrl !== undefined) return null;
  const { folder, log, onGiveUp, natsServerPath } = options;
  const users = Object.entries(brokerPermissions()).map(([name, permissions]) => ({ name, ...permissions }));
  const start = (port?: number) =>
    startNats({
      dataDir: folder.nats,
      cacheDir: options.cacheDir ?? folder.cache,
      users,
      log,
      ...(natsServerPath === undefined ? {} : { natsServerPath }),
      ...(port === undefined ? {} : { port }),
    });
  const server = await start();
  const restart = () => start(server.port);
  return { server, ...superviseServer({ name: 'NATS', server, restart, log, onGiveUp }) };
}

/** Ends the servers of dedicated memories, which tenancy started. */
async function stopDedicated(folder: DataFolder): Promise<void> {
  const entries = await readdir(folder.engines, { withFileTypes: true }).catch(() => []);
  const servers = entries.filter((entry) => entry.isDirectory());
  await Promise.all(servers.map((entry) => stopPostgres({ dataDir: join(folder.engines, entry.name) })));
}

async function provisionAll(superuserUrl: string, folder: DataFolder): Promise<Record<DatabaseService, ServiceRoles>> {
  const passwords = await databasePasswords(folder.databasePasswordsFile, DATABASE_SERVICES);
  const roles: Partial<Record<DatabaseService, ServiceRoles>> = {};
  for (const service of DATABASE_SERVICES) {
    const provisioned = await provisionService({
      superuserUrl,
      database: DATABASE,
      service,
      passwords: passwords[service],
      // The server is this folder's own; a password that differs is one of an earlier version.
      replacePasswords: true,
    });
    roles[service] = provisioned.roles;
  }
  // The one password of all roles in earlier versions opens nothing any more.
  await rm(folder.formerDatabasePasswordFile, { force: true });
  return roles as Record<DatabaseService, ServiceRoles>;
}
