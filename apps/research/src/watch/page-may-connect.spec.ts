import { describe, expect, it } from '@jest/globals';
import { pageMayConnect } from './page-may-connect.ts';

const ALLOWED = new Set(['https://cairn.example']);

describe('a page may open a WebSocket', () => {
  it.each([
    ['of the base URL', 'https://cairn.example', 'cairn.example'],
    ['from the host that was asked, by another name', 'http://127.0.0.1:8080', '127.0.0.1:8080'],
    ['from the host that was asked, by its local name', 'http://localhost:8080', 'localhost:8080'],
    ['whatever the case of the host', 'http://localhost:8080', 'LocalHost:8080'],
    ['with the port that the scheme implies', 'https://other.example', 'other.example:443'],
  ])('%s', (_what, origin, asked) => {
    expect(pageMayConnect({ origin, 'x-forwarded-host': asked }, ALLOWED)).toBe(true);
  });

  it('not needed for a program, which sends no origin', () => {
    expect(pageMayConnect({}, ALLOWED)).toBe(true);
  });

  it.each([
    ['of another site', 'https://evil.example', 'cairn.example'],
    ['of another port', 'http://127.0.0.1:9999', '127.0.0.1:8080'],
    ['by another name of the same machine', 'http://localhost:8080', '127.0.0.1:8080'],
    ['without a site', 'null', 'null'],
    ['of another scheme', 'ftp://127.0.0.1:8080', '127.0.0.1:8080'],
    ['whose host only begins alike', 'http://cairn.example.evil.example', 'cairn.example'],
    ['that names the asked host as a user', 'http://cairn.example@evil.example', 'cairn.example'],
    ['when nobody says which host was asked', 'http://127.0.0.1:8080', undefined],
  ])('not one %s', (_what, origin, asked) => {
    expect(pageMayConnect({ origin, 'x-forwarded-host': asked }, ALLOWED)).toBe(false);
  });
});
