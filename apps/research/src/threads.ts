/* oxlint-disable unicorn/require-post-message-target-origin -- threads have no origin */
import { Worker } from 'node:worker_threads';
import { CairnError } from '@cairn/errors';

export interface ThreadOptions {
  /** The thread's own file. */
  file: string;
  timeoutMs: number;
  heapMaxMb: number;
  threads: number;
  /** Questions that wait or are worked on; further ones are refused. */
  questionsMax: number;
}

/**
 * Asks threads, each one question at a time; a thread that takes too long or too much memory is ended, and its answer
 * is null. Throws `unavailable` when too many wait already.
 */
export interface Threads<Question, Answer> {
  ask(question: Question): Promise<Answer | null>;
  close(): Promise<void>;
}

interface Lane {
  worker: Worker | null;
  turn: Promise<unknown>;
  waiting: number;
}

/** A thread that has nothing to do is given up, with what it holds. */
const IDLE_MS = 30_000;

export function createThreads<Question, Answer>(options: ThreadOptions): Threads<Question, Answer> {
  const lanes = Array.from({ length: options.threads }, (): Lane => ({
    worker: null,
    turn: Promise.resolve(),
    waiting: 0,
  }));
  let count = 0;
  let closed = false;

  async function askOnce(lane: Lane, question: Question): Promise<Answer | null> {
    if (closed) return null;
    lane.worker ??= new Worker(options.file, {
      resourceLimits: { maxOldGenerationSizeMb: options.heapMaxMb },
      execArgv: [],
      // A thread needs none of the service's secrets.
      env: {},
    });
    const used = lane.worker;
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
    await end(lane);
    return null;
  }

  let idleSince = performance.now();
  const idling = setInterval(() => {
    const busy = lanes.some(({ waiting }) => waiting > 0);
    if (busy) idleSince = performance.now();
    else if (performance.now() - idleSince > IDLE_MS) for (const lane of lanes) void end(lane);
  }, IDLE_MS / 3);
  idling.unref();

  return {
    ask(question) {
      const lane = lanes.reduce((best, other) => (other.waiting < best.waiting ? other : best));
      if (lanes.reduce((sum, { waiting }) => sum + waiting, 0) >= options.questionsMax)
        return Promise.reject(
          new CairnError('unavailable', 'Too many files are being read at the moment.', { retryAfterSeconds: 5 }),
        );
      lane.waiting += 1;
      const asking = lane.turn
        .then(() => askOnce(lane, question))
        .finally(() => {
          lane.waiting -= 1;
        });
      lane.turn = asking.catch(() => undefined);
      return asking;
    },
    async close() {
      closed = true;
      clearInterval(idling);
      await Promise.all(lanes.map(async (lane) => lane.turn.then(() => end(lane))));
    },
  };
}

async function end(lane: Lane): Promise<void> {
  const { worker } = lane;
  lane.worker = null;
  worker?.on('error', () => undefined);
  await worker?.terminate();
}
