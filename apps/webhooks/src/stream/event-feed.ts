import type { Database } from '@cairn/postgres';
import { type Logger, repeat, type Running } from '@cairn/service-kit';

const POLL_MS = 500;

/** Tells streams that their tenant has new events, whichever replica took them in. */
export interface EventFeed extends Running {
  /** Calls back whenever there may be news; returns a function that ends it. */
  follow(tenantId: string, onNews: () => void): () => void;
  /** How many streams of the tenant are followed here. */
  followers(tenantId: string): number;
}

/** One small query for all streams of the replica, and none while there is no stream. */
export function startEventFeed(deps: { database: Database; logger: Logger }): EventFeed {
  const followers = new Map<string, Set<() => void>>();
  const seen = new Map<string, number>();
  const poll = async () => {
    if (followers.size === 0) return;
    const rows = await deps.database.transaction((tx) =>
      tx.query<{ tenant_id: string; last_position: number }>({
        name: 'event_feed_poll',
        text: 'SELECT tenant_id, last_position FROM event_positions WHERE tenant_id = ANY($1)',
        values: [[...followers.keys()]],
      }),
    );
    for (const { tenant_id: tenantId, last_position: last } of rows) {
      if (seen.get(tenantId) === last) continue;
      const own = followers.get(tenantId);
      if (own === undefined) continue;
      seen.set(tenantId, last);
      for (const onNews of own) onNews();
    }
  };
  const polling = repeat(POLL_MS, poll, (error) =>
    deps.logger.warn({ err: error }, 'event streams: looking for new events failed; retrying'),
  );
  return {
    follow(tenantId, onNews) {
      const own = followers.get(tenantId) ?? new Set();
      followers.set(tenantId, own.add(onNews));
      return () => {
        own.delete(onNews);
        if (own.size > 0) return;
        followers.delete(tenantId);
        seen.delete(tenantId);
      };
    },
    followers: (tenantId) => followers.get(tenantId)?.size ?? 0,
    close: polling.close,
  };
}
