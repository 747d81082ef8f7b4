import { describe, expect, it } from '@jest/globals';
import { CairnError } from '@cairn/errors';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { takeCredential, takeTicket } from './credential.ts';

function requestWith(...rawHeaders: string[]): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.rawHeaders = rawHeaders;
  for (let index = 0; index < rawHeaders.length; index += 2)
    request.headers[rawHeaders[index]!.toLowerCase()] ??= rawHeaders[index + 1];
  return request;
}
function refusalOf(...rawHeaders: string[]): string {
  try {
    takeCredential(requestWith(...rawHeaders));
  } catch (error) {
    return (error as CairnError).code;
  }
  return 'taken';
}

describe('the credential of a request', () => {
  it.each([
    ['x-api-key', ['X-Api-Key', 'ck_live_a']],
    ['a bearer token', ['Authorization', 'Bearer ck_live_a']],
    ['a bearer token in any case and spacing', ['authorization', 'bEARER   ck_live_a ']],
    ['the same in both', ['x-api-key', ' ck_live_a', 'authorization', 'Bearer ck_live_a']],
    ['one header beside an empty one', ['x-api-key', ' ', 'authorization', 'Bearer ck_live_a']],
    ['x-api-key beside an empty Authorization', ['x-api-key', 'ck_live_a', 'authorization', '']],
  ])('is taken from %s', (_name, headers) => {
    expect(takeCredential(requestWith(...headers))).toBe('ck_live_a');
  });

  it.each([
    ['nothing', []],
    ['an empty key', ['x-api-key', '']],
    ['empty headers', ['x-api-key', '  ', 'authorization', ' ']],
  ])('is missing with %s', (_name, headers) => {
    expect(refusalOf(...headers)).toBe('credential_missing');
  });

  it.each([
    ['two different ones', ['x-api-key', 'a', 'authorization', 'Bearer b']],
    ['one header twice', ['x-api-key', 'a', 'X-API-Key', 'b']],
    ['one header twice with the same', ['x-api-key', 'a', 'X-API-Key', 'a']],
    ['two Authorization headers', ['authorization', 'Bearer a', 'authorization', 'Bearer b']],
    ['another scheme', ['authorization', 'Basic YTpi']],
    ['another scheme beside a key', ['x-api-key', 'a', 'authorization', 'Basic YTpi']],
    ['a scheme alone', ['authorization', 'Bearer']],
    ['a token with a space', ['authorization', 'Bearer a b']],
    ['an overlong one', ['x-api-key', 'a'.repeat(513)]],
  ])('is invalid with %s', (_name, headers) => {
    expect(refusalOf(...headers)).toBe('credential_invalid');
  });

  it('does not travel on, also when it is refused', () => {
    for (const headers of [
      ['x-api-key', 'a', 'authorization', 'Bearer a'],
      ['x-api-key', 'a', 'authorization', 'Bearer b'],
      ['x-api-key', 'a', 'authorization', 'Basic b'],
    ]) {
      const request = requestWith(...headers);
      try {
        takeCredential(request);
      } catch {
        // The refusal is another spec's.
      }
      expect(request.headers).toEqual({});
    }
  });
});

describe('a ticket in the address', () => {
  const asked = (url: string, headers: Record<string, string> = {}) => {
    const request = {
      url,
      headers: { ...headers },
      rawHeaders: Object.entries(headers).flat(),
    } as unknown as IncomingMessage;
    return { ticket: takeTicket(request), url: request.url };
  };

  it('is taken from a request without a key, and stays for the service', () => {
    expect(asked('/a?ticket=t.1&last_seq=2')).toEqual({ ticket: 't.1', url: '/a?ticket=t.1&last_seq=2' });
  });

  it('does not count beside a key, and goes no further', () => {
    expect(asked('/a?ticket=t.1&last_seq=2', { 'x-api-key': 'k' })).toEqual({
      ticket: undefined,
      url: '/a?last_seq=2',
    });
    expect(asked('/a?ticket=t.1', { authorization: 'Bearer k' })).toEqual({ ticket: undefined, url: '/a' });
  });

  it('is none where there is none, and refused when there are two', () => {
    expect(asked('/a?last_seq=2')).toEqual({ ticket: undefined, url: '/a?last_seq=2' });
    expect(() => asked('/a?ticket=1&ticket=2')).toThrow(/ticket is not valid/);
  });
});
