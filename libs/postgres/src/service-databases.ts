import { createDatabase, type VerifyConnection } from './database.ts';
import type { Database } from './tx.ts';

interface ServiceDatabaseOptions {
  /** Names the connections in pg_stat_activity: `<service>` and `<service>-worker`. */
  service: string;
  /** URLs of the serving role and of the background role. */
  config: { databaseUrl: string; databaseWorkerUrl: string; databasePoolMax: number };
  workerPoolMax: number;
  logger: IdleErrorLog;
  /** Refuses connections to a server that may not be served. */
  verify?: VerifyConnection;
}

interface IdleErrorLog {
  warn(details: { err: Error }, message: string): void;
}

/** The pools of a service: one connected as the serving role, and one as the role of its background work. */
export function createServiceDatabases({ service, config, workerPoolMax, logger, verify }: ServiceDatabaseOptions): {
  database: Database;
  workerDatabase: Database;
} {
  const common = { onIdleError: logIdleErrors(logger), ...(verify === undefined ? {} : { verify }) };
  return {
    database: createDatabase({
      url: config.databaseUrl,
      applicationName: service,
      poolMax: config.databasePoolMax,
      ...common,
    }),
    workerDatabase: createDatabase({
      url: config.databaseWorkerUrl,
      applicationName: `${service}-worker`,
      poolMax: workerPoolMax,
      ...common,
    }),
  };
}

/** Logs the loss of an idle connection, which nobody waits for: the pool opens another. */
export function logIdleErrors(logger: IdleErrorLog): (error: Error) => void {
  return (error) => logger.warn({ err: error }, 'database: an idle connection was lost; the pool opens another');
}
