import type { Outbound } from '@cairn/outbound';
import { z } from 'zod';

interface WebHit {
  url: string;
  title: string;
  snippet: string;
}

/** The search engine that the operator has chosen. */
export interface WebSearch {
  readonly name: string;
  search(query: string, max: number, signal: AbortSignal): Promise<WebHit[]>;
}

interface WebSearchOptions {
  provider: 'searxng' | 'brave' | 'tavily';
  /** Base URL. Every engine but SearXNG has a public default. */
  url: string | undefined;
  apiKey: string | undefined;
  outbound: Outbound;
}

/** The engine answered with another status than 200. */
export class SearchRefusedError extends Error {
  override readonly name = 'SearchRefusedError';
  readonly status: number;

  constructor(status: number) {
    super(`the search engine returned ${status}`);
    this.status = status;
  }
}

const TIMEOUT_MS = 15_000;
const RESPONSE_MAX_BYTES = 2 * 1_048_576;
const address = z.url({ protocol: /^https?$/ });
const SearxngResponse = z.object({
  results: z.array(z.object({ url: z.string(), title: z.string().default(''), content: z.string().nullish() })),
});
const BraveResponse = z.object({
  web: z
    .object({
      results: z.array(z.object({ url: z.string(), title: z.string().default(''), description: z.string().nullish() })),
    })
    .nullish(),
});
const TavilyResponse = SearxngResponse;

/** One interface to SearXNG (JSON format), Brave Search and Tavily. */
export function createWebSearch(options: WebSearchOptions): WebSearch {
  const { provider, apiKey = '' } = options;
  return {
    name: provider,
    async search(query, max, signal) {
      const { url, headers, body } = requestOf(options, query, max, apiKey);
      const response = await options.outbound.request(url, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { accept: 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        timeoutMs: TIMEOUT_MS,
        bodyMaxBytes: RESPONSE_MAX_BYTES,
        signal,
      });
      if (response.status !== 200) throw new SearchRefusedError(response.status);
      return hitsOf(provider, JSON.parse(response.body.toString('utf8')))
        .filter((hit) => address.safeParse(hit.url).success)
        .slice(0, max);
    },
  };
}

function requestOf(options: WebSearchOptions, query: string, max: number, apiKey: string) {
  const headers: Record<string, string> = {};
  switch (options.provider) {
    case 'searxng': {
      const url = new URL('search', `${(options.url ?? '').replace(/(?<!\/)\/+$/, '')}/`);
      url.searchParams.set('q', query);
      url.searchParams.set('format', 'json');
      return { url: url.href, headers, body: undefined };
    }
    case 'brave': {
      const url = new URL(options.url ?? 'https://api.search.brave.com/res/v1/web/search');
      url.searchParams.set('q', query.slice(0, 400));
      url.searchParams.set('count', String(Math.min(max, 20)));
      return { url: url.href, headers: { 'x-subscription-token': apiKey }, body: undefined };
    }
    case 'tavily':
      return {
        url: options.url ?? 'https://api.tavily.com/search',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: { query: query.slice(0, 400), max_results: max },
      };
  }
}

function hitsOf(provider: WebSearchOptions['provider'], response: unknown): WebHit[] {
  if (provider === 'brave')
    return (BraveResponse.parse(response).web?.results ?? []).map(({ url, title, description }) => ({
      url,
      title,
      snippet: description ?? '',
    }));
  const schema = provider === 'tavily' ? TavilyResponse : SearxngResponse;
  return schema.parse(response).results.map(({ url, title, content }) => ({ url, title, snippet: content ?? '' }));
}
