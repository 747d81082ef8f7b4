import type * as operations from '@cairn/contracts';
import { STREAM_EVENT_TYPES, STREAM_EVENTS, STREAM_POSITION_EVENT, type StreamEvent } from '@cairn/contracts';
import { CairnError, validationFailed } from '@cairn/errors';
import { confine, type Identity, missingPermission } from '@cairn/identity';
import type { Database } from '@cairn/postgres';
import type { Emit, RequestContext, StreamContext } from '@cairn/service-kit';
import type { EventFeed } from './event-feed.ts';
import { followEvents } from './follow-events.ts';
import { type Positions, readPositions } from './read-events.ts';

/** Streams of one tenant at one replica; each costs a query for every batch of events. */
const STREAMS_PER_TENANT_MAX = 50;
const RETRY_AFTER_SECONDS = 30;

type Request = RequestContext<typeof operations.streamEvents> & StreamContext;

/** Streams the tenant's events that the credential may see, from the client's position. */
export async function streamEvents(
  deps: { database: Database; feed: EventFeed },
  { identity, query, lastEventId, open, signal }: Request,
  emit: Emit<typeof operations.streamEvents>,
): Promise<void> {
  const { tenantId, livemode } = identity;
  const memoryId = memoryOf(identity, query.memory_id);
  const types = visibleTypes(identity, query.types);
  if (deps.feed.followers(tenantId) >= STREAMS_PER_TENANT_MAX)
    throw new CairnError('rate_limited', 'The tenant follows its events by too many streams.', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  const given = positionOf(lastEventId) ?? query.last_event_id;
  const after = startOf(given, await readPositions(deps.database, tenantId));
  open();
  const followed = { tenantId, livemode, types, memoryId, after, toEnd: query.follow === 'false' };
  for await (const { position, next } of followEvents(deps, followed, signal)) {
    if (next === null) await emit(STREAM_POSITION_EVENT, { position }, String(position));
    else await emit(next.event, { ...(JSON.parse(next.body) as Record<string, unknown>), position }, String(position));
  }
}

/** The only memory whose events are shown, or null. */
function memoryOf(identity: Identity, named: string | undefined): string | null {
  const place = confine(identity, { memoryId: named });
  if (!place.ok) throw new CairnError('memory_not_permitted', 'The credential does not reach this memory.');
  if (place.spaceId !== null)
    throw new CairnError('permission_denied', 'Events are those of whole memories; the credential reaches one space.');
  return place.memoryId;
}

/** What was asked for, all of which must be allowed; without it whatever is allowed. */
function visibleTypes(identity: Identity, asked: readonly StreamEvent[] | undefined): StreamEvent[] {
  const missing = (event: StreamEvent) => {
    const { app, scope } = STREAM_EVENT_TYPES[event];
    return missingPermission(identity, { app, action: 'read', scope });
  };
  const visible = (asked ?? STREAM_EVENTS).filter((event) => missing(event) === null);
  if (visible.length === 0 || (asked !== undefined && visible.length < asked.length)) {
    const lacking = (asked ?? STREAM_EVENTS).map(missing).find((each) => each !== null);
    throw new CairnError('permission_denied', `The key lacks ${lacking}.`);
  }
  return visible;
}

function positionOf(lastEventId: string | undefined): number | undefined {
  if (lastEventId === undefined || lastEventId === '') return undefined;
  if (!/^\d{1,15}$/.test(lastEventId))
    throw validationFailed([{ path: 'Last-Event-ID', message: 'is not the id of an event' }]);
  return Number(lastEventId);
}

/** Where the stream begins: at the end, at the given position, or with 0 at the first that is kept. */
function startOf(given: number | undefined, { last, expiredThrough }: Positions): number {
  if (given === undefined) return last;
  if (given === 0) return expiredThrough;
  if (given > last)
    throw new CairnError('conflict', 'No event of this position was sent; begin without Last-Event-ID.');
  if (given < expiredThrough)
    throw new CairnError('conflict', 'Events after this position are no longer kept; begin without Last-Event-ID.');
  return given;
}
