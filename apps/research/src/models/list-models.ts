import type * as operations from '@cairn/contracts';
import { type AccessOptions, offeredModels, type OfferedModel } from '@cairn/llm';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import type { Charges, TokenPrices } from '../charges/charges.ts';

export interface ModelsDeps {
  access: AccessOptions;
  charges: Pick<Charges, 'pricesOf'>;
}

/** Pico-USD a token in US dollars a million tokens. */
const PER_MILLION = 1e6;

/** The operator's models as the caller's tenant may use them, with today's prices. */
export async function listModels(
  { access, charges }: ModelsDeps,
  { identity }: RequestContext<typeof operations.listModels>,
): Promise<JsonResponse<typeof operations.listModels>> {
  const models = await offeredModels(access, identity);
  const prices = await charges.pricesOf(models);
  return { body: { models: models.map((model, index) => present(model, prices[index] ?? null)) } };
}

function present(
  { id, provider, model, kind, isDefault, billedTo }: OfferedModel,
  price: TokenPrices | null,
): JsonResponse<typeof operations.listModels>['body']['models'][number] {
  return {
    id,
    provider,
    model,
    kind,
    default: isDefault,
    price:
      price === null
        ? null
        : {
            input: price.input / PER_MILLION,
            output: price.output / PER_MILLION,
            cached_input: price.cachedInput / PER_MILLION,
          },
    billed_to: billedTo,
    state: billedTo === null ? 'no_key' : 'available',
  };
}
