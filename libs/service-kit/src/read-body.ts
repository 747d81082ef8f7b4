import { DEFAULT_BODY_MAX_BYTES, type Operation } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import type { Identity } from '@cairn/identity';
import express, { type Request } from 'express';
import type { BodyMemory } from './body-memory.ts';
import { INLINE_MAX_BYTES, isLarge } from './parse-request.ts';
import { uploadReader } from './upload.ts';

const JSON_MEDIA = 'application/json';
const FORM_MEDIA = 'application/x-www-form-urlencoded';
const FORM_FIELDS_MAX = 100;
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]+)/i;

/** What of a request's body was read before it is parsed and validated. */
interface ReceivedBody {
  /** A JSON text as it came, unpacked; empty without a body. */
  json?: Buffer;
  /** The fields of a form. */
  fields?: unknown;
}

/**
 * Reads the body of a request to the operation, within its bound; see `receivedBodyOf`. `memory` is what large bodies
 * of all operations share.
 */
export function bodyReaders(operation: Operation, memory: BodyMemory): express.RequestHandler[] {
  const { upload } = operation;
  if (upload === undefined) return plainBodyReaders(operation, memory);
  const readUpload = uploadReader(upload);
  const isForm = (request: Request) => request.is('multipart/form-data') !== false;
  if (operation.body === undefined) {
    const requireForm: express.RequestHandler = (request, _response, next) =>
      next(isForm(request) ? undefined : unsupported('multipart/form-data'));
    return [requireForm, readUpload];
  }
  const plain = plainBodyReaders(operation, memory);
  return [
    (request, response, next) => (isForm(request) ? readUpload(request, response, next) : next()),
    ...plain.map(
      (reader): express.RequestHandler =>
        (request, response, next) =>
          isForm(request) ? next() : reader(request, response, next),
    ),
  ];
}

export function receivedBodyOf(operation: Operation, request: Request): ReceivedBody {
  const body: unknown = request.body;
  if (operation.body === undefined) return {};
  return Buffer.isBuffer(body) ? { json: body } : { fields: body ?? {} };
}

export function bodyTooLarge(cause?: unknown): CairnError {
  return new CairnError('payload_too_large', 'The body is larger than this operation takes.', { cause });
}

function plainBodyReaders(operation: Operation, memory: BodyMemory): express.RequestHandler[] {
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
  const read = isForm
    ? express.urlencoded({ limit, extended: false, parameterLimit: FORM_FIELDS_MAX })
    : // Not parsed here: what it holds is counted first.
      express.raw({ limit, type: () => true });
  return isLarge(operation) ? [requireMedia, reserveMemory(limit, memory), read] : [requireMedia, read];
}

/** Holds a place for a large body, until the request is answered, before a byte of it is read. */
function reserveMemory(limit: number, memory: BodyMemory): express.RequestHandler {
  return (request, response, next) => {
    const { 'content-length': length, 'content-encoding': encoding } = request.headers;
    const isAnnounced = length !== undefined && (encoding === undefined || encoding === 'identity');
    const bytes = isAnnounced ? Number(length) : limit;
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
