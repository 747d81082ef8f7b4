import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@cairn/postgres';

/** A process that dies while it holds a host blocks it no longer than this. */
const LEASE_MS = 10_000;
const RENEW_INTERVAL_MS = 2_500;
const RETRY_MS = 50;
const RETRY_MAX_MS = 1_000;

/**
 * Runs the work while holding the lock of a host: one request at a time over all runs and replicas, and not before the
 * pause after the previous request is over.
 */
export async function withHostLock<T>(
  database: Database,
  claim: { host: string; holder: string; pauseMs: number; signal: AbortSignal },
  work: () => Promise<T>,
): Promise<T> {
  await acquireHost(database, claim);
  const renewal = setInterval(() => {
    // A failed renewal is harmless: while the database is unreachable nobody else can acquire the host.
    renewLease(database, claim).catch(() => undefined);
  }, RENEW_INTERVAL_MS);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    await database.transaction((tx) =>
      tx.execute(
        `UPDATE crawl_hosts SET busy_by = NULL, busy_until = NULL, next_at = now() + make_interval(secs => $3::float8 / 1000)
          WHERE host = $1 AND busy_by = $2`,
        [claim.host, claim.holder, claim.pauseMs],
      ),
    );
  }
}

async function acquireHost(
  database: Database,
  claim: { host: string; holder: string; signal: AbortSignal },
): Promise<void> {
  // Backs off exponentially while others hold the host; the end of a pause is known.
  for (let retryMs = RETRY_MS; ; retryMs = Math.min(retryMs * 2, RETRY_MAX_MS)) {
    claim.signal.throwIfAborted();
    const [state] = await database.transaction(async (tx) => {
      await tx.execute('INSERT INTO crawl_hosts (host) VALUES ($1) ON CONFLICT DO NOTHING', [claim.host]);
      return tx.query<{ acquired: boolean; wait_ms: number }>(
        `WITH free AS (
           UPDATE crawl_hosts SET busy_by = $2, busy_until = now() + make_interval(secs => $3::float8 / 1000)
            WHERE host = $1 AND (busy_until IS NULL OR busy_until < now()) AND next_at <= now() RETURNING 1)
         SELECT EXISTS (SELECT FROM free) AS acquired,
                extract(epoch FROM next_at - now())::float8 * 1000 AS wait_ms
           FROM crawl_hosts WHERE host = $1`,
        [claim.host, claim.holder, LEASE_MS],
      );
    });
    if (state?.acquired === true) return;
    const waitMs = Math.min(Math.max(state?.wait_ms ?? 0, retryMs), RETRY_MAX_MS);
    await sleep(waitMs, undefined, { signal: claim.signal });
  }
}

async function renewLease(database: Database, claim: { host: string; holder: string }): Promise<void> {
  await database.transaction((tx) =>
    tx.execute(
      `UPDATE crawl_hosts SET busy_until = now() + make_interval(secs => $3::float8 / 1000)
        WHERE host = $1 AND busy_by = $2`,
      [claim.host, claim.holder, LEASE_MS],
    ),
  );
}
