import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { Billing, Meter } from './metering.ts';
import { ModelFailure } from './model-failure.ts';
import type { Attribution } from './models.ts';
import { type Access, type AccessOptions, findAccess } from './provider-access.ts';

/** The model of one call. */
export interface KeyedCall<M> {
  model: M;
  /** Who pays: the side of the key that the last request was sent with. */
  billing(): Billing;
}

/** Which model of which provider is called, and for whom. */
export interface CalledModel {
  who: Attribution;
  provider: string;
  /** What the provider calls it. */
  model: string;
}

/** How the next request of a call reaches the provider. */
export type FindAccess = () => Promise<Access>;

/**
 * Begins a call. `make` builds the model on a function that looks the key up, which the model asks before each request,
 * repeats included: a key counts from the answer to PUT until the answer to DELETE, also while a call is being repeated.
 */
export function beginCall<M>(
  options: AccessOptions & { meter: Meter },
  { who, provider, model }: CalledModel,
  make: (find: FindAccess) => M,
): KeyedCall<M> {
  let byok = false;
  const find = async () => {
    const access = await findAccess(options, who, provider);
    if (access === null) throw new ModelFailure('unauthorized', 'no key may be used for this provider any more');
    ({ byok } = access);
    return access;
  };
  return { model: make(find), billing: () => ({ provider, model, byok, meter: options.meter }) };
}

type SdkLanguageModel = ReturnType<ReturnType<typeof createAnthropic>['languageModel']>;
type SdkEmbeddingModel = ReturnType<ReturnType<typeof createOpenAICompatible>['embeddingModel']>;

/** A language model of the SDK whose every request takes the key that holds at that moment. */
export function keyedLanguageModel({ provider, model }: CalledModel, find: FindAccess): SdkLanguageModel {
  const current = async () => sdkProvider(await find()).languageModel(model);
  return {
    specificationVersion: 'v4',
    provider,
    modelId: model,
    supportedUrls: {},
    doGenerate: async (options) => (await current()).doGenerate(options),
    doStream: async (options) => (await current()).doStream(options),
  };
}

/** The same for an embedding model; `batchMax` is the number of texts that one request takes. */
export function keyedEmbeddingModel(
  { provider, model }: CalledModel,
  batchMax: number,
  find: FindAccess,
): SdkEmbeddingModel {
  return {
    specificationVersion: 'v4',
    provider,
    modelId: model,
    maxEmbeddingsPerCall: batchMax,
    supportsParallelCalls: false,
    doEmbed: async (options) =>
      sdkProvider(await find())
        .embeddingModel(model)
        .doEmbed(options),
  };
}

function sdkProvider({ provider, apiKey, baseUrl, fetch: send }: Access) {
  if (provider.protocol === 'anthropic') return createAnthropic({ apiKey, baseURL: baseUrl, fetch: send });
  return createOpenAICompatible({
    name: provider.name,
    apiKey,
    baseURL: baseUrl,
    includeUsage: true,
    supportsStructuredOutputs: provider.structured_outputs,
    fetch: send,
  });
}
