import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type AnswerOf,
  type EventData,
  type FileOperation,
  type GuardedOperation,
  type JsonOperation,
  type McpOperation,
  type OpenOperation,
  type Operation,
  type RequestOf,
  type SocketOperation,
  type StreamOperation,
} from '@cairn/contracts';
import { CairnError, type OAuthErrorBody } from '@cairn/errors';
import type { Identity } from '@cairn/identity';

/** What a handler is given: the validated request, who calls, and when to stop. */
export type Call<O extends GuardedOperation> = RequestOf<O> & {
  identity: Identity;
  /** The verified token itself, to call another service on behalf of the caller; see `RpcOptions`. */
  identityToken: string;
  requestId: string;
  idempotencyKey: string | undefined;
  /** Aborts when the client is gone or the time is up. */
  signal: AbortSignal;
};

/** What the handler of a stream is given besides. */
export interface StreamCall {
  /** The `Last-Event-ID` of a client that comes back (WHATWG HTML, 9.2.4). */
  lastEventId: string | undefined;
  /** Sends the headers before there is an event to send. */
  open: () => void;
}

/** Sends one event; with an `id` the client can come back to where it was. */
export type Emit<O extends StreamOperation> = <Name extends keyof O['answer']['events'] & string>(
  event: Name,
  data: EventData<O, Name>,
  id?: string,
) => Promise<void>;

/** A document instead of a JSON value. */
export interface FileAnswer {
  mediaType: string;
  body: string | Uint8Array;
  headers?: Readonly<Record<string, string>>;
}

export interface JsonAnswer<O extends JsonOperation> {
  body: AnswerOf<O>;
  /** When another than the operation's own, e.g. that of a replayed answer. */
  status?: number;
  replayed?: boolean;
}

/** What the handler of an operation without a credential is given: nobody has vouched for the caller. */
export type OpenCall<O extends OpenOperation> = RequestOf<O> & {
  /** How the client authenticates, when it does so in the header: `Basic …`. */
  authorization: string | undefined;
  signal: AbortSignal;
};

export interface OpenAnswer<O extends OpenOperation> {
  body: AnswerOf<O> | OAuthErrorBody;
  status?: number;
  headers?: Readonly<Record<string, string>>;
}

type AnyCall = Call<GuardedOperation>;

/** Answers by itself: request and response are Node's, the body is parsed. */
type McpHandler = (call: AnyCall, request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** An operation with the function that answers it. */
export type BoundOperation =
  | {
      operation: JsonOperation;
      kind: 'json';
      handle: (call: AnyCall) => Promise<{ body: unknown; status?: number; replayed?: boolean }>;
    }
  | {
      operation: OpenOperation;
      kind: 'open';
      handle: (call: OpenCall<OpenOperation>) => Promise<OpenAnswer<OpenOperation>>;
    }
  | {
      operation: StreamOperation;
      kind: 'stream';
      handle: (
        call: AnyCall & StreamCall,
        emit: (event: string, data: unknown, id?: string) => Promise<void>,
      ) => Promise<void>;
    }
  | { operation: FileOperation; kind: 'file'; handle: (call: AnyCall) => Promise<FileAnswer> }
  | { operation: SocketOperation; kind: 'socket' }
  | { operation: McpOperation; kind: 'mcp'; handle: McpHandler };

/** Binds a JSON operation to its handler. */
export function answer<O extends JsonOperation>(
  operation: O,
  handle: (call: Call<O>) => Promise<JsonAnswer<O>>,
): BoundOperation {
  return { operation, kind: 'json', handle: handle as never };
}

/** Binds an operation that needs no credential to its handler. */
export function answerAnyone<O extends OpenOperation>(
  operation: O,
  handle: (call: OpenCall<O>) => Promise<OpenAnswer<O>>,
): BoundOperation {
  return { operation, kind: 'open', handle: handle as never };
}

/** Binds a streamed operation to its handler; what it throws before its first event is a plain error answer. */
export function stream<O extends StreamOperation>(
  operation: O,
  handle: (call: Call<O> & StreamCall, emit: Emit<O>) => Promise<void>,
): BoundOperation {
  return { operation, kind: 'stream', handle: handle as never };
}

/** Binds an operation that answers with a document. */
export function file<O extends FileOperation>(
  operation: O,
  handle: (call: Call<O>) => Promise<FileAnswer>,
): BoundOperation {
  return { operation, kind: 'file', handle: handle as never };
}

/** Says that the service takes upgrades of this operation; who comes without one is told so. */
export function socket(operation: SocketOperation): BoundOperation {
  return { operation, kind: 'socket' };
}

/** Binds an endpoint of the Model Context Protocol to what speaks it. */
export function speakMcp<O extends McpOperation>(
  operation: O,
  handle: (call: Call<O>, request: IncomingMessage, response: ServerResponse) => Promise<void>,
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
