import { randomUUID } from 'node:crypto';
import { DEFAULT_BODY_MAX_BYTES, type GuardedOperation, type OpenOperation, type Operation } from '@cairn/contracts';
import {
  CairnError,
  ERROR_CODES,
  type Problem,
  problemContentType,
  problemHeaders,
  toOAuthError,
  toProblem,
} from '@cairn/errors';
import { type Identity, IDENTITY_HEADER, missingPermission, type TokenVerifier } from '@cairn/identity';
import express, { type NextFunction, type Request, type Response } from 'express';
import type { BoundOperation, Call, OpenCall } from './bound-operation.ts';
import type { Logger } from './logging.ts';
import { assertResponsive, noteWork } from './loop-watch.ts';
import { SseWriter } from './sse.ts';
import { type Uploaded, uploadReader } from './upload.ts';
import { validateRequest } from './validate.ts';

const OPERATION_TIMEOUT_MS = 30_000;
const STREAM_TIMEOUT_MS = 10 * 60_000;
const IDEMPOTENCY_KEY_MAX_CHARS = 255;
/** What is answered to a caller without a credential may hold one. */
const NOT_STORED = { 'cache-control': 'no-store', pragma: 'no-cache' };

export interface OperationsAppOptions {
  operations: readonly BoundOperation[];
  verifier: TokenVerifier;
  logger: Logger;
  /** Throws when a dependency is missing. */
  ready: () => Promise<void>;
}

/** The HTTP face of a service: its operations behind a verified identity, health, and errors as problems. */
export function operationsApp(options: OperationsAppOptions): express.Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  // What a key may read no cache may keep, and some answers hold a secret. An operation may say otherwise.
  app.use((_request: Request, response: Response, next: NextFunction) => {
    response.setHeader('cache-control', 'no-store');
    next();
  });

  app.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  app.get('/readyz', (_request, response, next) => {
    assertResponsive();
    options.ready().then(() => response.json({ status: 'ready' }), next);
  });

  for (const bound of options.operations) {
    const { operation } = bound;
    const path = operation.path.replace(/\{(\w+)\}/g, ':$1');
    const method = operation.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
    // The identity is settled before a byte of the body is read.
    app[method](
      path,
      ...(operation.credential === 'none'
        ? [cameThroughGateway(operation, options.verifier)]
        : [identify(operation, options.verifier)]),
      ...bodyReaders(operation),
      (request: Request, response: Response, next: NextFunction) => {
        perform(bound, request, response, options.logger).catch(next);
      },
    );
  }

  app.use((_request: Request, _response: Response, next: NextFunction) =>
    next(new CairnError('not_found', 'There is no such operation.')),
  );
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    sendProblem(error, request, response, options.logger);
  });
  return app;
}

function identify(operation: GuardedOperation, verifier: TokenVerifier) {
  return (request: Request, response: Response, next: NextFunction) => {
    const token = request.headers[IDENTITY_HEADER];
    verifier.verify(typeof token === 'string' ? token : undefined).then((caller) => {
      if (caller?.kind !== 'tenant')
        return next(new CairnError('identity_invalid', 'The request carries no valid identity.'));
      const missing = missingPermission(caller.identity, operation);
      if (missing !== null) return next(new CairnError('permission_denied', `The key lacks ${missing}.`));
      if (operation.reach !== 'memory' && caller.identity.memoryId !== null) {
        return next(new CairnError('memory_not_permitted', 'The key reaches one memory only.'));
      }
      response.locals['identity'] = caller.identity;
      response.locals['identityToken'] = token;
      next();
    }, next);
  };
}

/** Nobody speaks for a caller without a credential, but the gateway says that the request passed its pipeline. */
function cameThroughGateway(operation: OpenOperation, verifier: TokenVerifier) {
  return (request: Request, response: Response, next: NextFunction) => {
    response.locals['speaks'] = operation.speaks;
    const token = request.headers[IDENTITY_HEADER];
    verifier.verify(typeof token === 'string' ? token : undefined).then((caller) => {
      const passed = caller?.kind === 'service' && caller.service.service === 'gateway';
      next(passed ? undefined : new CairnError('identity_invalid', 'The request did not come through a gateway.'));
    }, next);
  };
}

function bodyReaders(operation: Operation): express.RequestHandler[] {
  const { upload } = operation;
  if (upload === undefined) return plainBodyReaders(operation);
  const readUpload = uploadReader(upload);
  const isForm = (request: Request) => request.is('multipart/form-data') !== false;
  if (operation.body === undefined) {
    const requireForm: express.RequestHandler = (request, _response, next) =>
      next(isForm(request) ? undefined : unsupported('multipart/form-data'));
    return [requireForm, readUpload];
  }
  const plain = plainBodyReaders(operation);
  return [
    (request, response, next) => (isForm(request) ? readUpload(request, response, next) : next()),
    ...plain.map(
      (reader): express.RequestHandler =>
        (request, response, next) =>
          isForm(request) ? next() : reader(request, response, next),
    ),
  ];
}

function unsupported(media: string): CairnError {
  return new CairnError('unsupported_media_type', `The body must be ${media}.`);
}

function plainBodyReaders(operation: Operation): express.RequestHandler[] {
  if (operation.body === undefined) return [];
  const limit = operation.bodyMaxBytes ?? DEFAULT_BODY_MAX_BYTES;
  const form = operation.credential === 'none' && operation.speaks === 'oauth';
  const media = form ? 'application/x-www-form-urlencoded' : 'application/json';
  const requireMedia: express.RequestHandler = (request, _response, next) => {
    const announcedBytes = Number(request.headers['content-length'] ?? 0);
    const hasBody = request.headers['transfer-encoding'] !== undefined || announcedBytes > 0;
    if (hasBody && !request.is(media)) {
      return next(unsupported(operation.upload === undefined ? media : `${media} or multipart/form-data`));
    }
    // The body reader finds this too, yet answers only after it has read all of what it will not take.
    if (announcedBytes > limit) return next(tooLarge());
    next();
  };
  const parse = form ? express.urlencoded({ limit, extended: false }) : express.json({ limit, strict: false });
  return [requireMedia, parse];
}

async function perform(bound: BoundOperation, request: Request, response: Response, logger: Logger): Promise<void> {
  const { operation } = bound;
  noteWork(operation.id);
  const { params, query, body, upload } = validateRequest(operation, {
    params: request.params,
    query: request.query,
    body: operation.body === undefined ? {} : (request.body ?? {}),
    upload: response.locals['upload'] as Uploaded | undefined,
  });
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  if (response.destroyed) gone.abort();
  if (bound.kind === 'socket') throw new CairnError('not_found', 'There is no page here: connect by WebSocket.');
  if (bound.kind === 'open') {
    const { authorization } = request.headers;
    const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(OPERATION_TIMEOUT_MS)]);
    const result = await bound.handle({ params, query, body, authorization, signal } as OpenCall<OpenOperation>);
    response.set({ ...NOT_STORED, ...result.headers });
    response.status(result.status ?? bound.operation.answer.status).json(result.body);
    return;
  }
  const timeoutMs = bound.kind === 'stream' ? STREAM_TIMEOUT_MS : OPERATION_TIMEOUT_MS;
  const call = {
    params,
    query,
    body,
    upload,
    identity: response.locals['identity'] as Identity,
    identityToken: response.locals['identityToken'] as string,
    requestId: requestIdOf(request),
    idempotencyKey: idempotencyKeyOf(bound.operation, request),
    signal: AbortSignal.any([gone.signal, AbortSignal.timeout(timeoutMs)]),
  } as unknown as Call<GuardedOperation>;

  if (bound.kind === 'json') {
    const result = await bound.handle(call);
    if (result.replayed === true) response.setHeader('idempotency-replayed', 'true');
    response.status(result.status ?? bound.operation.answer.status).json(result.body);
    return;
  }
  if (bound.kind === 'file') {
    const { mediaType, body: bytes, headers = {} } = await bound.handle(call);
    response.status(200).set({ 'cache-control': 'no-store', ...headers, 'content-type': mediaType });
    response.end(bytes);
    return;
  }
  if (bound.kind === 'mcp') return bound.handle(call, request, response);
  const writer = new SseWriter(response, call.signal);
  const { 'last-event-id': lastEventId } = request.headers;
  const streamed = {
    ...call,
    lastEventId: typeof lastEventId === 'string' ? lastEventId : undefined,
    open: () => writer.open(),
  };
  try {
    await bound.handle(streamed, (event, data, id) => writer.send(event, data, id));
  } catch (error) {
    if (!writer.started) throw error;
    if (!gone.signal.aborted) {
      const known = fromBodyReader(error);
      const problem = toProblem(known, call.requestId);
      logFailure(known, problem, request, logger);
      response.write(
        `event: error\ndata: ${JSON.stringify({ code: problem.code, detail: problem.detail, request_id: problem.request_id })}\n\n`,
      );
    }
  }
  writer.end();
}

function requestIdOf(request: Request): string {
  const header = request.headers['x-request-id'];
  return typeof header === 'string' ? header : randomUUID();
}

function idempotencyKeyOf(operation: GuardedOperation, request: Request): string | undefined {
  const header = request.headers['idempotency-key'];
  if (operation.idempotent !== true || header === undefined) return undefined;
  if (typeof header !== 'string' || header.length === 0 || header.length > IDEMPOTENCY_KEY_MAX_CHARS) {
    throw new CairnError(
      'validation_failed',
      `Idempotency-Key must have 1 to ${IDEMPOTENCY_KEY_MAX_CHARS} characters.`,
      {
        errors: [{ path: 'Idempotency-Key', message: `must have 1 to ${IDEMPOTENCY_KEY_MAX_CHARS} characters` }],
      },
    );
  }
  return header;
}

function sendProblem(error: unknown, request: Request, response: Response, logger: Logger): void {
  const known = fromBodyReader(error);
  const problem = toProblem(known, requestIdOf(request));
  // Work that breaks off because the client left is no failure of ours.
  const abandoned = response.destroyed && isDomException(known, 'AbortError');
  if (!abandoned) logFailure(known, problem, request, logger);
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  for (const [name, value] of Object.entries(problemHeaders(known))) response.setHeader(name, value);
  if (response.locals['speaks'] === 'oauth') {
    const { status, body } = toOAuthError(known);
    response.status(status).set(NOT_STORED).json(body);
    request.resume();
    return;
  }
  response.status(problem.status).setHeader('content-type', problemContentType(request.headers.accept));
  response.end(JSON.stringify(problem));
  // What is left of a refused body is read and dropped; the request time-out bounds it.
  request.resume();
}

function logFailure(error: unknown, problem: Problem, request: Request, logger: Logger): void {
  if (problem.status < 500) return;
  const internal = error instanceof CairnError ? error.internal : undefined;
  logger.error(
    { err: error, internal, request_id: problem.request_id, method: request.method, path: request.path },
    'request failed',
  );
}

/** The body reader's and Express's own errors carry a `type` and a status; anything else stays what it is. */
function fromBodyReader(error: unknown): unknown {
  if (isDomException(error, 'TimeoutError'))
    return new CairnError('deadline_exceeded', ERROR_CODES.deadline_exceeded.title, { cause: error });
  if (error instanceof CairnError || !(error instanceof Error)) return error;
  const { type, status } = error as { type?: unknown; status?: unknown };
  switch (type) {
    case 'entity.parse.failed':
      return new CairnError('malformed_json', 'The body is not valid JSON.', { cause: error });
    case 'entity.too.large':
      return tooLarge(error);
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return new CairnError('unsupported_media_type', 'The encoding of the body is not supported.', { cause: error });
    case 'request.aborted':
    case 'request.size.invalid':
      return new CairnError('malformed_request', 'The body did not arrive whole.', { cause: error });
    default:
      return typeof status === 'number' && status >= 400 && status < 500
        ? new CairnError('malformed_request', 'The request could not be understood.', { cause: error })
        : error;
  }
}

/** What an AbortSignal gives as its reason. */
function isDomException(error: unknown, name: 'AbortError' | 'TimeoutError'): boolean {
  return error instanceof DOMException && error.name === name;
}

function tooLarge(cause?: unknown): CairnError {
  return new CairnError('payload_too_large', 'The body is larger than this operation takes.', { cause });
}
