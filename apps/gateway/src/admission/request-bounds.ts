import type { IncomingMessage } from 'node:http';
import { largestBodyOf, type Operation } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { hasDuplicate } from './trust-headers.ts';

const URL_MAX_CHARS = 8_192;
const HEADERS_MAX = 200;

// A path in visible ASCII; `//` would name another host to whoever resolves it, `#` is never sent by a client.
const TARGET = /^\/(?!\/)[\x21\x22\x24-\x7e]*$/;
// A service that normalises these would act on another path than the one that was admitted.
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:\/|$)|\\|%00/i;
const HOST = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/** Throws for a request whose head alone is malformed or too large; the body's bytes are counted as they arrive. */
export function assertWellFormedHead(request: IncomingMessage): void {
  const { url = '', headers } = request;
  if (url.length > URL_MAX_CHARS) throw malformed(`The URL is longer than ${URL_MAX_CHARS} characters.`);
  // An absolute-form target would let a caller name another host than the Host header does.
  if (!TARGET.test(url)) throw malformed('The request target must be a path, percent-encoded where it is not ASCII.');
  if (DOT_SEGMENT.test(url.split('?', 1)[0]!))
    throw malformed('The path must not have dot segments, backslashes or NUL characters.');
  if (request.rawHeaders.length > 2 * HEADERS_MAX) throw malformed(`The request has more than ${HEADERS_MAX} headers.`);
  if (headers.host === undefined) throw malformed('The Host header is missing.');
  if (!HOST.test(headers.host) || hasDuplicate(request, ['host']))
    throw malformed('The Host header must be one host name.');
  // Node's parser refuses Content-Length beside it; another coding than chunked, or on HTTP/1.0, is read differently
  // by different servers.
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || request.httpVersion === '1.0')) {
    throw malformed('The only transfer coding is chunked.');
  }
  if (headers.expect !== undefined && !expectsContinue(request))
    throw malformed('The only expectation is 100-continue.');
}

export function expectsContinue(request: IncomingMessage): boolean {
  return request.headers.expect?.toLowerCase() === '100-continue';
}

/** True when the head announces a body. */
export function hasBody(request: IncomingMessage): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}

export function bodyMaxBytesOf(operation: Operation, request?: IncomingMessage): number {
  return largestBodyOf(operation, request?.headers['content-type']);
}

export function assertBodyFits(request: IncomingMessage, maxBytes: number): void {
  const length = request.headers['content-length'];
  if (length !== undefined && Number(length) > maxBytes) throw tooLarge(maxBytes);
}

/**
 * Cuts a request off, once, whose body was sent without a length and grows past the bound. The request is left
 * paused with nothing read, so that whoever forwards it gets every byte.
 */
export function countBody(request: IncomingMessage, maxBytes: number, onTooLarge: () => void): void {
  if (request.headers['transfer-encoding'] === undefined) return;
  let received = 0;
  const count = (chunk: Buffer) => {
    received += chunk.length;
    if (received <= maxBytes) return;
    request.off('data', count);
    onTooLarge();
  };
  // Without it the listener would start the flow, and what comes before the forwarder listens would be lost.
  request.pause();
  request.on('data', count);
}

export function tooLarge(maxBytes: number): CairnError {
  return new CairnError('payload_too_large', `The body is larger than the ${maxBytes} bytes this operation takes.`);
}

function malformed(detail: string): CairnError {
  return new CairnError('malformed_request', detail);
}
