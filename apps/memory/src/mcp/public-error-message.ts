import { CairnError, ERROR_CODES } from '@cairn/errors';
import type { SpaceCall, McpDeps } from './mcp-deps.ts';

/**
 * What the caller may read of a failure. The SDK tells callers the text of whatever is thrown: what is none of our own
 * refusals is logged instead, under the request's id, as for every other operation.
 */
export function publicErrorMessage({ logger }: Pick<McpDeps, 'logger'>, space: SpaceCall, error: unknown): string {
  if (error instanceof CairnError && error.code !== 'internal') return `${error.code}: ${error.message}`;
  if (!space.signal.aborted)
    logger.error(
      { err: error, request_id: space.requestId },
      'mcp: a request failed; the caller sees a generic message',
    );
  return `internal: ${ERROR_CODES.internal.title} (request ${space.requestId}).`;
}
