import { z } from 'zod';
import { defineOperation } from '../operation.ts';

const perMillion = z.number().meta({ description: 'US dollars per million tokens.' });

const OfferedModel = z
  .object({
    id: z.string().meta({ description: 'What `llm_model` takes; provider and model for the others.' }),
    provider: z.string(),
    model: z.string().meta({ description: 'What the provider calls it.' }),
    kind: z.enum(['language', 'embedding', 'reranking']),
    default: z.boolean().meta({ description: 'Used where a request names no model.' }),
    price: z
      .object({ input: perMillion, output: perMillion, cached_input: perMillion })
      .nullable()
      .meta({ description: "Today's prices; null when the model has none, and so no known cost." }),
    billed_to: z
      .enum(['own_key', 'platform'])
      .nullable()
      .meta({ description: "`own_key`: the tenant's own key of the provider is used, and no credits are charged." }),
    state: z
      .enum(['available', 'no_key'])
      .meta({ description: '`no_key`: neither the tenant nor, for it, the operator has a key of the provider.' }),
  })
  .meta({ id: 'OfferedModel' });

export const listModels = defineOperation({
  id: 'listModels',
  sdk: 'models.list',
  method: 'GET',
  path: '/api/v1/models',
  summary: 'List the models of the installation',
  description:
    "The language models that `llm_model` takes, the default first, then the embedding and the reranking model. Each with today's prices and whose key a call of this tenant would use. Empty where the operator has configured none: searches and runs then work without a model.",
  tag: 'Provider keys',
  service: 'research',
  app: 'tenancy',
  action: 'read',
  scope: 'providers:read',
  reach: 'tenant',
  query: z.strictObject({}),
  response: { kind: 'json', status: 200, schema: z.object({ models: z.array(OfferedModel) }) },
});
