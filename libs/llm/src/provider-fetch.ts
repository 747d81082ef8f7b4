import { type Outbound, OutboundError } from '@cairn/outbound';
import { ModelFailure } from './model-failure.ts';

const CAUSES_MAX = 6;

/**
 * The outlet's `fetch` as the SDK is given it: what policy refuses is a failure that is not tried again; other
 * failures keep the shape by which the SDK knows a connection that may work the next time.
 */
export function providerFetch(outbound: Pick<Outbound, 'fetch'>): typeof fetch {
  return async (input, init) => {
    try {
      return await outbound.fetch(input, init);
    } catch (error) {
      const refusal = refusalIn(error);
      if (refusal === null) throw error;
      throw new ModelFailure('rejected', `the provider's address: ${refusal.code}`, error);
    }
  };
}

function refusalIn(error: unknown): OutboundError | null {
  let at: unknown = error;
  for (let depth = 0; depth < CAUSES_MAX && at instanceof Error; depth += 1) {
    if (at instanceof OutboundError) return at.retryable ? null : at;
    at = at.cause;
  }
  return null;
}
