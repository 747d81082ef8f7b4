import { parentPort } from 'node:worker_threads';
import { readHtml } from './read-html.ts';

// Pages are read away from the event loop: a page may be made to take for ever, and its thread can be ended.
parentPort?.on('message', ({ id, html, url }: { id: number; html: string; url: string }) => {
  try {
    parentPort?.postMessage({ id, page: readHtml(html, url) });
  } catch (error) {
    parentPort?.postMessage({ id, error: String(error) });
  }
});
