import { CairnError } from '@cairn/errors';

/** A bounded number of something that all tenants share, such as bytes of memory or open sockets. */
export interface TenantShares {
  /**
   * Takes so many for a tenant; returns the function that gives them back. Throws `rate_limited` when the tenant holds
   * its share already, and `unavailable` when others hold too much.
   */
  reserve(tenantId: string, count: number): () => void;
}

const RETRY_AFTER_SECONDS = 1;

/**
 * A tenant may hold as much as is left when it has it: alone half of all, beside one that holds its share a third, and
 * so on. However many tenants hold all they may, some is left for the next one. (Dynamic thresholds: Choudhury and
 * Hahne, 1998.) `what` is the message of a refusal.
 */
export function createTenantShares(max: number, what: string): TenantShares {
  const held = new Map<string, number>();
  let total = 0;
  const add = (tenantId: string, count: number) => {
    total += count;
    const left = (held.get(tenantId) ?? 0) + count;
    if (left === 0) held.delete(tenantId);
    else held.set(tenantId, left);
  };
  return {
    reserve(tenantId, count) {
      const own = held.get(tenantId) ?? 0;
      if (own > 0 && own + count > max - total - count) throw refusal('rate_limited', what);
      if (total + count > max) throw refusal('unavailable', what);
      add(tenantId, count);
      let released = false;
      return () => {
        if (!released) add(tenantId, -count);
        released = true;
      };
    },
  };
}

function refusal(code: 'rate_limited' | 'unavailable', what: string): CairnError {
  return new CairnError(code, what, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
