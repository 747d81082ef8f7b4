/* oxlint-disable unicorn/require-post-message-target-origin -- threads have no origin */
import { Worker } from 'node:worker_threads';

export interface ThreadOptions {
  /** The thread's own file. */
  file: string;
  timeoutMs: number;
  heapMaxMb: number;
}

/** Asks one thread, one question at a time; a thread that takes too long or too much memory is ended, and its answer is null. */
export interface Thread<Question, Answer> {
  ask(question: Question): Promise<Answer | null>;
  close(): Promise<void>;
}

export function createThread<Question, Answer>(options: ThreadOptions): Thread<Question, Answer> {
  let worker: Worker | null = null;
  let turn: Promise<unknown> = Promise.resolve();
  let count = 0;

  async function askOnce(question: Question): Promise<Answer | null> {
    worker ??= new Worker(options.file, {
      resourceLimits: { maxOldGenerationSizeMb: options.heapMaxMb },
      execArgv: [],
    });
    const used = worker;
    const id = (count += 1);
    const { promise, resolve } = Promise.withResolvers<{ answer: Answer | null } | 'broken'>();
    const onMessage = (message: { id: number; answer?: Answer }) => {
      if (message.id === id) resolve({ answer: message.answer ?? null });
    };
    const onEnd = () => resolve('broken');
    const timer = setTimeout(onEnd, options.timeoutMs);
    used.on('message', onMessage).once('error', onEnd).once('exit', onEnd);
    used.postMessage({ id, question });
    const given = await promise;
    clearTimeout(timer);
    used.off('message', onMessage).off('error', onEnd).off('exit', onEnd);
    if (given !== 'broken') return given.answer;
    worker = null;
    used.on('error', () => undefined);
    await used.terminate();
    return null;
  }

  return {
    ask(question) {
      const asking = turn.then(() => askOnce(question));
      turn = asking.catch(() => undefined);
      return asking;
    },
    async close() {
      await turn;
      await worker?.terminate();
    },
  };
}
