import type { Database } from '@cairn/postgres';
import { RUNS_CHANNEL } from './run-store.ts';

/** Wakes those who follow the logs of runs. It carries no event: whoever wakes reads the log. */
export interface RunFeed {
  /** Calls `wake` when the run's log may have grown; also from time to time. Call what is returned to end it. */
  follow(runId: string, wake: () => void): () => void;
  close(): Promise<void>;
}

/** A notification that was lost delays a watcher by no more than this. */
const LOOK_EVERY_MS = 5_000;

export async function startRunFeed(database: Database, schema: string): Promise<RunFeed> {
  const followers = new Map<string, Set<() => void>>();
  const wakeAll = () => {
    for (const wakes of followers.values()) for (const wake of wakes) wake();
  };
  const listening = await database.listen(`${RUNS_CHANNEL}.${schema}`, (payload) => {
    if (payload === '') wakeAll();
    else if (!payload.startsWith('q:')) for (const wake of followers.get(payload.slice(2)) ?? []) wake();
  });
  const timer = setInterval(wakeAll, LOOK_EVERY_MS);
  timer.unref();
  return {
    follow(runId, wake) {
      const wakes = followers.get(runId) ?? new Set();
      wakes.add(wake);
      followers.set(runId, wakes);
      return () => {
        wakes.delete(wake);
        if (wakes.size === 0 && followers.get(runId) === wakes) followers.delete(runId);
      };
    },
    async close() {
      clearInterval(timer);
      await listening.close();
    },
  };
}
