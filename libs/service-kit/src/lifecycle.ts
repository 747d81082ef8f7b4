import type { Logger } from './logging.ts';
import { watchEventLoop } from './loop-watch.ts';

/** A started part; `close` lets work in flight end, within a bound. */
export interface Running {
  close(): Promise<void>;
}

export interface StartedService extends Running {
  /** Addresses it really listens on. */
  addresses: { http?: string; grpc?: string };
}

const SHUTDOWN_TIMEOUT_MS = 10_000;

/**
 * Runs a service as this process: starts it, tells a supervising parent its addresses, watches its event loop, and
 * ends it on SIGTERM, SIGINT or when the parent is gone. A shutdown that hangs is cut off.
 */
export async function runService(
  logger: Logger,
  start: () => Promise<StartedService>,
  { loopStallMaxMs }: { loopStallMaxMs: number },
): Promise<void> {
  let closing = false;
  const started = await start().catch((error: unknown) => {
    logger.fatal({ err: error }, 'could not start');
    process.exit(1);
  });
  watchEventLoop(logger, loopStallMaxMs);
  const end = (reason: string) => {
    if (closing) return;
    closing = true;
    logger.info({ reason }, 'stopping');
    setTimeout(() => process.exit(1), SHUTDOWN_TIMEOUT_MS).unref();
    started.close().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => end('SIGTERM'));
  process.on('SIGINT', () => end('SIGINT'));
  process.on('disconnect', () => end('parent gone'));
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'uncaught exception');
    process.exit(1);
  });
  process.on('unhandledRejection', (error) => {
    logger.fatal({ err: error }, 'unhandled rejection');
    process.exit(1);
  });
  logger.info({ ...started.addresses }, 'ready');
  process.send?.({ type: 'ready', ...started.addresses });
}

/** Runs a service's migrations as this process, which then ends: with 0 when the schema is up to date. */
export async function runMigration(logger: Logger, migrate: () => Promise<readonly string[]>): Promise<void> {
  try {
    logger.info({ applied: await migrate() }, 'the schema is up to date');
  } catch (error) {
    logger.fatal({ err: error }, 'the schema could not be migrated');
    process.exitCode = 1;
  }
}

/** Closes parts in the reverse order of their start; each gets its turn even when one before it fails. */
export function closeInReverse(parts: readonly (Running | (() => Promise<void>))[]): Running {
  return {
    async close() {
      const failures: unknown[] = [];
      for (const part of parts.toReversed()) {
        try {
          await (typeof part === 'function' ? part() : part.close());
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw new AggregateError(failures, 'some parts did not close');
    },
  };
}
