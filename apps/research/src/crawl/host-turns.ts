import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@cairn/postgres';

/** A process that died in its turn holds its host no longer than this. */
const HELD_MS = 10_000;
const HOLD_ON_EVERY_MS = 2_500;
const ASK_AGAIN_MS = 50;
const ASK_AGAIN_MAX_MS = 1_000;

/**
 * Does something with a host when it is this caller's turn: one at a time over all runs and replicas, and not before
 * the pause after the one before is over.
 */
export async function onHost<T>(
  database: Database,
  turn: { host: string; holder: string; pauseMs: number; signal: AbortSignal },
  work: () => Promise<T>,
): Promise<T> {
  await takeTurn(database, turn);
  const holdingOn = setInterval(() => {
    // When the database is away nobody else gets a turn either.
    holdOn(database, turn).catch(() => undefined);
  }, HOLD_ON_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(holdingOn);
    await database.transaction((tx) =>
      tx.execute(
        `UPDATE crawl_hosts SET busy_by = NULL, busy_until = NULL, next_at = now() + make_interval(secs => $3::float8 / 1000)
          WHERE host = $1 AND busy_by = $2`,
        [turn.host, turn.holder, turn.pauseMs],
      ),
    );
  }
}

async function takeTurn(
  database: Database,
  turn: { host: string; holder: string; signal: AbortSignal },
): Promise<void> {
  // Who waits for others asks ever less often; who waits for a pause knows how long it is.
  for (let askAgainMs = ASK_AGAIN_MS; ; askAgainMs = Math.min(askAgainMs * 2, ASK_AGAIN_MAX_MS)) {
    turn.signal.throwIfAborted();
    const [state] = await database.transaction(async (tx) => {
      await tx.execute('INSERT INTO crawl_hosts (host) VALUES ($1) ON CONFLICT DO NOTHING', [turn.host]);
      return tx.query<{ taken: boolean; wait_ms: number }>(
        `WITH free AS (
           UPDATE crawl_hosts SET busy_by = $2, busy_until = now() + make_interval(secs => $3::float8 / 1000)
            WHERE host = $1 AND (busy_until IS NULL OR busy_until < now()) AND next_at <= now() RETURNING 1)
         SELECT EXISTS (SELECT FROM free) AS taken,
                extract(epoch FROM next_at - now())::float8 * 1000 AS wait_ms
           FROM crawl_hosts WHERE host = $1`,
        [turn.host, turn.holder, HELD_MS],
      );
    });
    if (state?.taken === true) return;
    const waitMs = Math.min(Math.max(state?.wait_ms ?? 0, askAgainMs), ASK_AGAIN_MAX_MS);
    await sleep(waitMs, undefined, { signal: turn.signal });
  }
}

async function holdOn(database: Database, turn: { host: string; holder: string }): Promise<void> {
  await database.transaction((tx) =>
    tx.execute(
      `UPDATE crawl_hosts SET busy_until = now() + make_interval(secs => $3::float8 / 1000)
        WHERE host = $1 AND busy_by = $2`,
      [turn.host, turn.holder, HELD_MS],
    ),
  );
}
