import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@cairn/postgres';
import { afterMs, leaseTable, whileLeased } from '@cairn/work-queue';

/** A process that dies while it holds a host blocks it no longer than this. */
const LEASE_MS = 10_000;
const RENEW_INTERVAL_MS = 2_500;
const RETRY_MS = 50;
const RETRY_MAX_MS = 1_000;

const HOSTS = leaseTable({ name: 'crawl_hosts', key: ['host'], owner: 'busy_by', until: 'busy_until' });

/**
 * Runs the work while holding the lock of a host: one request at a time over all runs and replicas, and not before the
 * pause after the previous request is over.
 */
export async function withHostLock<T>(
  database: Database,
  { host, holder, pauseMs, signal }: { host: string; holder: string; pauseMs: number; signal: AbortSignal },
  work: () => Promise<T>,
): Promise<T> {
  const claim = { host, busy_by: holder };
  await acquireHost(database, claim, signal);
  const extend = () => database.transaction((tx) => HOSTS.extend(tx, claim, LEASE_MS));
  try {
    return await whileLeased({ everyMs: RENEW_INTERVAL_MS, extend }, work);
  } finally {
    const set = `busy_by = NULL, busy_until = NULL, next_at = ${afterMs('$1')}`;
    await database.transaction((tx) => HOSTS.update(tx, claim, set, [pauseMs]));
  }
}

async function acquireHost(
  database: Database,
  { host, busy_by: owner }: { host: string; busy_by: string },
  signal: AbortSignal,
): Promise<void> {
  const free = { due: 'host = $1 AND next_at <= now()', values: [host], orderBy: 'host' };
  // Backs off exponentially while others hold the host; the end of a pause is known.
  for (let retryMs = RETRY_MS; ; retryMs = Math.min(retryMs * 2, RETRY_MAX_MS)) {
    signal.throwIfAborted();
    const pausedMs = await database.transaction(async (tx) => {
      await tx.execute('INSERT INTO crawl_hosts (host) VALUES ($1) ON CONFLICT DO NOTHING', [host]);
      const [acquired] = await HOSTS.claimDue(tx, { owner, leaseMs: LEASE_MS, max: 1 }, free);
      if (acquired !== undefined) return null;
      const [state] = await tx.query<{ wait_ms: number }>(
        'SELECT extract(epoch FROM next_at - now())::float8 * 1000 AS wait_ms FROM crawl_hosts WHERE host = $1',
        [host],
      );
      return state?.wait_ms ?? 0;
    });
    if (pausedMs === null) return;
    await sleep(Math.min(Math.max(pausedMs, retryMs), RETRY_MAX_MS), undefined, { signal });
  }
}
