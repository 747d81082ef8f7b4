import { describe, expect, it } from '@jest/globals';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { clientAddressOf } from './client-address.ts';

function addressOf(trustedProxies: number, forwardedFor: string | undefined): string {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: '10.0.0.1' });
  const request = new IncomingMessage(socket);
  if (forwardedFor !== undefined) request.headers['x-forwarded-for'] = forwardedFor;
  return clientAddressOf(request, trustedProxies);
}

describe("the caller's address", () => {
  it('is that of the connection when there is no trusted proxy, whatever the caller says', () => {
    expect(addressOf(0, '1.1.1.1')).toBe('10.0.0.1');
    expect(addressOf(0, undefined)).toBe('10.0.0.1');
  });

  it('is what the outermost of n trusted proxies wrote; what stands left of it is the caller’s own', () => {
    expect(addressOf(1, '6.6.6.6, 1.1.1.1')).toBe('1.1.1.1');
    expect(addressOf(2, '6.6.6.6, 1.1.1.1, 10.0.0.2')).toBe('1.1.1.1');
    expect(addressOf(3, '6.6.6.6,  1.1.1.1 , 10.0.0.3,10.0.0.2')).toBe('1.1.1.1');
    expect(addressOf(1, ', 1.1.1.1')).toBe('1.1.1.1');
  });

  it('is the furthest one known when fewer proxies were passed', () => {
    expect(addressOf(3, '1.1.1.1, 10.0.0.2')).toBe('1.1.1.1');
    expect(addressOf(2, undefined)).toBe('10.0.0.1');
  });

  it.each([
    ['1.1.1.1:4711', '1.1.1.1'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['unknown', 'unknown'],
    ['host:80', 'host:80'],
  ])('%s is read as %s', (hop, address) => {
    expect(addressOf(1, hop)).toBe(address);
  });
});
