import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { validationFailed } from '@cairn/errors';
import { LRUCache } from 'lru-cache';
import { createEmbeddingModel } from './embedding-model.ts';
import { createLanguageModel } from './language-model.ts';
import type { Billing, Meter } from './metering.ts';
import type { LanguageModelConfig } from './model-config.ts';
import type { Attribution, Models } from './models.ts';
import { type Access, type AccessOptions, findAccess } from './provider-access.ts';
import { createRerankModel } from './rerank-model.ts';

export interface ModelsOptions extends AccessOptions {
  /** Takes the events of calls whose caller has no transaction for them. */
  meter: Meter;
  stallTimeoutMs?: number;
}

// The SDK prints its warnings to the console unless told not to; logs here are JSON.
(globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;

const PROVIDERS_KEPT_MAX = 1_000;

/** The models of the operator's list: under the tenant's own key where it has one, else under the operator's. */
export function createModels(options: ModelsOptions): Models {
  const { config } = options;
  const sdk = createSdk();

  const accessOf = (who: Attribution, providerName: string) => findAccess(options, who, providerName);
  const billingOf = (access: Access, model: string): Billing => ({
    provider: access.provider.name,
    model,
    byok: access.byok,
    meter: options.meter,
  });

  return {
    names: config.language_models.map(({ name }) => name),
    async language(who, name) {
      const model = chosen(config.language_models, name);
      if (model === undefined) return null;
      const access = await accessOf(who, model.provider);
      if (access === null) return null;
      const id = model.model ?? model.name;
      return createLanguageModel({
        name: model.name,
        model: sdk(access).languageModel(id),
        billing: billingOf(access, id),
        outputMaxTokens: model.output_max_tokens,
        structuredOutputs: access.provider.structured_outputs || access.provider.protocol === 'anthropic',
        ...(options.stallTimeoutMs === undefined ? {} : { stallTimeoutMs: options.stallTimeoutMs }),
      });
    },
    async embedding(who) {
      const { embedding } = config;
      const access = embedding === undefined ? null : await accessOf(who, embedding.provider);
      if (embedding === undefined || access === null) return null;
      return createEmbeddingModel({
        name: `${embedding.provider}/${embedding.model}`,
        model: sdk(access).embeddingModel(embedding.model),
        billing: billingOf(access, embedding.model),
        dimensions: embedding.dimensions,
        batchMax: embedding.batch_max,
      });
    },
    async reranker(who) {
      const { reranker } = config;
      const access = reranker === undefined ? null : await accessOf(who, reranker.provider);
      if (reranker === undefined || access === null) return null;
      return createRerankModel({
        name: `${reranker.provider}/${reranker.model}`,
        url: `${access.baseUrl.replace(/(?<!\/)\/+$/, '')}/rerank`,
        model: reranker.model,
        apiKey: access.apiKey,
        billing: billingOf(access, reranker.model),
        fetch: access.fetch,
      });
    },
  };
}

function chosen(models: readonly LanguageModelConfig[], name: string | undefined): LanguageModelConfig | undefined {
  if (name === undefined) return models[0];
  const model = models.find((known) => known.name === name);
  if (model !== undefined) return model;
  // Who names a model wants that one: an answer of none would look like its answer.
  const names = models.map((known) => known.name).join(', ');
  const message = names === '' ? 'is not known: no model is configured; leave it out' : `must be one of ${names}`;
  throw validationFailed([{ path: 'llm_model', message }]);
}

/** One SDK provider for each address and key, as long as it is used. */
function createSdk() {
  const kept = new LRUCache<string, ReturnType<typeof sdkProvider>>({ max: PROVIDERS_KEPT_MAX });
  return (access: Access) => {
    const name = [access.provider.name, access.baseUrl, access.byok, access.apiKey].join(' ');
    const made = kept.get(name) ?? sdkProvider(access);
    kept.set(name, made);
    return made;
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
