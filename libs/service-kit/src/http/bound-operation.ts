import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type ResponseOf,
  type EventData,
  type FileOperation,
  type GuardedOperation,
  type JsonOperation,
  type McpOperation,
  type PublicOperation,
  type Operation,
  type RequestOf,
  type SocketOperation,
  type StreamOperation,
} from '@cairn/contracts';
import { CairnError, type OAuthErrorBody } from '@cairn/errors';
import type { Identity } from '@cairn/identity';

/** What a handler receives: the validated request, the caller, and when to stop. */
export type RequestContext<O extends GuardedOperation> = RequestOf<O> & {
  identity: Identity;
  /** The verified token itself, to call another service on behalf of the caller; see `RpcOptions`. */
  identityToken: string;
  requestId: string;
  idempotencyKey: string | undefined;
  /** Aborts when the client is gone or the time is up. */
  signal: AbortSignal;
};

/** What the handler of a stream receives as well. */
export interface StreamContext {
  /** The `Last-Event-ID` of a client that comes back (WHATWG HTML, 9.2.4). */
  lastEventId: string | undefined;
  /** Sends the headers before there is an event to send. */
  open: () => void;
}

/** Sends one event; with an `id` the client can come back to where it was. */
export type Emit<O extends StreamOperation> = <Name extends keyof O['response']['events'] & string>(
  event: Name,
  data: EventData<O, Name>,
  id?: string,
) => Promise<void>;

/** A document instead of a JSON value. */
export interface FileResponse {
  mediaType: string;
  /** In parts when it is written while it is read; what throws between them cuts the answer off. */
  body: string | Uint8Array | AsyncIterable<string>;
  headers?: Readonly<Record<string, string>>;
}

export interface JsonResponse<O extends JsonOperation> {
  body: ResponseOf<O>;
  /** When it differs from the operation's own, e.g. that of a replayed response. */
  status?: number;
  replayed?: boolean;
  headers?: Readonly<Record<string, string>>;
}

/** What the handler of a public operation receives: nobody has vouched for the caller. */
export type PublicRequestContext<O extends PublicOperation> = RequestOf<O> & {
  /** How the client authenticates, when it does so in the header: `Basic …`. */
  authorization: string | undefined;
  clientAddress: string;
  /** What the client calls itself; empty when it does not say. */
  userAgent: string;
  requestId: string;
  signal: AbortSignal;
};

export interface PublicResponse<O extends PublicOperation> {
  body: ResponseOf<O> | OAuthErrorBody;
  status?: number;
  headers?: Readonly<Record<string, string>>;
}

type AnyContext = RequestContext<GuardedOperation>;

/** Writes the response itself: request and response are Node's, the body is parsed. */
type McpHandler = (context: AnyContext, request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** An operation with its handler. */
export type BoundOperation =
  | {
      operation: JsonOperation;
      kind: 'json';
      handle: (context: AnyContext) => Promise<JsonResponse<JsonOperation>>;
    }
  | {
      operation: PublicOperation;
      kind: 'public';
      handle: (context: PublicRequestContext<PublicOperation>) => Promise<PublicResponse<PublicOperation>>;
    }
  | {
      operation: StreamOperation;
      kind: 'stream';
      handle: (
        context: AnyContext & StreamContext,
        emit: (event: string, data: unknown, id?: string) => Promise<void>,
      ) => Promise<void>;
    }
  | { operation: FileOperation; kind: 'file'; handle: (context: AnyContext) => Promise<FileResponse> }
  | { operation: SocketOperation; kind: 'socket' }
  | { operation: McpOperation; kind: 'mcp'; handle: McpHandler };

/** Binds a JSON operation to its handler. */
export function handle<O extends JsonOperation>(
  operation: O,
  handle: (context: RequestContext<O>) => Promise<JsonResponse<O>>,
): BoundOperation {
  return { operation, kind: 'json', handle: handle as never };
}

/** Binds an operation that needs no credential to its handler. */
export function handlePublic<O extends PublicOperation>(
  operation: O,
  handle: (context: PublicRequestContext<O>) => Promise<PublicResponse<O>>,
): BoundOperation {
  return { operation, kind: 'public', handle: handle as never };
}

/** Binds a streamed operation to its handler; what it throws before its first event is a plain error response. */
export function stream<O extends StreamOperation>(
  operation: O,
  handle: (context: RequestContext<O> & StreamContext, emit: Emit<O>) => Promise<void>,
): BoundOperation {
  return { operation, kind: 'stream', handle: handle as never };
}

/** Binds an operation that returns a document. */
export function file<O extends FileOperation>(
  operation: O,
  handle: (context: RequestContext<O>) => Promise<FileResponse>,
): BoundOperation {
  return { operation, kind: 'file', handle: handle as never };
}

/** Declares that the service upgrades connections to this operation; a request without an upgrade is a 426. */
export function socket(operation: SocketOperation): BoundOperation {
  return { operation, kind: 'socket' };
}

/** Binds an endpoint of the Model Context Protocol to its handler. */
export function handleMcp<O extends McpOperation>(
  operation: O,
  handle: (context: RequestContext<O>, request: IncomingMessage, response: ServerResponse) => Promise<void>,
): BoundOperation {
  return { operation, kind: 'mcp', handle: handle as never };
}

/** Fails at start when an operation of the service has no handler, or one that is not its own. */
export function assertComplete(
  service: string,
  declared: readonly Operation[],
  bound: readonly BoundOperation[],
): void {
  const wanted = declared.filter((operation) => operation.service === service).map((operation) => operation.id);
  const have = bound.map(({ operation }) => operation.id);
  const missing = wanted.filter((id) => !have.includes(id));
  const stray = have.filter((id) => !wanted.includes(id));
  if (missing.length > 0 || stray.length > 0) {
    throw new CairnError('internal', 'The service is not complete.', {
      internal: `${service}: operations without handler [${missing.join(', ')}], handlers without operation [${stray.join(', ')}]`,
    });
  }
}
