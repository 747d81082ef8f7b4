import { describe, expect, it } from '@jest/globals';
import { isRedirectOf, mayBeRedirect, spaceOfResource } from './oauth-addresses.ts';

describe('an address that a code may be led to', () => {
  it.each([
    'https://app.example/callback',
    'http://127.0.0.1:1234/callback',
    'http://[::1]/callback',
    'http://localhost:3000/oauth',
  ])('is %s', (uri) => expect(mayBeRedirect(uri)).toBe(true));

  it.each([
    'http://app.example/callback',
    'https://app.example/callback#here',
    'https://user:secret@app.example/callback',
    'javascript:alert(1)',
    'data:text/html,x',
    'cairn://callback',
    'http://localhost.app.example/callback',
    'http://127.0.0.2.example/callback',
    '/callback',
  ])('is not %s', (uri) => expect(mayBeRedirect(uri)).toBe(false));
});

describe('the addresses of a client', () => {
  const own = ['https://app.example/callback', 'http://127.0.0.1/callback?for=cairn'];

  it.each([
    'https://app.example/callback',
    'http://127.0.0.1/callback?for=cairn',
    'http://127.0.0.1:51000/callback?for=cairn',
  ])('hold %s', (asked) => expect(isRedirectOf(own, asked)).toBe(true));

  it.each([
    'https://app.example/callback/',
    'https://app.example:8443/callback',
    'https://app.example/callback?more=1',
    'https://APP.example/callback',
    'https://app.example.evil.example/callback',
    'http://localhost:51000/callback?for=cairn',
    'http://127.0.0.1:51000/callback',
    'http://127.0.0.1:51000/callback?for=cairn#x',
    'https://127.0.0.1:51000/callback?for=cairn',
  ])('do not hold %s', (asked) => expect(isRedirectOf(own, asked)).toBe(false));
});

describe('the space of a resource', () => {
  const base = 'https://cairn.example/';

  it('is in the address of its endpoint', () => {
    expect(spaceOfResource(base, 'https://cairn.example/api/v1/spaces/spc_2abc/mcp')).toBe('spc_2abc');
  });

  it.each([
    'https://other.example/api/v1/spaces/spc_2abc/mcp',
    'http://cairn.example/api/v1/spaces/spc_2abc/mcp',
    'https://cairn.example/api/v1/spaces/spc_2abc/mcp/',
    'https://cairn.example/api/v1/spaces/mem_2abc/mcp',
    'https://cairn.example/api/v1/spaces/spc_2abc',
    'https://cairn.example',
  ])('is nowhere in %s', (resource) => expect(spaceOfResource(base, resource)).toBeNull());
});
