import type { ErrorCode } from '@cairn/errors';
import type { z } from 'zod';
import type { App, AppAction, Scope } from './permissions.ts';

export const SERVICE_NAMES = ['keys', 'tenancy', 'memory', 'research', 'webhooks', 'usage'] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What a server-sent events operation emits, by event name, in this order. */
type StreamEvents = Readonly<Record<string, z.ZodType>>;

interface OperationShape {
  id: string;
  /** Its name in both SDKs, `resource.action`: one word each, or several in camel case; Python's is in snake case. */
  sdk: string;
  method: Method;
  /** Path template with `{name}` parameters, from the base URL's root. */
  path: string;
  /** A few words, an imperative, without a full stop. */
  summary: string;
  /** One to four sentences: what it does and promises, what the answer means, what comes next. */
  description: string;
  /** Error codes that this operation has beside those that every operation has (see `errorsOf`). */
  errors?: readonly ErrorCode[];
  tag: string;
  /** The service that answers. */
  service: ServiceName;
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  /** Largest body accepted; larger ones are 413. */
  bodyMaxBytes?: number;
  /** Most values (objects, lists and what is in them) that a JSON body may hold; more are 422. */
  bodyMaxValues?: number;
  /** The operation also takes a file, as multipart/form-data; without `body` it takes nothing else. */
  upload?: UploadShape;
  /**
   * Roughly what a call costs, in units of listing something, where that is more than its method suggests. It divides an
   * overloaded machine among tenants, and nothing else.
   */
  weight?: number;
}

/** One part `file`, and every other part a text field of the name. */
export interface UploadShape {
  fields: z.ZodObject;
  /** Largest file accepted; larger ones are 413. */
  fileMaxBytes: number;
}

/** A file as it came. Its name and media type are the caller's words. */
export interface UploadedFile {
  name: string;
  mediaType: string;
  bytes: Buffer;
}

/** Room for the fields and the boundaries beside the file. */
const UPLOAD_FRAME_MAX_BYTES = 256 * 1_024;

interface GuardedShape extends OperationShape {
  /** Said only by those that need none. */
  credential?: undefined;
  app: App;
  action: AppAction;
  /** Null: any valid credential may call it, whatever its scopes and app permissions, also on a memory's hostname. */
  scope: Scope | null;
  /** `memory`: also for keys that are bound to one memory, and on that memory's hostname. */
  reach: 'tenant' | 'memory';
  /** True when the call creates or charges, so that `Idempotency-Key` is honoured. */
  idempotent?: boolean;
  /** True when a `ticket` in the query may stand for the credential, for those who cannot send a header: browsers. */
  ticketed?: boolean;
}

/**
 * An operation for callers who have no credential yet. It passes the gateway's pipeline like any other, is limited by
 * the caller's address, and never carries an identity. It has no scope, so nothing that needs one takes it.
 */
export interface PublicOperation extends OperationShape {
  credential: 'none';
  /** A browser may call it only from a page of the host that it calls. */
  sameOrigin?: boolean;
  /** The body comes as application/x-www-form-urlencoded, and errors have RFC 6749's shape. */
  speaks?: 'oauth';
  response: { kind: 'json'; status: 200 | 201; schema: z.ZodType };
}

export interface JsonOperation extends GuardedShape {
  response: { kind: 'json'; status: 200 | 201 | 202; schema: z.ZodType };
}

export interface StreamOperation extends GuardedShape {
  response: { kind: 'stream'; events: StreamEvents };
}

/** Answers with a document instead of a JSON value: a download, or a page. */
export interface FileOperation extends GuardedShape {
  response: { kind: 'file'; mediaTypes: readonly string[] };
}

/** A connection that becomes a WebSocket. */
export interface SocketOperation extends GuardedShape {
  response: { kind: 'socket' };
}

/** An endpoint of the Model Context Protocol (Streamable HTTP): its messages are that protocol's, not ours. */
export interface McpOperation extends GuardedShape {
  response: { kind: 'mcp' };
}

/** An operation that demands a credential with its scope, as all do that do not say otherwise. */
export type GuardedOperation = JsonOperation | StreamOperation | FileOperation | SocketOperation | McpOperation;

/**
 * One operation of the public API. The gateway routes and authorises by it, the service validates by it,
 * and the OpenAPI document is made of it; there is no second place.
 */
export type Operation = GuardedOperation | PublicOperation;

/** Several times what the longest names, descriptions and lists of an ordinary operation take. */
export const DEFAULT_BODY_MAX_BYTES = 64 * 1_024;
/** For operations that take a list of 1,000 ids, or a prompt with every character escaped. */
export const LARGER_BODY_MAX_BYTES = 256 * 1_024;
/** For operations that take the text of a page or of a turn. */
export const TEXT_BODY_MAX_BYTES = 1_048_576;
/** Room for lists of 1,000 ids. */
export const DEFAULT_BODY_MAX_VALUES = 5_000;

/** Declares an operation and keeps its exact types, so that a handler is checked against its schemas. */
export function defineOperation<const O extends Operation>(operation: O): O {
  return operation;
}

/** Codes that any request may be answered with, whatever it asks for. */
const COMMON_ERRORS: readonly ErrorCode[] = [
  'malformed_request',
  'rate_limited',
  'request_timeout',
  'internal',
  'unavailable',
  'deadline_exceeded',
];
const GUARDED_ERRORS: readonly ErrorCode[] = [
  'credential_missing',
  'credential_invalid',
  'credential_expired',
  'credential_revoked',
  'ip_not_allowed',
  'memory_not_permitted',
  'permission_denied',
  'quota_exceeded',
];
const BODY_ERRORS: readonly ErrorCode[] = ['malformed_json', 'payload_too_large', 'unsupported_media_type'];

/** Every error code that `operation` may be answered with: its own, and those that follow from its shape. */
export function errorsOf(operation: Operation): ErrorCode[] {
  const { params, query, body, upload } = operation;
  const takesBody = body !== undefined || upload !== undefined;
  const codes = new Set<ErrorCode>([
    ...COMMON_ERRORS,
    ...(isGuarded(operation) ? GUARDED_ERRORS : []),
    ...(takesBody ? BODY_ERRORS : []),
    ...(takesBody || params !== undefined || query !== undefined ? (['validation_failed'] as const) : []),
    ...(isGuarded(operation) && operation.idempotent === true
      ? (['idempotency_in_flight', 'idempotency_mismatch'] as const)
      : []),
    ...(operation.errors ?? []),
  ]);
  return [...codes];
}

export function isGuarded(operation: Operation): operation is GuardedOperation {
  return operation.credential !== 'none';
}

/** Largest body of a request: a file's when it comes as multipart/form-data to an operation that takes one. */
export function largestBodyOf(operation: Operation, contentType: string | undefined): number {
  const isForm = contentType?.trimStart().toLowerCase().startsWith('multipart/form-data') === true;
  if (isForm && operation.upload !== undefined) return operation.upload.fileMaxBytes + UPLOAD_FRAME_MAX_BYTES;
  return operation.body === undefined ? DEFAULT_BODY_MAX_BYTES : (operation.bodyMaxBytes ?? DEFAULT_BODY_MAX_BYTES);
}

type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined;
type Uploaded<T> = T extends UploadShape ? { file: UploadedFile; fields: z.output<T['fields']> } : undefined;
type TakesBoth<O extends Operation> = O['upload'] extends UploadShape
  ? O['body'] extends z.ZodType
    ? true
    : false
  : false;

/** The validated parts of a request to `O`. An operation that takes a body or a file is given one of them. */
export type RequestOf<O extends Operation> = {
  params: Parsed<O['params']>;
  query: Parsed<O['query']>;
} & (TakesBoth<O> extends true
  ? { body: Parsed<O['body']>; upload: undefined } | { body: undefined; upload: Uploaded<O['upload']> }
  : { body: Parsed<O['body']>; upload: Uploaded<O['upload']> });

/** The body that `O` answers with. */
export type ResponseOf<O extends JsonOperation | PublicOperation> = z.input<O['response']['schema']>;

/** The data of one event of `O`. */
export type EventData<O extends StreamOperation, Name extends keyof O['response']['events']> = z.input<
  O['response']['events'][Name]
>;
