import { CairnError } from '@cairn/errors';
import { isConnectionFailure } from '@cairn/postgres';
import type { Logger } from '@cairn/service-kit';

/** True when a server could not be reached, as opposed to a statement that failed. */
export function isUnavailable(error: unknown): boolean {
  return isConnectionFailure(error) || (error instanceof CairnError && error.code === 'unavailable');
}

const REPEAT_AFTER_MS = 60_000;

/** The logger, but it warns of a server that is away once a minute and not with every try of every part. */
export function quietWhileAway(logger: Logger): Logger {
  let silentUntilMs = 0;
  const warn = (details: { err?: unknown }, message?: string) => {
    if (isUnavailable(details.err)) {
      if (Date.now() < silentUntilMs) return;
      silentUntilMs = Date.now() + REPEAT_AFTER_MS;
    }
    logger.warn(details, message);
  };
  return Object.assign(Object.create(logger) as Logger, { warn });
}
