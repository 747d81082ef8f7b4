import { join } from 'node:path';
import { createThreads } from '../threads.ts';
import type { FileQuestion, ScreenedFile } from './read-screened.ts';

const READ_TIMEOUT_MS = 20_000;
const HEAP_MAX_MB = 512;
const THREADS = 2;
/** Each holds its file meanwhile. */
const FILES_MAX = 8;

/** Reads and screens reference files in a thread of their own: a broken or hostile one ends with its thread. */
export interface FileReader {
  read(question: FileQuestion): Promise<ScreenedFile>;
  close(): Promise<void>;
}

export function createFileReader(): FileReader {
  const thread = createThreads<FileQuestion, ScreenedFile>({
    file: join(import.meta.dirname, 'read-file-worker.ts'),
    timeoutMs: READ_TIMEOUT_MS,
    heapMaxMb: HEAP_MAX_MB,
    threads: THREADS,
    questionsMax: FILES_MAX,
  });
  return {
    read: async (question) => (await thread.ask(question)) ?? { ok: false, reason: 'unreadable', name: '' },
    close: () => thread.close(),
  };
}
