import { createDatabase, type Database } from './database.ts';

interface ServiceDatabaseOptions {
  /** Names the connections in pg_stat_activity: `<service>` and `<service>-worker`. */
  service: string;
  /** URLs of the serving role and of the background role. */
  config: { databaseUrl: string; databaseWorkerUrl: string; databasePoolMax: number };
  workerPoolMax: number;
  logger: IdleErrorLog;
}

interface IdleErrorLog {
  warn(details: { err: Error }, message: string): void;
}

/** The pools of a service: one connected as the serving role, and one as the role of its background work. */
export function createServiceDatabases({ service, config, workerPoolMax, logger }: ServiceDatabaseOptions): {
  database: Database;
  workerDatabase: Database;
} {
  const onIdleError = logIdleErrors(logger);
  return {
    database: createDatabase({
      url: config.databaseUrl,
      applicationName: service,
      poolMax: config.databasePoolMax,
      onIdleError,
    }),
    workerDatabase: createDatabase({
      url: config.databaseWorkerUrl,
      applicationName: `${service}-worker`,
      poolMax: workerPoolMax,
      onIdleError,
    }),
  };
}

/** Logs the loss of an idle connection, which nobody waits for: the pool opens another. */
export function logIdleErrors(logger: IdleErrorLog): (error: Error) => void {
  return (error) => logger.warn({ err: error }, 'database: an idle connection was lost; the pool opens another');
}
