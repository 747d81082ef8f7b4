import { CairnError } from '@cairn/errors';
import { createThreadPool, WorkerFailure } from '@cairn/workers';
import type { LargeBodyOutcome, LargeBodyTask } from './large-body-tasks.ts';
import type { Running } from '../running.ts';
import type { LargeBodies } from './parse-request.ts';

const THREADS = 2;
/** Many times what the largest body takes, on a machine whose processors others have. */
const CLOCK_MAX_MS = 60_000;
const HEAP_MAX_MB = 256;
/** Each may hold a body of the largest size. */
const QUEUE_MAX = 24;
const RETRY_AFTER_SECONDS = 2;

/**
 * Inflates, parses and validates large bodies in threads, in turn among the tenants, so that neither they nor the number
 * of them delays other requests. What a body may become is bounded, so that it can take neither for ever nor all memory.
 * The threads are started when the first large body comes and end when no more do.
 */
export function createLargeBodies(): LargeBodies & Running {
  const pool = createThreadPool<LargeBodyTask, LargeBodyOutcome>({
    name: 'large_bodies',
    file: new URL('./large-body-tasks.ts', import.meta.url),
    threads: THREADS,
    clockMaxMs: CLOCK_MAX_MS,
    heapMaxMb: HEAP_MAX_MB,
    queueMax: QUEUE_MAX,
  });
  return {
    async parse(tenantId, { id }, { params, query, json, encoding }, charge) {
      const body = transferable(json);
      const task = { operationId: id, params, query, json: body, encoding };
      const outcome = await pool.run(tenantId, task, [body.buffer]).catch((error: unknown) => {
        throw error instanceof WorkerFailure ? tooBusy(error) : error;
      });
      charge(outcome.work);
      if (outcome.ok) return outcome.request;
      const { code, message, errors } = outcome;
      throw new CairnError(code, message, errors === undefined ? {} : { errors });
    },
    close: () => pool.close(),
  };
}

/** A buffer that shares its memory with others is copied: handing that memory on would take it from them. */
function transferable({ buffer, byteOffset, byteLength }: Buffer): Uint8Array<ArrayBuffer> {
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  const bytes = isWhole ? new Uint8Array(buffer) : new Uint8Array(byteLength);
  if (!isWhole) bytes.set(new Uint8Array(buffer, byteOffset, byteLength));
  return bytes;
}

/** What a body may hold is bounded, so it is not the body that ended the thread. */
function tooBusy(cause: WorkerFailure): CairnError {
  return new CairnError('unavailable', 'The service is too busy to read the body. Try again in a few seconds.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    internal: cause.message,
    cause,
  });
}
