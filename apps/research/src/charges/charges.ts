import { ChargeService, ChargeState, type LlmUsage } from '@cairn/contracts';
import type { RpcClient } from '@cairn/service-kit';

interface ChargeRequest {
  tenantId: string;
  livemode: boolean;
  runId: string;
  charge: 'list.build' | 'research.run';
  serviceId: string;
}

/** The charge of a run, reserved once per run id however often it is requested. */
export interface Charges {
  /** Returns the price in millionths of a credit. Throws `insufficient_credits`. */
  reserve(request: ChargeRequest): Promise<number>;
  /** Whichever of settle and release comes first takes effect. Both return which it was. */
  settle(tenantId: string, runId: string): Promise<'settled' | 'released'>;
  release(tenantId: string, runId: string): Promise<'settled' | 'released'>;
  /** The price of a model call in billionths of a dollar; null when it is unknown. */
  costOf(call: LlmUsage): Promise<number | null>;
  /** Today's prices of models, in their order; null for those without one. */
  pricesOf(models: readonly { provider: string; model: string }[]): Promise<(TokenPrices | null)[]>;
}

/** Pico-USD a token. */
export interface TokenPrices {
  input: number;
  output: number;
  cachedInput: number;
}

/**
 * Longer than a run waits and works: for its connection and for answers as long as the operator allows, and for services
 * that are away. A run that ends later costs nothing; usage releases what was never settled.
 */
const RESERVATION_SECONDS = 30 * 86_400;

export function createCharges(usage: RpcClient<typeof ChargeService>): Charges {
  const outcome = (state: ChargeState | undefined) => (state === ChargeState.RELEASED ? 'released' : 'settled');
  return {
    async reserve({ tenantId, livemode, runId, charge, serviceId }) {
      const request = { tenantId, livemode, runId, charge, serviceId, holdSeconds: RESERVATION_SECONDS };
      const { charge: reserved } = await usage.reserveCharge(request);
      return Number(reserved?.microCredits ?? 0n);
    },
    async settle(tenantId, runId) {
      return outcome((await usage.settleCharge({ tenantId, runId })).charge?.state);
    },
    async release(tenantId, runId) {
      return outcome((await usage.releaseCharge({ tenantId, runId })).charge?.state);
    },
    async costOf({ provider, model, inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens }) {
      const tokens = { inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens };
      const { nanoUsd } = await usage.priceCall({ provider, model, ...tokens });
      return nanoUsd === undefined ? null : Number(nanoUsd);
    },
    async pricesOf(models) {
      if (models.length === 0) return [];
      const named = models.map(({ provider, model }) => ({ provider, model }));
      const { prices } = await usage.priceModels({ models: named });
      return prices.map(({ known, input, output, cachedInput }) =>
        known ? { input: Number(input), output: Number(output), cachedInput: Number(cachedInput) } : null,
      );
    },
  };
}

/** Used without a usage service: nothing is charged. */
export const NO_CHARGES: Charges = {
  reserve: () => Promise.resolve(0),
  settle: () => Promise.resolve('settled'),
  release: () => Promise.resolve('released'),
  costOf: () => Promise.resolve(null),
  pricesOf: (models) => Promise.resolve(models.map(() => null)),
};
