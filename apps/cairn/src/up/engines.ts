import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type EmbeddedNats, type EmbeddedPostgres, startNats, startPostgres, stopPostgres } from '@cairn/embedded';
import { provisionService, type ServiceRoles } from '@cairn/postgres';
import type { DataFolder } from './data-folder.ts';

export const DATABASE_SERVICES = ['keys', 'tenancy', 'memory', 'webhooks', 'usage'] as const;
export type DatabaseService = (typeof DATABASE_SERVICES)[number];

export interface Engines {
  natsUrl: string;
  roles: Record<DatabaseService, ServiceRoles>;
  stop(): Promise<void>;
}

export interface EngineOptions {
  folder: DataFolder;
  /** A broker that runs already; none is started then. */
  natsUrl: string | undefined;
  natsServerPath: string | undefined;
  cacheDir: string | undefined;
  log: (line: string) => void;
}

const DATABASE = 'cairn';

/** Starts PostgreSQL and NATS side by side and makes each service's schema and roles. */
export async function startEngines(options: EngineOptions): Promise<Engines> {
  const { folder, log } = options;
  const settled = await Promise.allSettled([
    startPostgres({ dataDir: folder.postgres, log }),
    options.natsUrl === undefined
      ? startNats({
          dataDir: folder.nats,
          cacheDir: options.cacheDir ?? folder.cache,
          log,
          ...(options.natsServerPath === undefined ? {} : { natsServerPath: options.natsServerPath }),
        })
      : Promise.resolve(null),
  ] as const);
  const [postgres, nats] = settled;
  const stop = async () => {
    await stopDedicated(folder);
    if (nats.status === 'fulfilled') await nats.value?.stop();
    if (postgres.status === 'fulfilled') await postgres.value.stop();
  };
  const failed = settled.find((result) => result.status === 'rejected');
  if (failed !== undefined) {
    await stop();
    throw failed.reason;
  }
  try {
    const roles = await provisionAll(
      (postgres as PromiseFulfilledResult<EmbeddedPostgres>).value,
      folder.databasePassword,
    );
    return { natsUrl: options.natsUrl ?? (nats as PromiseFulfilledResult<EmbeddedNats>).value.url, roles, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Ends the servers of dedicated memories, which tenancy started. */
async function stopDedicated(folder: DataFolder): Promise<void> {
  const entries = await readdir(folder.engines, { withFileTypes: true }).catch(() => []);
  const servers = entries.filter((entry) => entry.isDirectory());
  await Promise.all(servers.map((entry) => stopPostgres({ dataDir: join(folder.engines, entry.name) })));
}

async function provisionAll(
  postgres: EmbeddedPostgres,
  password: string,
): Promise<Record<DatabaseService, ServiceRoles>> {
  const roles: Partial<Record<DatabaseService, ServiceRoles>> = {};
  for (const service of DATABASE_SERVICES) {
    roles[service] = await provisionService({
      superuserUrl: postgres.superuserUrl,
      database: DATABASE,
      service,
      password,
    });
  }
  return roles as Record<DatabaseService, ServiceRoles>;
}
