import { readFile } from 'node:fs/promises';
import { z } from 'zod';

const name = z.string().regex(/^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/i, 'must be letters, digits, . _ and -');

const Provider = z.strictObject({
  /** As tenants name it for their own keys, and as the price list names it. */
  name,
  protocol: z.enum(['openai-compatible', 'anthropic']),
  base_url: z.url({ protocol: /^https?$/ }),
  /** The operator's key. Without one, only tenants that have stored their own reach the provider. */
  api_key: z.string().min(1).optional(),
  /** Whether it takes a JSON schema for structured output; without, the schema is only described in the prompt. */
  structured_outputs: z.boolean().default(false),
});

const LanguageModel = z.strictObject({
  /** What callers say in `llm_model`. */
  name,
  provider: name,
  /** What the provider calls it; default: the name. */
  model: z.string().min(1).optional(),
  /** Most tokens of one response. A report of a page or two takes 2,000. */
  output_max_tokens: z.int().min(16).default(4_096),
});

const Embedding = z.strictObject({
  provider: name,
  model: z.string().min(1),
  /** Of the vectors it returns; a vector of another length is an error. A row of more would not fit a page. */
  dimensions: z.int().min(2).max(1_900),
  /** Texts of one call. */
  batch_max: z.int().min(1).max(2_048).default(64),
});

const Reranker = z.strictObject({ provider: name, model: z.string().min(1) });

const ModelsFile = z
  .strictObject({
    providers: z.array(Provider).default([]),
    /** The first is the default. */
    language_models: z.array(LanguageModel).default([]),
    embedding: Embedding.optional(),
    reranker: Reranker.optional(),
    /** The language model that reads documents for the graph; left out, they are read by rules alone. */
    extraction: z.strictObject({ model: name }).optional(),
  })
  .superRefine((file, context) => {
    const known = new Set(file.providers.map((provider) => provider.name));
    if (known.size < file.providers.length) context.addIssue('two providers have one name');
    const models = [...file.language_models, file.embedding, file.reranker].filter((model) => model !== undefined);
    for (const model of models)
      if (!known.has(model.provider)) context.addIssue(`no provider is called ${model.provider}`);
    const { extraction } = file;
    if (extraction !== undefined && !file.language_models.some((model) => model.name === extraction.model))
      context.addIssue(`no language model is called ${extraction.model}`);
    if (new Set(file.language_models.map((model) => model.name)).size < file.language_models.length)
      context.addIssue('two language models have one name');
  });

export type ModelsConfig = z.output<typeof ModelsFile>;
export type ProviderConfig = z.output<typeof Provider>;
export type LanguageModelConfig = z.output<typeof LanguageModel>;

/** No models: the offline default. */
export const NO_MODELS: ModelsConfig = { providers: [], language_models: [] };

/** Reads the operator's list of models; undefined is none. What is wrong is said without showing the file, which holds keys. */
export async function readModelsConfig(file: string | undefined): Promise<ModelsConfig> {
  if (file === undefined) return NO_MODELS;
  return parseModelsConfig(JSON.parse(await readFile(file, 'utf8')), file);
}

export function parseModelsConfig(content: unknown, file = 'the list of models'): ModelsConfig {
  const parsed = ModelsFile.safeParse(content);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'file'}: ${message}`);
  throw new Error(`${file} is not valid: ${problems.join('; ')}`);
}
