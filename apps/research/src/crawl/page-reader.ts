import { join } from 'node:path';
import { createThreads } from '../threads.ts';
import type { PageContent } from './read-html.ts';

const READ_TIMEOUT_MS = 6_000;
const HEAP_MAX_MB = 256;
const THREADS = 2;
/** More than all runs of a process ask for at a time. */
const PAGES_MAX = 10_000;

/** Reads pages away from the event loop: a page may be made to take for ever. */
export interface PageReader {
  /** Null when the page cannot be read. */
  read(html: string, url: string): Promise<PageContent | null>;
  close(): Promise<void>;
}

export function createPageReader(): PageReader {
  const file = join(import.meta.dirname, 'read-html-worker.ts');
  const thread = createThreads<{ html: string; url: string }, PageContent>({
    file,
    timeoutMs: READ_TIMEOUT_MS,
    heapMaxMb: HEAP_MAX_MB,
    threads: THREADS,
    questionsMax: PAGES_MAX,
  });
  return { read: (html, url) => thread.ask({ html, url }), close: () => thread.close() };
}
