import { type PriceList, ratesOf, versionAt } from './price-list.ts';

/** The prices in force at a time, in the order of the models. */
export function priceModels(
  prices: PriceList,
  models: readonly { provider: string; model: string }[],
  at: Date,
): { known: boolean; input?: bigint; output?: bigint; cachedInput?: bigint }[] {
  const version = versionAt(prices, at.getTime());
  return models.map(({ provider, model }) => {
    const rates = version === null ? null : ratesOf(version, provider, model);
    if (rates === null) return { known: false };
    const { input, output, cachedInput } = rates;
    return { known: true, input, output, cachedInput };
  });
}
