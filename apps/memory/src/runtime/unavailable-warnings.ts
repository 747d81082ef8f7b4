import type { Logger } from '@cairn/service-kit';
import { isUnavailable } from '../memories/unavailable.ts';

const REPEAT_AFTER_MS = 60_000;

/** The logger, but it warns of an unreachable server once a minute instead of on every retry. */
export function limitUnavailableWarnings(logger: Logger): Logger {
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
