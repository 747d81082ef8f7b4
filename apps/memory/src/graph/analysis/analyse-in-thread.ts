import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { GraphMetrics } from './analyse-graph.ts';
import type { EdgeList } from './page-rank.ts';

const THREAD = join(import.meta.dirname, 'analysis-thread.ts');

export interface ThreadLimits {
  timeoutMs: number;
  memoryMaxMb: number;
}

/**
 * Analyses a graph beside the event loop; `before` holds the community numbers of the last time. Rejects when it takes
 * longer or more memory than allowed, or when `signal` aborts; nothing runs on then.
 */
export async function analyseInThread(
  input: { edges: EdgeList; before: Int32Array },
  limits: ThreadLimits,
  signal: AbortSignal,
): Promise<GraphMetrics> {
  const worker = new Worker(THREAD, {
    workerData: input,
    resourceLimits: { maxOldGenerationSizeMb: limits.memoryMaxMb },
  });
  try {
    return await new Promise<GraphMetrics>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('the analysis took too long')), limits.timeoutMs);
      const stop = () => reject(new Error('the analysis was stopped'));
      signal.addEventListener('abort', stop, { once: true });
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
      };
      worker.once('message', (standing: GraphMetrics) => (end(), resolve(standing)));
      worker.once('error', (error) => (end(), reject(error)));
      worker.once('exit', (code) => (end(), reject(new Error(`the analysis ended with ${code}`))));
      if (signal.aborted) stop();
    });
  } finally {
    await worker.terminate();
  }
}
