import { randomUUID } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import type { GuardedOperation, PublicOperation } from '@cairn/contracts';
import {
  CairnError,
  ERROR_CODES,
  type Problem,
  problemContentType,
  problemHeaders,
  toOAuthError,
  toProblem,
} from '@cairn/errors';
import { type Identity, missingPermission, type RequestVerifier } from '@cairn/identity';
import { type TraceContext, within } from '@cairn/telemetry';
import express, { type NextFunction, type Request, type Response } from 'express';
import { authenticateRequest } from '../identity/authenticate-request.ts';
import { type BodyBudget, createBodyBudget } from '../bodies/body-budget.ts';
import type { BoundOperation, RequestContext, PublicRequestContext } from './bound-operation.ts';
import { type ChangeLog, clientAddressOf, isChange } from './change-log.ts';
import { identityDenied } from '../identity/identity-denied.ts';
import { observeOperation } from './observe-operation.ts';
import { isLarge, type LargeBodies, parseRequest } from '../bodies/parse-request.ts';
import type { Logger } from '../telemetry/logging.ts';
import { assertResponsive, LOOP_DELAY_HEADER, loopDelayMs, labelWork } from '../telemetry/loop-watch.ts';
import { bodyReaders, bodyTooLarge, receivedBodyOf } from '../bodies/read-body.ts';
import { SseWriter } from './sse.ts';
import { createTenantShares } from '../bodies/tenant-shares.ts';
import type { UploadedForm } from '../bodies/upload.ts';

/** For the large bodies of all requests that are read or worked on. */
const BODY_MEMORY_MAX_BYTES = 256 * 1_048_576;
const TOO_MANY_LARGE = 'Too many large requests are being read. Send fewer at a time.';
const OPERATION_TIMEOUT_MS = 30_000;
const STREAM_TIMEOUT_MS = 10 * 60_000;
const IDEMPOTENCY_KEY_MAX_CHARS = 255;
/** A response to a caller without a credential may contain one. */
const NOT_STORED = { 'cache-control': 'no-store', pragma: 'no-cache' };

export interface OperationsAppOptions {
  operations: readonly BoundOperation[];
  /** Verifies who sent a request, and that it was sent to this service. */
  requests: RequestVerifier;
  logger: Logger;
  /** Throws when a dependency is missing. */
  ready: () => Promise<void>;
  /** Required by services with an operation whose body is too large to be parsed between other requests. */
  largeBodies?: LargeBodies;
  /** What the bodies of each tenant may take; default: one by the clock. */
  bodyBudget?: BodyBudget;
  /** Required by services with an operation that changes something. */
  changes?: ChangeLog;
}

/** The HTTP interface of a service: its operations behind a verified identity, health checks, errors as problems. */
export function operationsApp(options: OperationsAppOptions): express.Express {
  assertLargeBodiesArePossible(options);
  assertChangesAreRecorded(options);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  // No cache may keep what a key may read, and some responses contain a secret. An operation may say otherwise.
  app.use((_request: Request, response: Response, next: NextFunction) => {
    response.setHeader('cache-control', 'no-store');
    const lateMs = loopDelayMs();
    if (lateMs > 0) response.setHeader(LOOP_DELAY_HEADER, lateMs);
    next();
  });

  app.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  app.get('/readyz', (_request, response, next) => {
    assertResponsive();
    options.ready().then(() => response.json({ status: 'ready' }), next);
  });

  const bodies = {
    memory: createTenantShares(BODY_MEMORY_MAX_BYTES, TOO_MANY_LARGE),
    budget: options.bodyBudget ?? createBodyBudget(),
  };
  for (const bound of options.operations) {
    const { operation } = bound;
    const path = operation.path.replace(/\{(\w+)\}/g, ':$1');
    const method = operation.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
    // The identity is verified before a byte of the body is read.
    app[method](
      path,
      observeOperation(operation),
      ...(operation.credential === 'none'
        ? [requireGateway(operation, options.requests)]
        : [identify(operation, options.requests)]),
      ...bodyReaders(operation, bodies),
      (request: Request, response: Response, next: NextFunction) => {
        // Reading the body may have left the context of the request.
        within(response.locals['trace'] as TraceContext, () =>
          perform(bound, request, response, { ...options, budget: bodies.budget }).catch((error: unknown) =>
            next(fromInside(error)),
          ),
        );
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

/** Parsing a large body here would block every other request, so such an operation needs threads. */
function assertLargeBodiesArePossible({ operations, largeBodies }: OperationsAppOptions): void {
  const large = operations.filter(({ operation }) => isLarge(operation)).map(({ operation }) => operation.id);
  if (large.length > 0 && largeBodies === undefined)
    throw new Error(`no threads to parse the bodies of ${large.join(', ')}`);
}

/** A change that leaves no trace in the audit log would be a gap in it. */
function assertChangesAreRecorded({ operations, changes }: OperationsAppOptions): void {
  const unrecorded = operations.filter(isChange).map(({ operation }) => operation.id);
  if (unrecorded.length > 0 && changes === undefined) throw new Error(`nothing records ${unrecorded.join(', ')}`);
}

function identify(operation: GuardedOperation, verifier: RequestVerifier) {
  return (request: Request, response: Response, next: NextFunction) => {
    authenticateRequest(request, verifier).then(({ caller, token }) => {
      if (caller.kind !== 'tenant') return next(identityDenied('invalid'));
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

/** A public operation has no identity; that the gateway forwarded the request is required all the same. */
function requireGateway(operation: PublicOperation, verifier: RequestVerifier) {
  return (request: Request, response: Response, next: NextFunction) => {
    response.locals['speaks'] = operation.speaks;
    authenticateRequest(request, verifier).then(({ caller }) => {
      const passed = caller.kind === 'service' && caller.service.service === 'gateway';
      next(passed ? undefined : identityDenied('invalid'));
    }, next);
  };
}

async function perform(
  bound: BoundOperation,
  request: Request,
  response: Response,
  { logger, largeBodies, changes, budget }: OperationsAppOptions & { budget: BodyBudget },
): Promise<void> {
  const { operation } = bound;
  labelWork(operation.id);
  const identity = response.locals['identity'] as Identity | undefined;
  const unparsed = {
    params: request.params,
    query: request.query,
    ...receivedBodyOf(operation, request, response),
    upload: response.locals['upload'] as UploadedForm | undefined,
  };
  const { params, query, body, upload } = await parseRequest(operation, unparsed, {
    tenantId: identity?.tenantId ?? null,
    largeBodies,
    budget,
  });
  // Other requests may have used the event loop while a large body was parsed elsewhere.
  labelWork(operation.id);
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  if (response.destroyed) gone.abort();
  if (bound.kind === 'socket') throw new CairnError('upgrade_required', 'Upgrade Required: connect by WebSocket.');
  const timeoutMs = bound.kind === 'stream' ? STREAM_TIMEOUT_MS : OPERATION_TIMEOUT_MS;
  const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(timeoutMs)]);
  if (bound.kind === 'public') {
    const { authorization } = request.headers;
    const result = await bound.handle({
      params,
      query,
      body,
      authorization,
      clientAddress: clientAddressOf(request),
      userAgent: request.headers['user-agent'] ?? '',
      requestId: requestIdOf(request),
      signal,
    } as PublicRequestContext<PublicOperation>);
    response.set({ ...NOT_STORED, ...result.headers });
    response.status(result.status ?? bound.operation.response.status).json(result.body);
    return;
  }
  const context = {
    params,
    query,
    body,
    upload,
    identity,
    identityToken: response.locals['identityToken'] as string,
    requestId: requestIdOf(request),
    idempotencyKey: idempotencyKeyOf(bound.operation, request),
    signal,
  } as unknown as RequestContext<GuardedOperation>;

  if (bound.kind === 'json') return performJson(bound, context, { request, response, changes });
  if (bound.kind === 'file') {
    const { mediaType, body: bytes, headers = {} } = await bound.handle(context);
    response.status(200).set({ 'cache-control': 'no-store', ...headers, 'content-type': mediaType });
    if (typeof bytes === 'string' || bytes instanceof Uint8Array) response.end(bytes);
    else
      await sendParts(bytes, response, {
        isGone: () => gone.signal.aborted,
        signal: AbortSignal.timeout(STREAM_TIMEOUT_MS),
      });
    return;
  }
  if (bound.kind === 'mcp') return bound.handle(context, request, response);
  await performStream(bound, context, { request, response, logger, isGone: () => gone.signal.aborted });
}

/** Waits for a reader who is slower than the parts are made; a reader who leaves ends their making. */
async function sendParts(
  parts: AsyncIterable<string>,
  response: Response,
  { isGone, signal }: { isGone: () => boolean; signal: AbortSignal },
): Promise<void> {
  try {
    await pipeline(parts, response, { signal });
  } catch (error) {
    if (!isGone() || signal.aborted) throw error;
  }
}

async function performJson(
  bound: Extract<BoundOperation, { kind: 'json' }>,
  context: RequestContext<GuardedOperation>,
  exchange: { request: Request; response: Response; changes: ChangeLog | undefined },
): Promise<void> {
  const { request, response, changes } = exchange;
  const { operation } = bound;
  const handle = () => bound.handle(context);
  const change = { ...context, operation, clientAddress: clientAddressOf(request), params: request.params };
  const result = isChange(bound) ? await changes!.record(change, handle) : await handle();
  response.set(result.headers ?? {});
  if (result.replayed === true) response.setHeader('idempotency-replayed', 'true');
  response.status(result.status ?? operation.response.status).json(result.body);
}

async function performStream(
  bound: Extract<BoundOperation, { kind: 'stream' }>,
  context: RequestContext<GuardedOperation>,
  exchange: { request: Request; response: Response; logger: Logger; isGone: () => boolean },
): Promise<void> {
  const { request, response, logger, isGone } = exchange;
  const writer = new SseWriter(response, context.signal);
  const { 'last-event-id': lastEventId } = request.headers;
  const streamed = {
    ...context,
    lastEventId: typeof lastEventId === 'string' ? lastEventId : undefined,
    open: () => writer.open(),
  };
  try {
    await bound.handle(streamed, (event, data, id) => writer.send(event, data, id));
  } catch (error) {
    if (!writer.started) throw error;
    if (!isGone()) {
      const known = fromBodyReader(fromInside(error));
      const problem = toProblem(known, context.requestId);
      logFailure(known, problem, request, logger);
      const { status, code, detail, request_id } = problem;
      response.write(`event: error\ndata: ${JSON.stringify({ status, code, detail, request_id })}\n\n`);
    }
  }
  writer.end();
}

/** The caller proved its identity; if another service did not accept it from this one, that is not for the caller to fix. */
function fromInside(error: unknown): unknown {
  if (!(error instanceof CairnError) || error.code !== 'identity_invalid') return error;
  return new CairnError('internal', 'A call inside the service was refused.', { cause: error });
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
  // Work that was aborted because the client disconnected is not a failure.
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
  // The rest of a refused body is read and dropped; the request time-out bounds it.
  request.resume();
}

function logFailure(error: unknown, problem: Problem, request: Request, logger: Logger): void {
  if (problem.status < 500) return;
  const internal = error instanceof CairnError ? error.internal : undefined;
  logger.error(
    { err: error, internal, request_id: problem.request_id, method: request.method, path: request.path },
    'http: request failed',
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
      return bodyTooLarge(error);
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return new CairnError('unsupported_media_type', 'The encoding of the body is not supported.', { cause: error });
    case 'request.aborted':
    case 'request.size.invalid':
      return new CairnError('malformed_request', 'The request body was truncated.', { cause: error });
    default:
      return typeof status === 'number' && status >= 400 && status < 500
        ? new CairnError('malformed_request', 'The request could not be understood.', { cause: error })
        : error;
  }
}

/** The reason of an AbortSignal. */
function isDomException(error: unknown, name: 'AbortError' | 'TimeoutError'): boolean {
  return error instanceof DOMException && error.name === name;
}
