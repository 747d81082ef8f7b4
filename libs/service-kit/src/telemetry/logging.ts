import { traceFields } from '@cairn/telemetry';
import pino, { type Logger } from 'pino';

export type { Logger } from 'pino';

// Whatever a mistake upstream puts into a log record under these names never reaches the output.
const SECRET_PATHS = [
  'api_key',
  'apiKey',
  'secret',
  'password',
  'token',
  'authorization',
  '*.api_key',
  '*.apiKey',
  '*.secret',
  '*.password',
  '*.token',
  '*.authorization',
  // PostgreSQL's words about a row that broke a constraint hold the row.
  'err.detail',
  'headers["x-api-key"]',
  'headers["x-cairn-identity"]',
  'headers.authorization',
];

/** JSON lines to standard output; a line that belongs to a trace has its `trace_id`. */
export function createLogger(service: string, level: string): Logger {
  return pino({
    name: service,
    level,
    redact: { paths: SECRET_PATHS, censor: '[redacted]' },
    base: { service, pid: process.pid },
    mixin: traceFields,
  });
}
