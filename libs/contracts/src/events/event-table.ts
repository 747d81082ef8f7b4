import type { EventDeclaration, EventKind, EventService } from './event-declaration.ts';
import { KEY_EVENTS } from './key-events.ts';
import { MEMORY_EVENTS } from './memory-events.ts';
import { RUN_EVENTS } from './run-events.ts';
import { TENANCY_EVENTS } from './tenancy-events.ts';
import { USAGE_EVENTS } from './usage-events.ts';

/**
 * Every kind of event, declared once; one that protobuf has and this table lacks does not compile. Events are listed in
 * this order wherever users see them.
 */
export const EVENTS = {
  ...TENANCY_EVENTS,
  ...MEMORY_EVENTS,
  ...RUN_EVENTS,
  ...KEY_EVENTS,
  ...USAGE_EVENTS,
} as const satisfies { [Kind in EventKind]: EventDeclaration<Kind> };

/** The subject each kind of event is published under, without tenant, workspace and memory. */
export const EVENT_SUBJECTS = ofEachKind(({ subject }) => subject);

/** The services that may publish each kind of event. */
export const EVENT_PUBLISHERS = ofEachKind(({ publishers }): readonly EventService[] => publishers);

function ofEachKind<Part>(
  partOf: (declaration: (typeof EVENTS)[EventKind]) => Part,
): Readonly<Record<EventKind, Part>> {
  const parts = Object.entries(EVENTS).map(([kind, declaration]) => [kind, partOf(declaration)]);
  return Object.fromEntries(parts) as Record<EventKind, Part>;
}
