import type { Database } from '@cairn/postgres';
import { NOTIFICATION, parseNotification, RUNS_CHANNEL } from './run-store.ts';

/** Wakes followers of run logs. Notifications carry no events: a follower that wakes reads the log. */
export interface RunFeed {
  /** Calls `wake` when the run's log may have grown, and periodically. Returns a function that unsubscribes. */
  follow(runId: string, wake: () => void): () => void;
  close(): Promise<void>;
}

/** The longest that a lost notification delays a follower. */
const POLL_INTERVAL_MS = 5_000;

export async function startRunFeed(database: Database, schema: string): Promise<RunFeed> {
  const followers = new Map<string, Set<() => void>>();
  const wakeAll = () => {
    for (const wakes of followers.values()) for (const wake of wakes) wake();
  };
  const listening = await database.listen(`${RUNS_CHANNEL}.${schema}`, (payload) => {
    const notification = parseNotification(payload);
    if (notification === null) wakeAll();
    else if (notification.code !== NOTIFICATION.queued)
      for (const wake of followers.get(notification.runId) ?? []) wake();
  });
  const timer = setInterval(wakeAll, POLL_INTERVAL_MS);
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
