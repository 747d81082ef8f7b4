import { describe, expect, it } from '@jest/globals';
import { OutboundError, type OutboundResponse } from '@cairn/outbound';
import type { Database } from '@cairn/postgres';
import { findClientFor, readableName } from './find-client.ts';

const ID = 'https://app.example/client.json';
const REDIRECT = 'http://127.0.0.1:41000/callback';
const DOCUMENT = {
  client_id: ID,
  client_name: 'Field notes',
  redirect_uris: ['http://127.0.0.1/callback', 'https://app.example/callback'],
};

/** Finds the client when its document is answered with this. */
function find(answer: unknown, { clientId = ID, status = 200, redirectUri = REDIRECT } = {}) {
  const body = Buffer.from(typeof answer === 'string' ? answer : JSON.stringify(answer));
  const request = async (url: string): Promise<OutboundResponse> => {
    if (answer instanceof Error) throw answer;
    return { status, headers: {}, body, truncated: false, url };
  };
  // Only registered clients are looked up there.
  const deps = { workerDatabase: undefined as unknown as Database, outbound: { request }, now: () => new Date() };
  return findClientFor(deps, { client_id: clientId, redirect_uri: redirectUri });
}

describe('a client whose id is the address of a document', () => {
  it('is what the document says', async () => {
    expect(await find(DOCUMENT)).toEqual({ clientId: ID, name: 'Field notes' });
    expect(await find({ ...DOCUMENT, token_endpoint_auth_method: 'none', logo_uri: 'x' })).toMatchObject({
      clientId: ID,
    });
  });

  it('without a name is called after where it is led back to', async () => {
    expect(await find({ ...DOCUMENT, client_name: ' \u202e' })).toMatchObject({ name: '127.0.0.1:41000' });
  });

  it.each([
    ['names another address as its id', { ...DOCUMENT, client_id: 'https://evil.example/client.json' }, {}],
    ['expects a secret', { ...DOCUMENT, token_endpoint_auth_method: 'client_secret_post' }, {}],
    ['has no redirect address', { ...DOCUMENT, redirect_uris: [] }, {}],
    ['is no JSON', '<html>', {}],
    ['is not found', DOCUMENT, { status: 404 }],
    ['is elsewhere', DOCUMENT, { status: 302 }],
    ['may not be asked', new OutboundError('address_refused', 'private'), {}],
    ['does not name the redirect address', DOCUMENT, { redirectUri: 'https://evil.example/callback' }],
  ])('is refused when the document %s', async (_what, answer, options) => {
    await expect(find(answer, options)).rejects.toMatchObject({ code: 'validation_failed' });
  });

  it.each([
    'http://app.example/client.json',
    'https://app.example/',
    'https://app.example',
    'https://app.example/a/../client.json',
    'https://user@app.example/client.json',
    'https://app.example/client.json#x',
    'client.json',
  ])('is refused at %s', async (clientId) => {
    await expect(find({ ...DOCUMENT, client_id: clientId }, { clientId })).rejects.toMatchObject({
      code: 'validation_failed',
    });
  });
});

describe('a name that a person is shown', () => {
  it('has no characters that nobody sees, and an end', () => {
    expect(readableName(' Fi\u200beld\u202e no\0tes\n')).toBe('Field notes');
    expect(readableName('x'.repeat(1_000))).toHaveLength(200);
  });
});
