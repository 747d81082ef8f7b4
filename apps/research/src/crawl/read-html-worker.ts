/* oxlint-disable unicorn/require-post-message-target-origin -- threads have no origin */
import { parentPort } from 'node:worker_threads';
import { readHtml } from './read-html.ts';

parentPort?.on('message', ({ id, question }: { id: number; question: { html: string; url: string } }) => {
  try {
    parentPort?.postMessage({ id, answer: readHtml(question.html, question.url) });
  } catch {
    parentPort?.postMessage({ id });
  }
});
