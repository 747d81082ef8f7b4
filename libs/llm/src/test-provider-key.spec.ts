import { describe, expect, it } from '@jest/globals';
import { OutboundError, type OutboundRequest } from '@cairn/outbound';
import { parseModelsConfig } from './model-config.ts';
import { testProviderKey } from './test-provider-key.ts';

const KEY = 'sk-canary-0123456789';
const config = parseModelsConfig({
  providers: [
    { name: 'open', protocol: 'openai-compatible', base_url: 'https://open.example/v1/' },
    { name: 'claude', protocol: 'anthropic', base_url: 'https://claude.example/v1' },
  ],
  language_models: [
    { name: 'small', provider: 'open', model: 'small-2' },
    { name: 'gone', provider: 'open' },
    { name: 'opus', provider: 'claude' },
  ],
});

type Answer = { status: number; body?: string } | Error;

function ask(answer: Answer, provider = 'open', baseUrl?: string) {
  const asked: { way: string; url: string; request: OutboundRequest }[] = [];
  const outlet = (way: string) => ({
    request: async (url: string, request: OutboundRequest) => {
      asked.push({ way, url, request });
      if (answer instanceof Error) throw answer;
      const body = Buffer.from(answer.body ?? '{}');
      return { status: answer.status, headers: {}, body, truncated: false, url };
    },
  });
  const deps = { config, outbound: { trusted: outlet('trusted'), untrusted: outlet('untrusted') } };
  const outcome = testProviderKey(deps, provider, { apiKey: KEY, baseUrl }, new AbortController().signal);
  return { asked, outcome };
}

const LIST = JSON.stringify({ object: 'list', data: [{ id: 'small-2' }, { id: 'other' }] });

describe('the test of a provider key', () => {
  it('says that the key is accepted, and which of the models the provider lists', async () => {
    const { asked, outcome } = ask({ status: 200, body: LIST });
    expect(await outcome).toEqual({
      failure: null,
      status: 200,
      models: [
        { model: 'small-2', listed: true },
        { model: 'gone', listed: false },
      ],
    });
    expect(asked).toMatchObject([
      {
        way: 'trusted',
        url: 'https://open.example/v1/models',
        request: { headers: { authorization: `Bearer ${KEY}` }, timeoutMs: 10_000 },
      },
    ]);
  });

  it('speaks the protocol of the provider', async () => {
    const { asked, outcome } = ask({ status: 200, body: LIST }, 'claude');
    expect((await outcome).failure).toBeNull();
    expect(asked[0]!.request.headers).toMatchObject({ 'x-api-key': KEY, 'anthropic-version': '2023-06-01' });
  });

  it('goes to an address that the tenant named only as to any foreign one', async () => {
    const { asked } = ask({ status: 200, body: LIST }, 'open', 'https://elsewhere.example/v1');
    expect(asked).toMatchObject([{ way: 'untrusted', url: 'https://elsewhere.example/v1/models' }]);
  });

  it.each<[string, Answer, string, number | null]>([
    ['401', { status: 401, body: `bad key ${KEY}` }, 'key_refused', 401],
    ['403', { status: 403 }, 'key_refused', 403],
    ['429', { status: 429 }, 'rate_limited', 429],
    ['503', { status: 503 }, 'provider_error', 503],
    ['a redirect', { status: 302 }, 'unexpected_answer', 302],
    ['a page', { status: 200, body: '<html>' }, 'unexpected_answer', 200],
    ['another JSON', { status: 200, body: '{"data":[{}]}' }, 'unexpected_answer', 200],
    ['silence', new OutboundError('timed_out_before_headers', 'late'), 'timed_out', null],
    ['no connection', new OutboundError('connection_failed', 'refused'), 'unreachable', null],
    ['a private address', new OutboundError('address_refused', 'private'), 'address_refused', null],
    ['an endless answer', new OutboundError('body_too_large', 'long'), 'unexpected_answer', null],
  ])('tells apart %s, without a word of the provider or of the key', async (_what, answer, failure, status) => {
    const outcome = await ask(answer).outcome;
    expect(outcome).toEqual({ failure, status, models: [] });
  });

  it('sends nothing for a provider that the installation does not have', async () => {
    const { asked, outcome } = ask({ status: 200, body: LIST }, 'unknown');
    expect([(await outcome).failure, asked]).toEqual(['provider_not_configured', []]);
  });

  it('ends with the caller, who is not told of a failure of the provider', async () => {
    await expect(ask(new OutboundError('aborted', 'gone')).outcome).rejects.toMatchObject({ code: 'aborted' });
  });
});
