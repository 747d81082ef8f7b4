/** What the pool sends to a worker process. */
export interface TaskMessage {
  name: string;
  task: unknown;
  /** Processor time that the process may take for it. */
  cpuMaxMs: number;
}

export interface TaskError {
  name: string;
  message: string;
  stack?: string | undefined;
}

/** What a worker process sends back: once that it is ready, then one outcome for each task. */
export type WorkerMessage =
  | { kind: 'ready' }
  | { kind: 'done'; result: unknown; rssBytes: number }
  | { kind: 'failed'; error: TaskError }
  | { kind: 'out_of_memory' };
