import { z } from 'zod';
import { STREAM_EVENTS, type StreamEvent, streamBodySchema } from '../events/public-events.ts';
import { defineOperation } from '../operation.ts';
import { id, listOf } from './shared.ts';

/** How long an event can be read again; a client that was away longer gets an error. */
export const EVENTS_RETENTION_DAYS = 3;

/** The event that only says how far the stream is. */
export const STREAM_POSITION_EVENT = 'stream.position';

const POSITION_MAX = 1_000_000_000_000_000;

const position = z
  .number()
  .int()
  .meta({ description: 'What `Last-Event-ID` and `last_event_id` take: everything up to here was sent.' });

const StreamPosition = z.object({ position }).meta({ id: 'StreamPosition' });

/** `MemoryIngestCompletedEvent` for `memory.ingest.completed`. */
function schemaNameOf(event: StreamEvent): string {
  const words = event.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Event`;
}

/** The event as it is sent, with its position. */
function streamedSchema(event: StreamEvent): z.ZodType<Record<string, unknown>> {
  return streamBodySchema(event)
    .extend({ position })
    .meta({ id: schemaNameOf(event) });
}

const tenantEvents = Object.fromEntries(STREAM_EVENTS.map((event) => [event, streamedSchema(event)])) as Record<
  StreamEvent,
  ReturnType<typeof streamedSchema>
>;

export const streamEvents = defineOperation({
  id: 'streamEvents',
  sdk: 'events.stream',
  method: 'GET',
  path: '/api/v1/events/stream',
  tag: 'Events',
  service: 'webhooks',
  app: 'webhooks',
  action: 'read',
  scope: null,
  reach: 'memory',
  summary: 'Follow what happens as server-sent events',
  description:
    'Sends what happens, each event once and in order: from now on, or after `Last-Event-ID`. The events that webhooks receive come with the same bodies; besides, it tells of documents that were queued, failed or deleted, of the status of runs, and of credentials. An event needs the scope of the operations that show the same: `documents:read` for documents, `graph:read` for entities, contradictions and health, `search:run` for runs, `keys:read` for credentials; a credential of one memory sees that memory, one of one space is refused. Events are kept for three days, and 409 says that some after the given one may be gone. A stream ends after ten minutes; reconnect with the last id, which `stream.position` renews while nothing else happens.',
  errors: ['conflict'],
  query: z.strictObject({
    types: listOf(STREAM_EVENTS)
      .optional()
      .meta({ description: 'Only these, separated by commas; without it all that the credential may see.' }),
    memory_id: id('memory').optional().meta({ description: 'Only those of this memory.' }),
    last_event_id: z.coerce.number().int().min(0).max(POSITION_MAX).optional().meta({
      description: 'For those who cannot send the header `Last-Event-ID`. 0: everything that is kept.',
    }),
    follow: z
      .enum(['true', 'false'])
      .default('true')
      .meta({ description: '`false`: the stream ends with the last event that there is.' }),
  }),
  response: { kind: 'stream', events: { ...tenantEvents, [STREAM_POSITION_EVENT]: StreamPosition } },
});
