import { join } from 'node:path';
import { CairnError } from '@cairn/errors';
import { createWorkerPool, WorkerFailure } from '@cairn/workers';
import type * as tasks from './large-body-tasks.ts';
import type { Running } from './running.ts';
import type { LargeBodies } from './parse-request.ts';

const WORKERS = 2;
/** Many times what the largest body takes; what takes longer waits for a processor that others have. */
const CPU_MAX_MS = 10_000;
const HEAP_MAX_MB = 256;
/** Each may hold a body of the largest size. */
const QUEUE_MAX = 16;
const RETRY_AFTER_SECONDS = 2;

/**
 * Parses large bodies in worker processes, in turn among the tenants, so that neither they nor the number of them
 * delays other requests. The processes are started when the first large body comes and end when no more do.
 */
export function createLargeBodies(): LargeBodies & Running {
  const pool = createWorkerPool<typeof tasks>({
    name: 'large_bodies',
    file: join(import.meta.dirname, 'large-body-tasks.ts'),
    workers: WORKERS,
    cpuMaxMs: CPU_MAX_MS,
    heapMaxMb: HEAP_MAX_MB,
    queueMax: QUEUE_MAX,
  });
  return {
    async parse(tenantId, { id }, { params, query, json }) {
      const task = { operationId: id, params, query, json };
      const outcome = await pool.run(tenantId, task, 'parse').catch((error: unknown) => {
        throw error instanceof WorkerFailure ? tooBusy(error) : error;
      });
      if (outcome.ok) return outcome.request;
      const { code, message, errors } = outcome;
      throw new CairnError(code, message, errors === undefined ? {} : { errors });
    },
    close: () => pool.close(),
  };
}

/** What a body may hold is bounded, so it is not the body that ended the process. */
function tooBusy(cause: WorkerFailure): CairnError {
  return new CairnError('unavailable', 'The service is too busy to read the body. Try again in a few seconds.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    internal: cause.message,
    cause,
  });
}
