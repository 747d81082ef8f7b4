export type WorkerFailureReason = 'timed_out' | 'out_of_memory' | 'crashed';

/** A task ended its worker process. It says something about the task's input; the pool goes on with another process. */
export class WorkerFailure extends Error {
  override readonly name = 'WorkerFailure';
  readonly reason: WorkerFailureReason;
  constructor(reason: WorkerFailureReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
