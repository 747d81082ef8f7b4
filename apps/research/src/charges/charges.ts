import { ChargeService, ChargeState, type LlmUsage } from '@cairn/contracts';
import type { RpcClient } from '@cairn/service-kit';

export interface ChargeRequest {
  tenantId: string;
  livemode: boolean;
  runId: string;
  charge: 'list.build' | 'research.run';
  serviceId: string;
}

/** What a run costs, taken once under its id however often it is asked for. */
export interface Charges {
  /** Gives the price in millionths of a credit; throws `insufficient_credits`. */
  reserve(request: ChargeRequest): Promise<number>;
  /** The first of settling and releasing counts; gives which it was. */
  settle(tenantId: string, runId: string): Promise<'settled' | 'released'>;
  release(tenantId: string, runId: string): Promise<'settled' | 'released'>;
  /** What a call of a model costs, in billionths of a dollar; null when nobody has said so. */
  costOf(call: LlmUsage): Promise<number | null>;
}

/** Longer than a run may wait, be asked and work; usage gives back by itself what nobody settled. */
const HOLD_SECONDS = 86_400;

export function chargesOver(usage: RpcClient<typeof ChargeService>): Charges {
  const outcome = (state: ChargeState | undefined) => (state === ChargeState.RELEASED ? 'released' : 'settled');
  return {
    async reserve({ tenantId, livemode, runId, charge, serviceId }) {
      const request = { tenantId, livemode, runId, charge, serviceId, holdSeconds: HOLD_SECONDS };
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
  };
}

/** Where no usage service is configured nothing is charged. */
export const NO_CHARGES: Charges = {
  reserve: () => Promise.resolve(0),
  settle: () => Promise.resolve('settled'),
  release: () => Promise.resolve('released'),
  costOf: () => Promise.resolve(null),
};
