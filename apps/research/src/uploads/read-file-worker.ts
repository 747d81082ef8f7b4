/* oxlint-disable unicorn/require-post-message-target-origin -- threads have no origin */
import { parentPort } from 'node:worker_threads';
import { readFile } from './read-file.ts';

parentPort?.on('message', ({ id, question }: { id: number; question: Uint8Array }) => {
  readFile(question).then(
    (answer) => parentPort?.postMessage({ id, answer }),
    () => parentPort?.postMessage({ id }),
  );
});
