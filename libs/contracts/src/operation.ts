import type { z } from 'zod';
import type { App, AppAction, Scope } from './permissions.ts';

export type ServiceName = 'keys' | 'tenancy' | 'memory';
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What a server-sent events operation emits, by event name, in this order. */
export type StreamEvents = Readonly<Record<string, z.ZodType>>;

interface OperationBase {
  id: string;
  method: Method;
  /** Path template with `{name}` parameters, from the base URL's root. */
  path: string;
  summary: string;
  tag: string;
  /** The service that answers. */
  service: ServiceName;
  app: App;
  action: AppAction;
  scope: Scope;
  /** `memory`: also for keys that are bound to one memory, and on that memory's hostname. */
  reach: 'tenant' | 'memory';
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  /** Largest body accepted; larger ones are 413. */
  bodyMaxBytes?: number;
  /** True when the call creates or charges, so that `Idempotency-Key` is honoured. */
  idempotent?: boolean;
}

export interface JsonOperation extends OperationBase {
  answer: { kind: 'json'; status: 200 | 201 | 202; schema: z.ZodType };
}

export interface StreamOperation extends OperationBase {
  answer: { kind: 'stream'; events: StreamEvents };
}

/**
 * One operation of the public API. The gateway routes and authorises by it, the service validates by it,
 * and the OpenAPI document is made of it; there is no second place.
 */
export type Operation = JsonOperation | StreamOperation;

export const DEFAULT_BODY_MAX_BYTES = 1_048_576;

/** Declares an operation and keeps its exact types, so that a handler is checked against its schemas. */
export function defineOperation<const O extends Operation>(operation: O): O {
  return operation;
}

type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined;

/** The validated parts of a request to `O`. */
export interface RequestOf<O extends Operation> {
  params: Parsed<O['params']>;
  query: Parsed<O['query']>;
  body: Parsed<O['body']>;
}

/** The body that `O` answers with. */
export type AnswerOf<O extends JsonOperation> = z.input<O['answer']['schema']>;

/** The data of one event of `O`. */
export type EventData<O extends StreamOperation, Name extends keyof O['answer']['events']> = z.input<
  O['answer']['events'][Name]
>;
