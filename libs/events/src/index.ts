export { connectEventBus, DEAD_LETTER_STREAM, EVENT_STREAM } from './connection.ts';
export type { EventBus, EventBusOptions } from './connection.ts';
export { consumeEvents } from './consume.ts';
export type { ConsumeOptions } from './consume.ts';
export { runEventWork } from './event-work.ts';
export type { EventWorkOptions } from './event-work.ts';
export { publishEvent } from './publish.ts';
export { eraseEvents, type EventsOf } from './erase-events.ts';
export { relayOutbox } from './relay.ts';
