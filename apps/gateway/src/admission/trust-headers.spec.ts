import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { IncomingHttpHeaders } from 'node:http';
import { stripResponseHeaders, stripTrustHeaders } from './trust-headers.ts';

const request = (headers: IncomingHttpHeaders) => {
  const kept = { ...headers };
  stripTrustHeaders(kept);
  return kept;
};
const answer = (headers: IncomingHttpHeaders) => {
  const kept = { ...headers };
  stripResponseHeaders(kept);
  return kept;
};
const ORDINARY = {
  accept: '*/*',
  'content-type': 'application/json',
  'idempotency-key': 'a',
  'x-request-id': 'r',
  'x-api-key': 'k',
  authorization: 'Bearer k',
};

describe('headers of a request', () => {
  it.each([
    'x-cairn-identity',
    'x-cairn-anything-that-comes-later',
    'x-tenant',
    'x-tenant-id',
    'x-user',
    'x-user-id',
    'x-forwarded-for',
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-forwarded-prefix',
    'forwarded',
    'x-real-ip',
    'true-client-ip',
    'x-original-url',
    'x-rewrite-url',
    'x-http-method-override',
    'x-method-override',
    'proxy',
    'cookie',
    'cookie2',
  ])('a caller cannot claim anything by %s', (name) => {
    expect(request({ ...ORDINARY, [name]: 'forged' })).toEqual(ORDINARY);
  });

  it('a name that some servers fold into one of ours is dropped, wherever its underscores are', () => {
    const parts = fc.constantFrom('x-cairn-identity', 'x-tenant-id', 'x-user-id', 'x-forwarded-for', 'x-real-ip');
    fc.assert(
      fc.property(parts, fc.infiniteStream(fc.boolean()), (name, fold) => {
        const folded = name.replaceAll('-', () => (fold.next().value === true ? '_' : '-'));
        expect(request({ ...ORDINARY, [folded]: 'forged' })).toEqual(ORDINARY);
      }),
    );
  });

  it('a credential under a folded name does not reach a service', () => {
    expect(request({ ...ORDINARY, x_api_key: 'secret', 'x_api-key': 'secret' })).toEqual(ORDINARY);
  });

  it('hop-by-hop headers end here', () => {
    const hopByHop = {
      connection: 'keep-alive, Upgrade, HTTP2-Settings',
      'keep-alive': 'timeout=5',
      'proxy-authorization': 'Basic a',
      'proxy-connection': 'keep-alive',
      te: 'trailers',
      trailer: 'x-a',
      upgrade: 'h2c',
      'http2-settings': 'AAA',
    };
    expect(request({ ...ORDINARY, ...hopByHop })).toEqual(ORDINARY);
  });

  it('what Connection nominates is dropped, whatever its case and spacing', () => {
    expect(request({ ...ORDINARY, connection: 'close , X-Hop,x-other', 'x-hop': '1', 'x-other': '2' })).toEqual(
      ORDINARY,
    );
  });

  it('Connection cannot take away the framing, the host, or the request id', () => {
    const kept = { host: 'a', 'content-length': '3', 'transfer-encoding': 'chunked', 'x-request-id': 'r' };
    expect(request({ ...kept, connection: 'host, content-length, transfer-encoding, x-request-id' })).toEqual(kept);
  });

  it('a header that only looks like one of ours passes', () => {
    const others = { 'x-cairnish': '1', 'my-x-tenant': '1', 'x-real-ipv6': '1', proxied: '1' };
    expect(request({ ...ORDINARY, ...others })).toEqual({ ...ORDINARY, ...others });
  });
});

describe('headers of a response', () => {
  it('a service cannot speak in the name of the gateway or say what it is made of', () => {
    const said = {
      'x-cairn-identity': 'a',
      x_cairn_anything: 'b',
      'x-powered-by': 'Express',
      server: 'nginx',
      'x-request-id': 'other',
    };
    expect(answer({ ...said, 'content-type': 'a/b' })).toEqual({ 'content-type': 'a/b' });
  });

  it('hop-by-hop and nominated headers end here, framing and cookies pass', () => {
    const kept = { 'content-length': '3', 'set-cookie': ['a=b'], etag: '"1"' };
    const hop = {
      connection: 'Upgrade, x-hop, content-length',
      upgrade: 'h2c',
      'keep-alive': 'timeout=5',
      'x-hop': '1',
      trailer: 'x-a',
    };
    expect(answer({ ...kept, ...hop })).toEqual(kept);
  });
});
