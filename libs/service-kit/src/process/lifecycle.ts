import {
  ConfigError,
  type ConfigOf,
  type migrationVariables,
  parseConfig,
  type serviceVariables,
  type telemetryVariables,
  type Variable,
} from '../config/config.ts';
import { KNOWN_VARIABLES } from '../config/known-variables.ts';
import { createLogger, type Logger } from '../telemetry/logging.ts';
import { watchEventLoop } from '../telemetry/loop-watch.ts';
import { collectStartGarbage } from './start-garbage.ts';
import { startTelemetry, type TelemetryConfig } from './start-telemetry.ts';
import { closeInReverse, type Running } from '../running.ts';

export interface StartedService extends Running {
  /** Addresses it really listens on. */
  addresses: { http?: string; grpc?: string; metrics?: string };
}

interface Entry<Variables extends Record<string, Variable>, Migration extends Record<string, Variable>> {
  variables: Variables;
  start: (config: ConfigOf<Variables>, logger: Logger) => Promise<StartedService>;
  /** What migrating needs; serving is given none of the owner's. */
  migrationVariables: Migration;
  /** Brings the schema up to date and returns the names of the migrations applied. */
  migrate: (config: ConfigOf<Migration>) => Promise<readonly string[]>;
}

const SHUTDOWN_TIMEOUT_MS = 10_000;

/** The entry of a service with a database: serves, or with the argument `migrate` migrates its schema and ends. */
export async function runMain<
  Variables extends Record<string, Variable> &
    typeof telemetryVariables &
    Pick<typeof serviceVariables, 'logLevel' | 'loopStallMaxMs' | 'grpcListen'>,
  Migration extends Record<string, Variable> & typeof migrationVariables,
>(
  name: string,
  { argv, env }: Pick<NodeJS.Process, 'argv' | 'env'>,
  entry: Entry<Variables, Migration>,
): Promise<void> {
  if (argv[2] === 'migrate') {
    const { config, logger } = readConfig(name, entry.migrationVariables, env);
    await runMigration(logger, () => entry.migrate(config));
    return;
  }
  const { config, logger } = readConfig(name, entry.variables, env);
  await runService(logger, () => entry.start(config, logger), config);
}

/** Read by specs alone. */
const TEST_VARIABLES = /^CAIRN_TEST_/;

/** Of the environment what is named like a variable of Cairn and read by no part of it: most likely misspelt. */
export function unknownVariables(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith('CAIRN_') && !KNOWN_VARIABLES.has(name) && !TEST_VARIABLES.test(name))
    .toSorted();
}

/**
 * The configuration of this process and a logger of its level. When variables are missing or invalid, one message names
 * them all, together with those that nothing reads, and the process ends. Unknown ones alone are a warning: during an
 * upgrade a service may be given variables of the next version.
 */
export function readConfig<Variables extends Record<string, Variable> & Pick<typeof serviceVariables, 'logLevel'>>(
  name: string,
  variables: Variables,
  env: Readonly<Record<string, string | undefined>>,
): { config: ConfigOf<Variables>; logger: Logger } {
  const unknown = unknownVariables(env);
  try {
    const config = parseConfig(variables, env);
    const logger = createLogger(name, config.logLevel as string);
    if (unknown.length > 0)
      logger.warn({ variables: unknown }, 'configuration: these variables are set, and no part of Cairn reads them');
    return { config, logger };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const problems = [...error.problems, ...unknown.map((each) => `${each} is set, and no part of Cairn reads it`)];
    createLogger(name, 'info').fatal(
      { problems },
      'configuration: the service cannot start with these variables; exiting',
    );
    process.exit(1);
  }
}

/**
 * Runs a service as this process: starts it, reports its addresses to a supervising parent, watches its event loop, and
 * ends it on SIGTERM, SIGINT or when the parent is gone. A shutdown that hangs is cut off.
 */
export async function runService(
  logger: Logger,
  start: () => Promise<StartedService>,
  config: { loopStallMaxMs: number } & TelemetryConfig,
): Promise<void> {
  let closing = false;
  const started = await startObserved(logger, start, config).catch((error: unknown) => {
    logger.fatal({ err: error }, 'service: starting failed; exiting');
    process.exit(1);
  });
  watchEventLoop(logger, config.loopStallMaxMs);
  const end = (reason: string) => {
    if (closing) return;
    closing = true;
    logger.info({ reason }, 'service: stopping');
    setTimeout(() => process.exit(1), SHUTDOWN_TIMEOUT_MS).unref();
    started.close().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'service: stopping failed; exiting');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => end('SIGTERM'));
  process.on('SIGINT', () => end('SIGINT'));
  process.on('disconnect', () => end('parent gone'));
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'service: uncaught exception; exiting');
    process.exit(1);
  });
  process.on('unhandledRejection', (error) => {
    logger.fatal({ err: error }, 'service: unhandled rejection; exiting');
    process.exit(1);
  });
  logger.info({ ...started.addresses }, 'service: ready');
  process.send?.({ type: 'ready', ...started.addresses });
  collectStartGarbage().catch((error: unknown) =>
    logger.warn({ err: error }, 'service: collecting the garbage of the start failed'),
  );
}

/** Traces from the first connection on; metrics are served last, when there is something to show. */
async function startObserved(
  logger: Logger,
  start: () => Promise<StartedService>,
  config: TelemetryConfig,
): Promise<StartedService> {
  const telemetry = await startTelemetry(logger, config);
  const started = await start();
  const metrics = await telemetry.serveMetrics();
  return {
    addresses: { ...started.addresses, ...(metrics === null ? {} : { metrics: metrics.url }) },
    close: closeInReverse([telemetry, ...(metrics === null ? [] : [metrics]), started]).close,
  };
}

/** The process then ends, with 0 when the schema is up to date. */
async function runMigration(logger: Logger, migrate: () => Promise<readonly string[]>): Promise<void> {
  try {
    logger.info({ applied: await migrate() }, 'migrations: the schema is up to date');
  } catch (error) {
    logger.fatal({ err: error }, 'migrations: migrating the schema failed; exiting');
    process.exitCode = 1;
  }
}
