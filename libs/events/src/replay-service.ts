import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { EventReplayService } from '@cairn/contracts';
import { validationFailed } from '@cairn/errors';
import { type Database, type PublishedBetween, publishedSince, replayPublished } from '@cairn/postgres';
import { type BoundService, requireService, rpc } from '@cairn/service-kit';

const TIME_SLICE_MS = 2_000;

/**
 * Lets the operator have events published again. `databases` returns the worker databases whose outboxes this service
 * publishes.
 */
export function eventReplayService(databases: () => readonly Database[]): BoundService {
  return rpc(EventReplayService, {
    async replayEvents(request, context) {
      requireService(context, 'operator');
      if (request.since === undefined || request.until === undefined)
        throw validationFailed([{ path: 'since', message: 'and until are required' }]);
      const now = new Date();
      const until = timestampDate(request.until);
      // What is published again counts as published now, and would be met again.
      const between = { since: timestampDate(request.since), until: until > now ? now : until };
      const all = databases();
      const kept = await Promise.all(all.map(publishedSince));
      const oldest = kept.filter((at) => at !== null).toSorted((a, b) => a.getTime() - b.getTime())[0];
      const { replayed, finished } = await replaySome(all, between);
      const keptSince = oldest === undefined ? {} : { keptSince: timestampFromDate(oldest) };
      return { replayed: BigInt(replayed), finished, ...keptSince };
    },
  });
}

async function replaySome(
  databases: readonly Database[],
  between: PublishedBetween,
): Promise<{ replayed: number; finished: boolean }> {
  const deadline = performance.now() + TIME_SLICE_MS;
  let replayed = 0;
  for (const database of databases) {
    for (;;) {
      const moved = await replayPublished(database, between);
      replayed += moved;
      if (moved === 0) break;
      if (performance.now() > deadline) return { replayed, finished: false };
    }
  }
  return { replayed, finished: true };
}
