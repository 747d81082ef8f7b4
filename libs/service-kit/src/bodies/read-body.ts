import { DEFAULT_BODY_MAX_BYTES, type Operation } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import type { Identity } from '@cairn/identity';
import express, { type Request, type Response } from 'express';
import type { BodyBudget } from './body-budget.ts';
import { type BodyEncoding, inflatedMaxBytes, isBodyEncoding } from './inflate.ts';
import { INLINE_MAX_BYTES, isLarge } from './parse-request.ts';
import type { TenantShares } from './tenant-shares.ts';
import { uploadReader } from './upload.ts';

const JSON_MEDIA = 'application/json';
const FORM_MEDIA = 'application/x-www-form-urlencoded';
const FORM_FIELDS_MAX = 100;
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]+)/i;

/** What the bodies of all operations of a service share. */
interface SharedByBodies {
  /** For the large ones. */
  memory: TenantShares;
  budget: BodyBudget;
}

/** What of a request's body was read before it is inflated, parsed and validated. */
interface ReceivedBody {
  /** A JSON text as it came; empty without a body. */
  json?: Buffer;
  /** How it was packed. */
  encoding?: BodyEncoding | undefined;
  /** The fields of a form. */
  fields?: unknown;
}

/** Reads the body of a request to the operation, within its bound; see `receivedBodyOf`. */
export function bodyReaders(operation: Operation, shared: SharedByBodies): express.RequestHandler[] {
  const { upload } = operation;
  if (upload === undefined) return plainBodyReaders(operation, shared);
  const readUpload = uploadReader(upload);
  const isForm = (request: Request) => request.is('multipart/form-data') !== false;
  if (operation.body === undefined) {
    const requireForm: express.RequestHandler = (request, _response, next) =>
      next(isForm(request) ? undefined : unsupported('multipart/form-data'));
    return [requireForm, readUpload];
  }
  const plain = plainBodyReaders(operation, shared);
  return [
    (request, response, next) => (isForm(request) ? readUpload(request, response, next) : next()),
    ...plain.map(
      (reader): express.RequestHandler =>
        (request, response, next) =>
          isForm(request) ? next() : reader(request, response, next),
    ),
  ];
}

export function receivedBodyOf(operation: Operation, request: Request, response: Response): ReceivedBody {
  const body: unknown = request.body;
  if (operation.body === undefined) return {};
  if (!Buffer.isBuffer(body)) return { fields: body ?? {} };
  return { json: body, encoding: response.locals['bodyEncoding'] as BodyEncoding | undefined };
}

export function bodyTooLarge(cause?: unknown): CairnError {
  return new CairnError('payload_too_large', 'The body is larger than this operation takes.', { cause });
}

function plainBodyReaders(operation: Operation, shared: SharedByBodies): express.RequestHandler[] {
  if (operation.body === undefined) return [];
  const limit = operation.bodyMaxBytes ?? DEFAULT_BODY_MAX_BYTES;
  const isForm = operation.credential === 'none' && operation.speaks === 'oauth';
  const media = isForm ? FORM_MEDIA : JSON_MEDIA;
  const requireMedia: express.RequestHandler = (request, _response, next) => {
    const announcedBytes = Number(request.headers['content-length'] ?? 0);
    const hasBody = request.headers['transfer-encoding'] !== undefined || announcedBytes > 0;
    if (hasBody && !request.is(media)) {
      return next(unsupported(operation.upload === undefined ? media : `${media} or multipart/form-data`));
    }
    if (hasBody && !isForm && !isUtf8(request)) return next(unsupported(`${media} in UTF-8`));
    // The body reader finds this too, yet answers only after it has read all of what it will not take.
    if (announcedBytes > limit) return next(bodyTooLarge());
    next();
  };
  if (isForm) {
    return [requireMedia, express.urlencoded({ limit, extended: false, parameterLimit: FORM_FIELDS_MAX })];
  }
  // Neither inflated nor parsed here: what it holds is counted first.
  const read = express.raw({ limit, type: () => true });
  const large = isLarge(operation) ? [reserveMemory(limit, shared.memory)] : [];
  return [requireMedia, noteEncoding, admitBody(shared.budget), ...large, read];
}

/** Takes the encoding out of the head: the reader would inflate the body on the event loop. */
const noteEncoding: express.RequestHandler = (request, response, next) => {
  const encoding = (request.headers['content-encoding'] ?? 'identity').toLowerCase();
  if (encoding !== 'identity') {
    if (!isBodyEncoding(encoding))
      return next(new CairnError('unsupported_media_type', 'The encoding of the body is not supported.'));
    response.locals['bodyEncoding'] = encoding;
    delete request.headers['content-encoding'];
  }
  next();
};

/** Refuses a tenant whose bodies took too much; what is announced is charged before it is sent, whatever becomes of it. */
function admitBody(budget: BodyBudget): express.RequestHandler {
  return (request, response, next) => {
    const identity = response.locals['identity'] as Identity | undefined;
    if (identity !== undefined) {
      budget.admit(identity.tenantId);
      budget.charge(identity.tenantId, { bytes: Number(request.headers['content-length'] ?? 0) });
    }
    next();
  };
}

/** Holds a place for a large body, until the request is answered, before a byte of it is read. */
function reserveMemory(limit: number, memory: TenantShares): express.RequestHandler {
  return (request, response, next) => {
    const { 'content-length': length } = request.headers;
    const isPacked = response.locals['bodyEncoding'] !== undefined;
    const announced = length === undefined ? limit : Number(length);
    const bytes = isPacked ? inflatedMaxBytes(announced, limit) : announced;
    if (bytes <= INLINE_MAX_BYTES) return next();
    const { tenantId } = response.locals['identity'] as Identity;
    const release = memory.reserve(tenantId, bytes);
    if (response.closed) release();
    else response.once('close', release);
    next();
  };
}

/** RFC 8259, 8.1. */
function isUtf8(request: Request): boolean {
  const charset = CHARSET.exec(request.headers['content-type'] ?? '')?.[1];
  return charset === undefined || charset.toLowerCase() === 'utf-8';
}

function unsupported(media: string): CairnError {
  return new CairnError('unsupported_media_type', `The body must be ${media}.`);
}
