import { allCalls } from './calls.ts';
import { invoke } from './invoke.ts';
import { reconnecting } from './reconnect.ts';
import type { RequestOptions } from './shapes.ts';
import type { Transport } from './transport.ts';
import type { StreamEventsEvent, StreamEventsParams } from '../gen/resources.ts';

/** What happened, with its position in the stream. */
export type TenantEvent = Exclude<StreamEventsEvent, { type: 'stream.position' }>;

/** Which events are followed: they go on until the loop is left. */
export type EventsToFollow = Omit<StreamEventsParams, 'follow'>;

/** Follows the tenant's events; a connection that breaks off is opened again after the last event that was seen. */
export function followEvents(
  transport: Transport,
  { last_event_id: after, ...params }: EventsToFollow = {},
  options: RequestOptions = {},
  defaults: Record<string, unknown> = {},
): AsyncGenerator<TenantEvent> {
  let seen = after;
  const events = reconnecting<StreamEventsEvent>({
    open() {
      const from = seen === undefined ? {} : { last_event_id: seen };
      const given = [{ ...params, ...from }, options];
      return invoke(transport, allCalls().get('events.stream')!, given, defaults) as AsyncIterable<StreamEventsEvent>;
    },
    take(event) {
      const isPosition = event.type === 'stream.position';
      if (seen !== undefined && (event.position < seen || (event.position === seen && !isPosition))) return 'repeated';
      seen = event.position;
      return isPosition ? 'noted' : 'new';
    },
    isLast: () => false,
    brokeOff: () => `The events broke off after ${seen}.`,
    signal: options.signal,
  });
  return events as AsyncGenerator<TenantEvent>;
}
