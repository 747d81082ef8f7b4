import { join } from 'node:path';
import { createThread } from '../thread.ts';
import type { PageContent } from './read-html.ts';

const READ_TIMEOUT_MS = 10_000;
const HEAP_MAX_MB = 256;

/** Reads pages away from the event loop: a page may be made to take for ever. */
export interface PageReader {
  /** Null when the page cannot be read. */
  read(html: string, url: string): Promise<PageContent | null>;
  close(): Promise<void>;
}

export function createPageReader(): PageReader {
  const file = join(import.meta.dirname, 'read-html-worker.ts');
  const thread = createThread<{ html: string; url: string }, PageContent>({
    file,
    timeoutMs: READ_TIMEOUT_MS,
    heapMaxMb: HEAP_MAX_MB,
  });
  return { read: (html, url) => thread.ask({ html, url }), close: () => thread.close() };
}
