export { withCircuitBreakers } from './circuit-breakers.ts';
export { createModels } from './configured-models.ts';
export type { ModelsOptions } from './configured-models.ts';
export type { Meter } from './metering.ts';
export { NO_MODELS, parseModelsConfig, readModelsConfig } from './model-config.ts';
export type { ModelsConfig } from './model-config.ts';
export { ModelFailure } from './model-failure.ts';
export type { FailureReason } from './model-failure.ts';
export { offeredModels } from './offered-models.ts';
export type { OfferedModel } from './offered-models.ts';
export type { AccessOptions } from './provider-access.ts';
export { testProviderKey } from './test-provider-key.ts';
export type { ProviderKeyTest } from './test-provider-key.ts';
export { OFFLINE_MODELS } from './models.ts';
export type {
  Attribution,
  CallOptions,
  ChatMessage,
  EmbeddingPort,
  GeneratedText,
  LanguageModelPort,
  LanguageRequest,
  Models,
  ModelUsage,
  RerankPort,
  ToolCall,
  ToolDefinition,
} from './models.ts';
export { createProviderKeySource } from './provider-key-source.ts';
export type { ProviderKey, ProviderKeySource } from './provider-key-source.ts';
