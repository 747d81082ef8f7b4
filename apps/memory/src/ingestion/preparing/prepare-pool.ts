import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Running } from '@cairn/service-kit';
import type { DlpPolicy } from '@cairn/screening';
import { createWorkerPool, WorkerFailure, type WorkerFailureReason } from '@cairn/workers';
import type { Extraction } from '../../graph/extract/extraction.ts';
import type { WindowChunk } from '../../graph/extract/read-window.ts';
import type { DocumentDescription, MaskedDescription } from './mask-description.ts';
import type { PrepareOutcome, PrepareFailureCode, DocumentToPrepare, UnreadableDocument } from './prepared-document.ts';
import type * as tasks from './worker-tasks.ts';

/** Reads documents in worker processes: what they hold can end such a process, and never the service. */
export interface PreparePool extends Running {
  /**
   * Reads a tenant's documents one after the other in one process. A document that ends it, or takes too long, fails
   * alone. One tenant never has all processes.
   */
  prepare(tenantId: string, documents: readonly DocumentToPrepare[]): Promise<PrepareOutcome[]>;
  /** Screens what is said about a document that was read before. Throws when its process ended or took too long. */
  maskAbout(tenantId: string, about: DocumentDescription, policy: DlpPolicy): Promise<MaskedDescription>;
  /** Screens one short text. Throws when its process ended or took too long. */
  maskWords(tenantId: string, text: string, policy: DlpPolicy): Promise<string>;
  /** Reads windows of chunks for the graph. Throws when one ends its process, takes too long, or cannot be read. */
  readWindows(tenantId: string, windows: readonly (readonly WindowChunk[])[]): Promise<Extraction[][]>;
  /** False when the next document would have to wait for a process to start, or to load the model. */
  isWarm(): boolean;
  /**
   * Starts a process with the model loaded, where there is none. From the third failure on, and at the signal, it resolves
   * without one.
   */
  warm(signal: AbortSignal): Promise<void>;
}

interface PreparePoolOptions {
  /** Processes at a time. */
  workers: number;
  /** For a document by itself. */
  cpuMaxMs: number;
  /** Of one process's heap. */
  memoryMaxMb: number;
}

const WORKERS_MIN = 3;
/** Ingestion claims no more than it has lanes for, so that this is met only by a fault of ours. */
const QUEUE_MAX = 10_000;
const NAME_CPU_MAX_MS = 10_000;
const UNTITLED = 'Untitled';
/** For what one task reads; a second is usual, with the model's loading. */
const READ_CPU_MAX_MS = 20_000;
const READ_MAX_CHARS = 60_000;

export function defaultWorkers(): number {
  return Math.max(WORKERS_MIN, availableParallelism() - 1);
}

export function createPreparePool(options: PreparePoolOptions): PreparePool {
  const pool = createWorkerPool<typeof tasks>({
    name: 'documents',
    file: join(import.meta.dirname, 'worker-tasks.ts'),
    workers: options.workers,
    cpuMaxMs: options.cpuMaxMs,
    heapMaxMb: options.memoryMaxMb,
    queueMax: QUEUE_MAX,
    warmUp: 'loadModel' satisfies keyof typeof tasks,
  });

  /** A document whose name cannot be screened either is shown without one. */
  async function nameOf(
    tenantId: string,
    document: DocumentToPrepare,
  ): Promise<Pick<UnreadableDocument, 'title' | 'url'>> {
    try {
      return await pool.run(tenantId, { ...document, content: '' }, 'nameOf', { cpuMaxMs: NAME_CPU_MAX_MS });
    } catch (error) {
      if (error instanceof WorkerFailure) return { title: UNTITLED, url: null };
      throw error;
    }
  }

  async function prepareOne(tenantId: string, document: DocumentToPrepare): Promise<PrepareOutcome> {
    try {
      return (await pool.run(tenantId, [document], 'prepareDocuments'))[0]!;
    } catch (error) {
      if (!(error instanceof WorkerFailure)) throw error;
      const { code, message } = FAILURES[error.reason];
      return { ok: false, code, message, ...(await nameOf(tenantId, document)) };
    }
  }

  /** Together; each by itself when that takes too much, since together they may need more than one task may. */
  async function readTogether(tenantId: string, windows: readonly (readonly WindowChunk[])[]): Promise<Extraction[][]> {
    try {
      return await pool.run(tenantId, windows, 'readWindows', { cpuMaxMs: READ_CPU_MAX_MS });
    } catch (error) {
      if (!(error instanceof WorkerFailure) || windows.length === 1) throw error;
    }
    const read: Extraction[][] = [];
    for (const window of windows) read.push(...(await readTogether(tenantId, [window])));
    return read;
  }

  return {
    maskAbout: (tenantId, about, policy) =>
      pool.run(tenantId, { about, policy }, 'maskDescription', { cpuMaxMs: NAME_CPU_MAX_MS }),
    maskWords: (tenantId, text, policy) =>
      pool.run(tenantId, { text, policy }, 'maskWords', { cpuMaxMs: NAME_CPU_MAX_MS }),
    async readWindows(tenantId, windows) {
      const read: Extraction[][] = [];
      for (const batch of batchesOf(windows)) read.push(...(await readTogether(tenantId, batch)));
      return read;
    },
    async prepare(tenantId, documents) {
      if (documents.length === 1) return [await prepareOne(tenantId, documents[0]!)];
      try {
        return await pool.run(tenantId, documents, 'prepareDocuments');
      } catch (error) {
        if (!(error instanceof WorkerFailure)) throw error;
        // One of them spoils the batch: each by itself shows which.
        const prepared: PrepareOutcome[] = [];
        for (const document of documents) prepared.push(await prepareOne(tenantId, document));
        return prepared;
      }
    },
    isWarm: () => pool.isWarm(),
    warm: (signal) => pool.warm(signal),
    close: () => pool.close(),
  };
}

/** Windows for one task each: together no longer than a long one. */
function batchesOf(windows: readonly (readonly WindowChunk[])[]): (readonly WindowChunk[])[][] {
  const batches: (readonly WindowChunk[])[][] = [];
  let room = 0;
  for (const window of windows) {
    const size = window.reduce((sum, { titlePath, body }) => sum + titlePath.length + body.length, 0);
    if (size > room) {
      batches.push([]);
      room = READ_MAX_CHARS;
    }
    batches.at(-1)!.push(window);
    room -= size;
  }
  return batches;
}

/** What the end of a process says about its document. */
const FAILURES: Record<WorkerFailureReason, { code: PrepareFailureCode; message: string }> = {
  timed_out: {
    code: 'reading_timed_out',
    message: 'Reading the document took too long. Send it in parts, or in another format.',
  },
  out_of_memory: {
    code: 'needs_too_much_memory',
    message: 'Reading the document took more memory than one document may. Send it in parts.',
  },
  crashed: {
    code: 'broken_file',
    message: 'The file is damaged: reading it broke off. Send it in another format.',
  },
};
