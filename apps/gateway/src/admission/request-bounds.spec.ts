import { describe, expect, it, jest } from '@jest/globals';
import { DEFAULT_BODY_MAX_BYTES, ingestDocuments, listMemories } from '@cairn/contracts';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import {
  assertBodyFits,
  assertWellFormedHead,
  bodyMaxBytesOf,
  countBody,
  expectsContinue,
  hasBody,
} from './request-bounds.ts';

function requestWith(url: string, headers: Record<string, string> = {}, version = '1.1'): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.url = url;
  request.httpVersion = version;
  for (const [name, value] of Object.entries({ host: 'cairn.test', ...headers })) {
    request.rawHeaders.push(name, value);
    request.headers[name] = value;
  }
  return request;
}
const head =
  (...parts: Parameters<typeof requestWith>) =>
  () =>
    assertWellFormedHead(requestWith(...parts));
const MALFORMED = expect.objectContaining({ code: 'malformed_request' });

describe('the head of a request', () => {
  it.each([
    '/',
    '/a/b?c=d&e=%C3%A4',
    '/a/...',
    '/a/.b',
    '/a/b..',
    '/a?x=../..',
    '/a?u=http://b//c',
    '/a/%2F',
    '/a|b\'"<>{}',
  ])('%s is a target', (url) => {
    expect(head(url)).not.toThrow();
  });

  it.each([
    ['absolute form', 'http://evil.test/a'],
    ['another host', '//evil.test/a'],
    ['asterisk form', '*'],
    ['authority form', 'evil.test:443'],
    ['nothing', ''],
    ['a fragment', '/a#/../b'],
    ['a fragment in the query', '/a?b#c'],
    ['bytes outside of ASCII', '/ä'],
    ['dot segments', '/a/../b'],
    ['a dot segment at the end', '/a/..'],
    ['a single dot', '/a/./b'],
    ['encoded dots', '/a/%2e%2E/b'],
    ['half encoded dots', '/a/.%2e'],
    ['a backslash', '/a\\..\\b'],
    ['an encoded NUL', '/a/%00'],
    ['too many characters', `/${'a'.repeat(8_192)}`],
  ])('a target with %s is malformed', (_name, url) => {
    expect(head(url)).toThrow(MALFORMED);
  });

  it.each(['a', 'cairn.test', 'cairn.test.', 'mem-1.localhost:8080', '127.0.0.1:80', '[::1]:8080', 'my_service'])(
    '%s is a host',
    (host) => {
      expect(head('/', { host })).not.toThrow();
    },
  );

  it.each([
    '',
    'a b',
    'a/b',
    'user@host',
    'a:b',
    'a:80:80',
    'a..b',
    '.a',
    'a,b',
    'a:999999',
    '[::1',
    'ä',
    'a#b',
    'a?b',
  ])('%j is no host', (host) => {
    expect(head('/', { host })).toThrow(MALFORMED);
  });

  it('a missing or repeated host is malformed', () => {
    const missing = requestWith('/');
    delete missing.headers.host;
    expect(() => assertWellFormedHead(missing)).toThrow(MALFORMED);
    const repeated = requestWith('/');
    repeated.rawHeaders.push('HOST', 'cairn.test');
    expect(() => assertWellFormedHead(repeated)).toThrow(MALFORMED);
  });

  it('chunked on HTTP/1.1 is the only transfer coding', () => {
    expect(head('/', { 'transfer-encoding': 'Chunked' })).not.toThrow();
    for (const coding of ['gzip, chunked', 'identity', 'chunked, chunked', 'xchunked', '']) {
      expect(head('/', { 'transfer-encoding': coding })).toThrow(MALFORMED);
    }
    expect(head('/', { 'transfer-encoding': 'chunked' }, '1.0')).toThrow(MALFORMED);
  });

  it('100-continue is the only expectation, in any case', () => {
    expect(head('/', { expect: '100-Continue' })).not.toThrow();
    expect(expectsContinue(requestWith('/', { expect: '100-Continue' }))).toBe(true);
    expect(head('/', { expect: '200-maybe' })).toThrow(MALFORMED);
  });

  it('two hundred headers are enough', () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, '1']));
    expect(head('/', many(199))).not.toThrow();
    expect(head('/', many(200))).toThrow(MALFORMED);
  });
});

describe('the body of a request', () => {
  it('is bounded by its operation', () => {
    expect(bodyMaxBytesOf(ingestDocuments)).toBe(8 * 1_048_576);
    expect(bodyMaxBytesOf(listMemories)).toBe(DEFAULT_BODY_MAX_BYTES);
    expect(bodyMaxBytesOf({ ...listMemories, bodyMaxBytes: 1e9 })).toBe(DEFAULT_BODY_MAX_BYTES);
  });

  it('is refused by its announced length, before a byte is read', () => {
    expect(() => assertBodyFits(requestWith('/', { 'content-length': '11' }), 10)).toThrow(
      expect.objectContaining({ code: 'payload_too_large' }),
    );
    expect(() => assertBodyFits(requestWith('/', { 'content-length': '10' }), 10)).not.toThrow();
    expect(() => assertBodyFits(requestWith('/', { 'transfer-encoding': 'chunked' }), 10)).not.toThrow();
  });

  it('is there when the head announces one', () => {
    expect(hasBody(requestWith('/'))).toBe(false);
    expect(hasBody(requestWith('/', { 'content-length': '0' }))).toBe(false);
    expect(hasBody(requestWith('/', { 'content-length': '1' }))).toBe(true);
    expect(hasBody(requestWith('/', { 'transfer-encoding': 'chunked' }))).toBe(true);
  });

  it('of unknown length is counted without being read, and cut once', async () => {
    const request = requestWith('/', { 'transfer-encoding': 'chunked' });
    const tooLarge = jest.fn();
    countBody(request, 4, tooLarge);
    request.push(Buffer.from('123'));
    await new Promise(setImmediate);
    expect(request.readableLength).toBe(3);
    const seen: string[] = [];
    request.on('data', (chunk: Buffer) => seen.push(chunk.toString()));
    request.resume();
    for (const chunk of ['4', '5', '6']) request.push(Buffer.from(chunk));
    await new Promise(setImmediate);
    expect(seen.join('')).toBe('123456');
    expect(tooLarge).toHaveBeenCalledTimes(1);
  });

  it('of known length is left alone: the parser counts it', () => {
    const request = requestWith('/', { 'content-length': '3' });
    countBody(request, 1, jest.fn());
    expect(request.listenerCount('data')).toBe(0);
    expect(request.isPaused()).toBe(false);
  });
});
