import type { Database } from '@cairn/postgres';
import { extendLeases, type QueuedDocument } from './queue.ts';

/** How long a claim holds without a heartbeat. Documents of a dead process are claimed again after it. */
export const LEASE_MS = 20_000;
const HEARTBEAT_MS = 5_000;

/** The claims of this process, whose leases are extended while they are processed. */
export interface HeldClaims {
  /** Holds the claims until `work` ends, whichever way. */
  during<T>(claimed: readonly QueuedDocument[], work: () => Promise<T>): Promise<T>;
  close(): void;
}

export function keepClaimsAlive(workerDatabase: Database, onError: (error: unknown) => void): HeldClaims {
  const held = new Set<QueuedDocument>();
  const timer = setInterval(() => {
    if (held.size === 0) return;
    workerDatabase.transaction((tx) => extendLeases(tx, [...held], LEASE_MS)).catch(onError);
  }, HEARTBEAT_MS);
  timer.unref();
  return {
    async during(claimed, work) {
      for (const document of claimed) held.add(document);
      try {
        return await work();
      } finally {
        for (const document of claimed) held.delete(document);
      }
    },
    close: () => clearInterval(timer),
  };
}
