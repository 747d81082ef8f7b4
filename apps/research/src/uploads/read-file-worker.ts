/* oxlint-disable unicorn/require-post-message-target-origin -- threads have no origin */
import { parentPort } from 'node:worker_threads';
import { type FileQuestion, readScreened } from './read-screened.ts';

parentPort?.on('message', ({ id, question }: { id: number; question: FileQuestion }) => {
  readScreened(question).then(
    (answer) => parentPort?.postMessage({ id, answer }),
    () => parentPort?.postMessage({ id }),
  );
});
