import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { PageContent } from './read-html.ts';

const READ_TIMEOUT_MS = 10_000;
const HEAP_MAX_MB = 256;

/** Reads pages in a thread that is ended when a page takes too long or too much memory. */
export interface PageReader {
  /** Null when the page cannot be read. */
  read(html: string, url: string): Promise<PageContent | null>;
  close(): Promise<void>;
}

export function createPageReader(): PageReader {
  let worker: Worker | null = null;
  let turn: Promise<unknown> = Promise.resolve();
  let count = 0;

  async function readOnce(html: string, url: string): Promise<PageContent | null> {
    worker ??= new Worker(join(import.meta.dirname, 'read-html-worker.ts'), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MAX_MB },
      execArgv: [],
    });
    const used = worker;
    const id = (count += 1);
    const { promise, resolve } = Promise.withResolvers<PageContent | null | 'broken'>();
    const onMessage = (message: { id: number; page?: PageContent }) => {
      if (message.id === id) resolve(message.page ?? null);
    };
    const onEnd = () => resolve('broken');
    const timer = setTimeout(onEnd, READ_TIMEOUT_MS);
    used.on('message', onMessage).once('error', onEnd).once('exit', onEnd);
    used.postMessage({ id, html, url });
    const page = await promise;
    clearTimeout(timer);
    used.off('message', onMessage).off('error', onEnd).off('exit', onEnd);
    if (page !== 'broken') return page;
    worker = null;
    used.on('error', () => undefined);
    await used.terminate();
    return null;
  }

  return {
    read(html, url) {
      const reading = turn.then(() => readOnce(html, url));
      turn = reading.catch(() => undefined);
      return reading;
    },
    async close() {
      await turn;
      await worker?.terminate();
    },
  };
}
