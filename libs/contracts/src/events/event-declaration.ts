import type { z } from 'zod';
import type { Event } from '../gen/cairn/events/v1/events_pb.ts';
import type { App, Scope } from '../permissions.ts';

/** The services that have to do with events; each has a user of its own at the broker. */
export const EVENT_SERVICES = ['keys', 'tenancy', 'memory', 'research', 'webhooks', 'usage'] as const;
export type EventService = (typeof EVENT_SERVICES)[number];

/** A case of `payload` in `proto/cairn/events/v1/events.proto`. */
export type EventKind = NonNullable<Event['payload']['case']>;
type EventValue<Kind extends EventKind> = Extract<Event['payload'], { case: Kind }>['value'];

/** Everything about one kind of event; what is public of it is null if no user sees it. */
export interface EventDeclaration<Kind extends EventKind = EventKind> {
  /**
   * Followed by tenant, workspace and memory (`_` for none), so that everything about one of them can be taken out of
   * the stream.
   */
  subject: string;
  /** Who may publish it. The broker enforces this, so that a subject identifies who wrote the event. */
  publishers: readonly EventService[];
  public: PublicDeclaration<EventValue<Kind>> | null;
}

/** What users see of an event. `Value` is the protobuf message that it is made from. */
export interface PublicDeclaration<
  Value = never,
  Name extends string = string,
  Receivers extends 'webhooks' | 'stream' = 'webhooks' | 'stream',
  Payload extends z.ZodObject = z.ZodObject,
> {
  event: Name;
  /**
   * `webhooks`: they can subscribe to it, and the event stream sends it as well. `stream`: the event stream alone sends
   * what is too much, or too much about the caller's own doings, to be delivered.
   */
  sentTo: Receivers;
  /** With `scope`, what a reader of the stream needs: that of the operations which show what the event reports. */
  app: App;
  scope: Scope;
  description: string;
  /** What is sent has these fields and no others. */
  payload: Payload;
  /** A payload as it may be; its ids exist nowhere. */
  example: z.output<Payload>;
  /** The vaults of the documents that it is about, so that it is deleted with their space; without it, none. */
  vaultIds?: (value: Value) => readonly string[];
  toPayload: (value: Value) => z.output<Payload>;
}

/** Declares what users see of an event; the name, the receivers and the payload keep their own types. */
export function definePublicEvent<
  const Name extends string,
  const Receivers extends 'webhooks' | 'stream',
  Value,
  Payload extends z.ZodObject,
>(declaration: PublicDeclaration<Value, Name, Receivers, Payload>): typeof declaration {
  return declaration;
}

/** The declarations of some kinds, each by its kind. */
export type EventDeclarations = { readonly [Kind in EventKind]?: EventDeclaration<Kind> };
