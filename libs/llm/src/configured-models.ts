import { validationFailed } from '@cairn/errors';
import { createEmbeddingModel } from './embedding-model.ts';
import { createLanguageModel } from './language-model.ts';
import { beginCall, type CalledModel, keyedEmbeddingModel, keyedLanguageModel } from './keyed-call.ts';
import type { Meter } from './metering.ts';
import type { LanguageModelConfig } from './model-config.ts';
import type { Attribution, Models } from './models.ts';
import { type AccessOptions, findAccess } from './provider-access.ts';
import { createRerankModel } from './rerank-model.ts';

export interface ModelsOptions extends AccessOptions {
  /** Takes the events of calls whose caller has no transaction for them. */
  meter: Meter;
  stallTimeoutMs?: number;
}

// The SDK prints its warnings to the console unless that is disabled; logs here are JSON.
(globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;

/** The models of the operator's list: under the tenant's own key where it has one, else under the operator's. */
export function createModels(options: ModelsOptions): Models {
  const { config } = options;
  const accessOf = (who: Attribution, providerName: string) => findAccess(options, who, providerName);

  return {
    names: config.language_models.map(({ name }) => name),
    async language(who, name) {
      const model = chosen(config.language_models, name);
      if (model === undefined) return null;
      const access = await accessOf(who, model.provider);
      if (access === null) return null;
      const called: CalledModel = { who, provider: model.provider, model: model.model ?? model.name };
      return createLanguageModel({
        name: model.name,
        called,
        begin: () => beginCall(options, called, (find) => keyedLanguageModel(called, find)),
        outputMaxTokens: model.output_max_tokens,
        structuredOutputs: access.provider.structured_outputs || access.provider.protocol === 'anthropic',
        ...(options.stallTimeoutMs === undefined ? {} : { stallTimeoutMs: options.stallTimeoutMs }),
      });
    },
    async embedding(who) {
      const { embedding } = config;
      const access = embedding === undefined ? null : await accessOf(who, embedding.provider);
      if (embedding === undefined || access === null) return null;
      const called: CalledModel = { who, provider: embedding.provider, model: embedding.model };
      const batchMax = embedding.batch_max;
      return createEmbeddingModel({
        name: `${embedding.provider}/${embedding.model}`,
        byok: access.byok,
        called,
        begin: () => beginCall(options, called, (find) => keyedEmbeddingModel(called, batchMax, find)),
        dimensions: embedding.dimensions,
        batchMax,
      });
    },
    async reranker(who) {
      const { reranker } = config;
      const access = reranker === undefined ? null : await accessOf(who, reranker.provider);
      if (reranker === undefined || access === null) return null;
      const called: CalledModel = { who, provider: reranker.provider, model: reranker.model };
      return createRerankModel({
        name: `${reranker.provider}/${reranker.model}`,
        byok: access.byok,
        called,
        begin: () => beginCall(options, called, (find) => find),
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
