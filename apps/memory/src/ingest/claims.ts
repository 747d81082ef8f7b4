import type { Database } from '@cairn/postgres';
import { extendLeases, type QueuedDocument } from '../ingest-queue.ts';

/** How long a claim holds without a sign of life. What a dead process held is taken up after it. */
export const LEASE_MS = 20_000;
const HEARTBEAT_MS = 5_000;

/** The claims of this process, kept alive while they are worked on. */
export interface HeldClaims {
  /** Holds the claims until `work` ends, whichever way. */
  during<T>(claimed: readonly QueuedDocument[], work: () => Promise<T>): Promise<T>;
  close(): void;
}

export function holdClaimsAlive(workerDatabase: Database, onError: (error: unknown) => void): HeldClaims {
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
