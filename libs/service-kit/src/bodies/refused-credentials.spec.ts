import { describe, expect, it } from '@jest/globals';
import * as operations from '@cairn/contracts';
import type { Operation } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { validateRequest } from './validate.ts';

// Put together here, so that no scanner takes this file for a leak.
const CREDENTIALS: readonly (readonly [what: string, value: string])[] = [
  ['a platform key', `ck_${'live'}_${'aB3'.repeat(16)}`],
  ['a memory key', `mk_${'aB3'.repeat(16)}`],
  ['a cloud key', `AKIA${'ABCDEFGH12345678'}`],
  ['a token of a code host', `gh${'p_'}cAnArY0123456789abcdefABCDEF01234567`],
  ['a private key', `-----BEGIN ${'PRIVATE'} KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQ\n-----END ${'PRIVATE'} KEY-----`],
  ['an address with a password', 'postgres://app:sunshine@db.example.com/app'],
  ['a payment card', '4111 1111 1111 1111'],
  ['a payment card without blanks', '4111111111111111'],
  ['an IBAN', 'DE89 3704 0044 0532 0130 00'],
];

type Place = 'params' | 'query' | 'body';
const FIELDS: readonly (readonly [field: string, operation: Operation, place: Place, rest: Record<string, unknown>])[] =
  [
    ['name', operations.createApiKey, 'body', {}],
    ['name', operations.createOAuthClient, 'body', { scopes: ['memory:search'] }],
    [
      'description',
      operations.createWebhook,
      'body',
      { url: 'https://example.com/hook', events: ['memory.ingest.completed'] },
    ],
    ['user', operations.searchMemory, 'body', { query: 'What?' }],
    ['user', operations.createThread, 'body', {}],
    ['user', operations.putSpaceMember, 'params', { space_id: 'spc_1' }],
    ['serviceId', operations.startResearch, 'body', { query: 'What?' }],
    ['external_id', operations.ingestDocuments, 'body', { content: 'A note.' }],
    ['external_id', operations.listDocuments, 'query', {}],
  ];

function refusalOf(operation: Operation, place: Place, value: Record<string, unknown>): CairnError | null {
  try {
    validateRequest(operation, { params: {}, query: {}, body: {}, [place]: value });
    return null;
  } catch (error) {
    if (error instanceof CairnError) return error;
    throw error;
  }
}

describe('a field that is shown, logged or compared', () => {
  describe.each(FIELDS)('%s', (field, operation, place, rest) => {
    it.each(CREDENTIALS)('is refused when it holds %s, without a word of it', (_what, credential) => {
      const refusal = refusalOf(operation, place, { ...rest, [field]: `the one: ${credential}` });
      expect(refusal?.code).toBe('validation_failed');
      expect(refusal?.errors).toContainEqual({
        path: field,
        message: expect.stringMatching(/^contains an? |^contains the number/),
      });
      const text = JSON.stringify([refusal!.message, refusal!.errors]);
      expect(text).not.toContain(credential.slice(4, 20));
    });

    it('is taken when it is an ordinary name', () => {
      for (const name of [
        'Ann of Sales',
        'ann@example.com',
        'order-2026-000123',
        '1187654321098765432',
        'usr_01j8zq5m7k3v9x2c4b6n8p0r1s',
        'sk-learn-random-forest-classifier-v2',
        'sk-SK-translations-2024-final-v3',
        'task-sk-my-project-name-with-id-2024',
        `pk_live_${'documentation'}`,
        'xoxo-hugs-and-kisses',
        'Bearer authentication-and-authorization-2',
        'confluence://SPACE:page@v3',
        'mailto://a:b@c',
        '550e8400-e29b-41d4-a716-446655440000',
      ])
        expect(refusalOf(operation, place, { ...rest, [field]: name })?.errors ?? []).not.toContainEqual(
          expect.objectContaining({ path: field }),
        );
    });
  });

  it('is any text of a new operation, unless the contracts say that it is masked or a credential itself', () => {
    const [, credential] = CREDENTIALS[0]!;
    const isTaken = (operation: Operation, body: Record<string, unknown>) =>
      !(refusalOf(operation, 'body', body)?.errors ?? []).some(({ message }) => message.startsWith('contains'));
    expect(
      isTaken(operations.ingestDocuments, { content: credential, title: credential, metadata: { note: credential } }),
    ).toBe(true);
    expect(isTaken(operations.putProviderKey, { api_key: credential })).toBe(true);
    const unknown: Operation = { ...operations.createApiKey, body: undefined } as never;
    expect(refusalOf(unknown, 'body', { later_field: credential })?.errors).toEqual([
      { path: 'later_field', message: expect.stringContaining('contains an API key') },
    ]);
  });
});
