import { type PriceList, type Rate, ratesOf, versionAt } from './price-list.ts';

/** What a price depends on. Cached input is included in input, reasoning in output. */
interface PricedCall {
  occurredAtMs: number;
  livemode: boolean;
  provider: string;
  model: string;
  byok: boolean;
  /** The charge of a run covers the call. */
  coveredByRun: boolean;
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens: number;
  cacheWriteTokens: number;
}

export interface CallPrice {
  /** Null when the model has no price. */
  costNanoUsd: number | null;
  microCredits: number;
  priceVersion: string | null;
}

const PICO_PER_NANO = 1_000n;
const PICO_USD_PER_MICRO_CREDIT_AT_1 = 1_000_000n;

/**
 * Cost and credits of one call by the prices of its time. Each is rounded to its integer here, once, half up; all
 * later figures are sums of them. Cached tokens cost their own rate instead of the input's, and reasoning is output.
 */
export function priceCall(prices: PriceList, call: PricedCall): CallPrice {
  const version = versionAt(prices, call.occurredAtMs);
  const rates = version === null ? null : ratesOf(version, call.provider, call.model);
  if (version === null || rates === null) return { costNanoUsd: null, microCredits: 0, priceVersion: null };
  const rate = rates.long !== null && call.inputTokens > rates.long.aboveInputTokens ? rates.long : rates;
  const picoUsd = picoUsdOf(rate, call);
  const charged = call.livemode && !call.byok && !call.coveredByRun;
  return {
    costNanoUsd: Number(divideHalfUp(picoUsd, PICO_PER_NANO)),
    microCredits: charged
      ? Number(divideHalfUp(picoUsd * BigInt(version.creditsPerUsd), PICO_USD_PER_MICRO_CREDIT_AT_1))
      : 0,
    priceVersion: version.version,
  };
}

function picoUsdOf(rate: Rate, call: PricedCall): bigint {
  const plainInput = call.inputTokens - call.cachedInputTokens - call.cacheWriteTokens;
  return (
    BigInt(plainInput) * rate.input +
    BigInt(call.cachedInputTokens) * rate.cachedInput +
    BigInt(call.cacheWriteTokens) * rate.cacheWrite +
    BigInt(call.outputTokens) * rate.output
  );
}

function divideHalfUp(amount: bigint, by: bigint): bigint {
  return (amount * 2n + by) / (by * 2n);
}
