import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Running } from '@cairn/service-kit';
import { Piscina } from 'piscina';
import type { Prepared, PrepareFailureCode, ToPrepare, UnreadableDocument } from './prepared.ts';

/** Reads documents in worker threads: what they hold can end a thread, and never the service. */
export interface PreparePool extends Running {
  /**
   * Reads a tenant's documents one after the other in one thread. A document that ends it, or takes too long, fails
   * alone. One tenant never has all threads.
   */
  prepare(tenantId: string, documents: readonly ToPrepare[]): Promise<Prepared[]>;
}

export interface PreparePoolOptions {
  threads: number;
  /** For a document by itself. */
  timeoutMs: number;
  /** Of one thread's heap. */
  memoryMaxMb: number;
}

const THREADS_MIN = 3;
/** A thread that has nothing to do is given up, with what it holds. */
const IDLE_MS = 20_000;
const YOUNG_GENERATION_MB = 32;
const STACK_MB = 4;

export function defaultThreads(): number {
  return Math.max(THREADS_MIN, availableParallelism() - 1);
}

export function createPreparePool(options: PreparePoolOptions): PreparePool {
  const pool = new Piscina<readonly ToPrepare[], Prepared[]>({
    filename: fileURLToPath(new URL('./worker.ts', import.meta.url)),
    minThreads: 0,
    maxThreads: options.threads,
    idleTimeout: IDLE_MS,
    resourceLimits: {
      maxOldGenerationSizeMb: options.memoryMaxMb,
      maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
      stackSizeMb: STACK_MB,
    },
    // A thread needs none of the service's secrets.
    env: {},
  });
  const seats = fairSeats(options.threads);
  // The clock runs from when a thread is free: who waits for one is not to blame.
  const run = (documents: readonly ToPrepare[]) =>
    pool.run(documents, { name: 'prepareAll', signal: AbortSignal.timeout(options.timeoutMs) });
  const nameOf = (document: ToPrepare): Promise<Pick<UnreadableDocument, 'title' | 'url'>> =>
    pool.run({ ...document, content: '' } as never, { name: 'nameOf' }) as never;
  const runOne = async (document: ToPrepare): Promise<Prepared> => {
    try {
      return (await run([document]))[0]!;
    } catch (error) {
      const code = codeOf(error);
      if (code === null) throw error;
      return { ok: false, code, message: MESSAGES[code], ...(await nameOf(document)) };
    }
  };
  return {
    async prepare(tenantId, documents) {
      const leave = await seats.take(tenantId);
      try {
        if (documents.length === 1) return [await runOne(documents[0]!)];
        return await run(documents).catch(async (error: unknown) => {
          if (codeOf(error) === null) throw error;
          // One of them spoils the batch: each by itself shows which.
          const prepared: Prepared[] = [];
          for (const document of documents) prepared.push(await runOne(document));
          return prepared;
        });
      } finally {
        leave();
      }
    },
    close: () => pool.destroy(),
  };
}

/** As many seats as threads; whoever waits longest comes first, but one tenant leaves a seat to the others. */
function fairSeats(threads: number) {
  const perTenant = Math.max(1, threads - 1);
  const taken = new Map<string, number>();
  const waiting: { tenantId: string; sit: () => void }[] = [];
  let free = threads;
  const seatNext = () => {
    while (free > 0) {
      const next = waiting.findIndex(({ tenantId }) => (taken.get(tenantId) ?? 0) < perTenant);
      if (next === -1) return;
      const [{ tenantId, sit }] = waiting.splice(next, 1) as [(typeof waiting)[number]];
      free -= 1;
      taken.set(tenantId, (taken.get(tenantId) ?? 0) + 1);
      sit();
    }
  };
  return {
    take(tenantId: string): Promise<() => void> {
      return new Promise((resolve) => {
        const leave = () => {
          free += 1;
          const left = taken.get(tenantId)! - 1;
          if (left === 0) taken.delete(tenantId);
          else taken.set(tenantId, left);
          seatNext();
        };
        waiting.push({ tenantId, sit: () => resolve(leave) });
        seatNext();
      });
    },
  };
}

type EndOfThread = Extract<PrepareFailureCode, 'reading_timed_out' | 'needs_too_much_memory'>;

const MESSAGES: Record<EndOfThread, string> = {
  reading_timed_out: 'Reading the document took too long. Send it in parts, or in another format.',
  needs_too_much_memory: 'Reading the document took more memory than one document may. Send it in parts.',
};

/** What a thread's end says of the document; null when it says nothing. */
function codeOf(error: unknown): EndOfThread | null {
  if (typeof error !== 'object' || error === null) return null;
  const { code, name, message } = error as { code?: unknown; name?: unknown; message?: unknown };
  if (name === 'AbortError' || name === 'TimeoutError') return 'reading_timed_out';
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return 'needs_too_much_memory';
  return /array buffer allocation failed|invalid (?:array|typed array) length|out of memory/i.test(String(message))
    ? 'needs_too_much_memory'
    : null;
}
