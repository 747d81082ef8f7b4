import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { GraphMetrics } from './analyse-graph.ts';
import type { EdgeList } from './page-rank.ts';
import type { Positions } from './place-entities.ts';

const THREAD = join(import.meta.dirname, 'analysis-thread.ts');

export interface ThreadLimits {
  timeoutMs: number;
  memoryMaxMb: number;
}

/** A graph, with community numbers and positions of the last time. */
export interface AnalysisInput {
  edges: EdgeList;
  before: { communities: Int32Array; positions: Positions };
}

type PlacedMetrics = GraphMetrics & { positions: Positions };

/**
 * Analyses a graph beside the event loop. Rejects when it takes
 * longer or more memory than allowed, or when `signal` aborts; nothing runs on then.
 */
export async function analyseInThread(
  input: AnalysisInput,
  limits: ThreadLimits,
  signal: AbortSignal,
): Promise<PlacedMetrics> {
  const worker = new Worker(THREAD, {
    workerData: input,
    resourceLimits: { maxOldGenerationSizeMb: limits.memoryMaxMb },
  });
  try {
    return await new Promise<PlacedMetrics>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('the analysis took too long')), limits.timeoutMs);
      const stop = () => reject(new Error('the analysis was stopped'));
      signal.addEventListener('abort', stop, { once: true });
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
      };
      worker.once('message', (metrics: PlacedMetrics) => (end(), resolve(metrics)));
      worker.once('error', (error) => (end(), reject(error)));
      worker.once('exit', (code) => (end(), reject(new Error(`the analysis ended with ${code}`))));
      if (signal.aborted) stop();
    });
  } finally {
    await worker.terminate();
  }
}
