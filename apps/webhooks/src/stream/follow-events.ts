import type { StreamEvent } from '@cairn/contracts';
import type { Database } from '@cairn/postgres';
import type { EventFeed } from './event-feed.ts';
import { type EventSubscription, readEvents } from './read-events.ts';

/** What a stream sends next: an event, or with null only how far it is. */
interface Step {
  position: number;
  next: { event: StreamEvent; body: string } | null;
}

const POSITION_EVERY_MS = 15_000;

/**
 * Yields the events after the position, each once and in order, then new ones as they come, and now and then how far it
 * has looked. Returns without an error when the signal aborts, or with `toEnd` when there is no more.
 */
export async function* followEvents(
  deps: { database: Database; feed: EventFeed },
  followed: EventSubscription & { after: number; toEnd: boolean },
  signal: AbortSignal,
): AsyncGenerator<Step> {
  const bell = createBell();
  const unfollow = deps.feed.follow(followed.tenantId, bell.ring);
  const ticking = setInterval(bell.ring, POSITION_EVERY_MS);
  signal.addEventListener('abort', bell.ring, { once: true });
  try {
    let [looked, sent] = [followed.after, followed.after];
    yield { position: sent, next: null };
    let lastSentAtMs = performance.now();
    while (!signal.aborted) {
      bell.hush();
      const { events, through } = await readEvents(deps.database, followed, looked);
      for (const { position, ...next } of events) {
        if (signal.aborted) return;
        yield { position, next };
        [sent, lastSentAtMs] = [position, performance.now()];
      }
      const hasMore = through > looked && events.length > 0 && through === events.at(-1)!.position;
      looked = through;
      if (hasMore) continue;
      const isDue = followed.toEnd || performance.now() - lastSentAtMs >= POSITION_EVERY_MS;
      if (sent < looked && isDue) {
        yield { position: looked, next: null };
        [sent, lastSentAtMs] = [looked, performance.now()];
      }
      if (followed.toEnd) return;
      await bell.rung(signal);
    }
  } finally {
    signal.removeEventListener('abort', bell.ring);
    clearInterval(ticking);
    unfollow();
  }
}

/** Remembers that it was rung while nobody waited. */
function createBell() {
  let isRung = false;
  let wake = () => undefined as void;
  return {
    ring() {
      isRung = true;
      wake();
    },
    hush() {
      isRung = false;
    },
    async rung(signal: AbortSignal) {
      if (!isRung && !signal.aborted) await new Promise<void>((resolve) => (wake = resolve));
    },
  };
}
