import type { ProviderTestFailure } from '@cairn/contracts';
import { type Outbound, OutboundError } from '@cairn/outbound';
import { z } from 'zod';
import type { ModelsConfig, ProviderConfig } from './model-config.ts';
import { hasUnlistedAddress } from './provider-access.ts';
import type { ProviderKey } from './provider-key-source.ts';

const TEST_TIMEOUT_MS = 10_000;
const ANSWER_MAX_BYTES = 4 * 1_048_576;
const ANTHROPIC_VERSION = '2023-06-01';

type Asking = Pick<Outbound, 'request'>;

export interface ProviderKeyTest {
  failure: ProviderTestFailure | null;
  /** The provider's HTTP status, if it answered. */
  status: number | null;
  /** The operator's models of the provider, and whether it lists them for this key. */
  models: { model: string; listed: boolean }[];
}

/** The list of models as both protocols answer it. */
const ModelList = z.object({ data: z.array(z.object({ id: z.string() })) });

/**
 * Asks a provider for its list of models with a tenant's key, under the same guard as a model call. Nothing that
 * the provider says is part of the outcome but its status and which of the operator's models it lists.
 */
export async function testProviderKey(
  deps: { config: ModelsConfig; outbound: { trusted: Asking; untrusted: Asking } },
  name: string,
  key: ProviderKey,
  signal: AbortSignal,
): Promise<ProviderKeyTest> {
  const provider = deps.config.providers.find((known) => known.name === name);
  if (provider === undefined) return { failure: 'provider_not_configured', status: null, models: [] };
  const outbound = hasUnlistedAddress(key, provider) ? deps.outbound.untrusted : deps.outbound.trusted;
  const url = `${(key.baseUrl ?? provider.base_url).replace(/(?<!\/)\/+$/, '')}/models`;
  try {
    const { status, body } = await outbound.request(url, {
      headers: headersOf(provider, key.apiKey),
      timeoutMs: TEST_TIMEOUT_MS,
      bodyMaxBytes: ANSWER_MAX_BYTES,
      signal,
    });
    const failure = failureOf(status);
    if (failure !== null) return { failure, status, models: [] };
    const listed = listedModels(body);
    if (listed === null) return { failure: 'unexpected_answer', status, models: [] };
    return { failure: null, status, models: expectedModels(deps.config, name, listed) };
  } catch (error) {
    if (!(error instanceof OutboundError) || error.code === 'aborted') throw error;
    return { failure: failureOfRequest(error), status: null, models: [] };
  }
}

function headersOf({ protocol }: ProviderConfig, apiKey: string): Record<string, string> {
  return protocol === 'anthropic'
    ? { 'x-api-key': apiKey, 'anthropic-version': ANTHROPIC_VERSION, accept: 'application/json' }
    : { authorization: `Bearer ${apiKey}`, accept: 'application/json' };
}

function failureOf(status: number): ProviderTestFailure | null {
  if (status === 401 || status === 403) return 'key_refused';
  if (status === 429) return 'rate_limited';
  if (status >= 500) return 'provider_error';
  return status === 200 ? null : 'unexpected_answer';
}

function failureOfRequest(error: OutboundError): ProviderTestFailure {
  if (error.code === 'timed_out_before_headers' || error.code === 'timed_out_after_headers') return 'timed_out';
  if (error.code === 'body_too_large' || error.code === 'answer_malformed') return 'unexpected_answer';
  return error.retryable ? 'unreachable' : 'address_refused';
}

function listedModels(body: Buffer): ReadonlySet<string> | null {
  try {
    const parsed = ModelList.safeParse(JSON.parse(body.toString('utf8')));
    return parsed.success ? new Set(parsed.data.data.map(({ id }) => id)) : null;
  } catch {
    return null;
  }
}

function expectedModels(config: ModelsConfig, provider: string, listed: ReadonlySet<string>) {
  const models = [
    ...config.language_models.map((model) => ({ provider: model.provider, model: model.model ?? model.name })),
    ...[config.embedding, config.reranker].filter((entry) => entry !== undefined),
  ];
  const names = new Set(models.filter((entry) => entry.provider === provider).map(({ model }) => model));
  return [...names].map((model) => ({ model, listed: listed.has(model) }));
}
