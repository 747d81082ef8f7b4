import type { IncomingMessage } from 'node:http';
import { DEFAULT_BODY_MAX_BYTES, type Operation } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';

const URL_MAX_CHARS = 8_192;

/** Refuses what is malformed or too large by its head alone; the body's bytes are counted as they pass. */
export function assertWellFormedHead(request: IncomingMessage): void {
  const url = request.url ?? '';
  // An absolute-form target would let a caller name another host than the Host header does.
  if (!url.startsWith('/') || url.startsWith('//')) throw new CairnError('malformed_request', 'The request target must be a path.');
  if (url.length > URL_MAX_CHARS) throw new CairnError('malformed_request', `The URL is longer than ${URL_MAX_CHARS} characters.`);
  if (request.headers.host === undefined) throw new CairnError('malformed_request', 'The Host header is missing.');
}

export function bodyMaxBytesOf(operation: Operation): number {
  return operation.body === undefined ? DEFAULT_BODY_MAX_BYTES : (operation.bodyMaxBytes ?? DEFAULT_BODY_MAX_BYTES);
}

export function assertBodyFits(request: IncomingMessage, maxBytes: number): void {
  const length = request.headers['content-length'];
  if (length !== undefined && Number(length) > maxBytes) throw tooLarge(maxBytes);
}

/** Cuts a request off whose body, sent without a length, grows past the bound. */
export function countBody(request: IncomingMessage, maxBytes: number, onTooLarge: () => void): void {
  if (request.headers['content-length'] !== undefined) return;
  let received = 0;
  request.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received > maxBytes) onTooLarge();
  });
}

export function tooLarge(maxBytes: number): CairnError {
  return new CairnError('payload_too_large', `The body is larger than the ${maxBytes} bytes this operation takes.`);
}
