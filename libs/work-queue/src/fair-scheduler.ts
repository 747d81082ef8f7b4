/** How many rows of a tenant to claim next. */
export interface Share {
  tenantId: string;
  rows: number;
}

export interface FairScheduler {
  /**
   * Divides the next `max` rows among the tenants that have something waiting: the tenant that was served least comes
   * first, and tenants that were served the same amount get the same number. Planning changes nothing.
   */
  plan(waiting: readonly string[], max: number): Share[];
  /** Records what serving a tenant took, in units of the smallest piece of work. */
  charge(tenantId: string, units: number): void;
}

/** After this long without work a tenant is forgotten, and later counts as new. */
const FORGET_AFTER_MS = 60_000;

interface Account {
  /** Units served, on the common scale. */
  served: number;
  usedAtMs: number;
}

/**
 * Start-time fair queueing (Goyal, Vin and Cheng, 1996) over tenants: each has a virtual time that grows with what it
 * was served, and the lowest comes first. A new or returning tenant begins at the lowest time of those being served, so
 * that absence saves up no turns. Ties are ordered by id.
 */
export function createFairScheduler(nowMs: () => number): FairScheduler {
  const accounts = new Map<string, Account>();
  let floor = 0;

  const servedBy = (tenantId: string) => Math.max(floor, accounts.get(tenantId)?.served ?? 0);
  const forgetIdle = () => {
    const before = nowMs() - FORGET_AFTER_MS;
    for (const [tenantId, { usedAtMs }] of accounts) if (usedAtMs < before) accounts.delete(tenantId);
  };
  return {
    plan(waiting, max) {
      if (waiting.length === 0 || max <= 0) return [];
      const queue = waiting.map((tenantId) => ({ tenantId, time: servedBy(tenantId), rows: 0 }));
      floor = Math.max(floor, Math.min(...queue.map(({ time }) => time)));
      for (let row = 0; row < max; row += 1) {
        let next = queue[0]!;
        for (const tenant of queue) if (isBefore(tenant, next)) next = tenant;
        next.rows += 1;
        next.time += 1;
      }
      return queue
        .filter(({ rows }) => rows > 0)
        .sort((a, b) => servedBy(a.tenantId) - servedBy(b.tenantId) || (a.tenantId < b.tenantId ? -1 : 1))
        .map(({ tenantId, rows }) => ({ tenantId, rows }));
    },
    charge(tenantId, units) {
      forgetIdle();
      accounts.set(tenantId, { served: servedBy(tenantId) + units, usedAtMs: nowMs() });
    },
  };
}

function isBefore(a: { tenantId: string; time: number }, b: { tenantId: string; time: number }): boolean {
  return a.time < b.time || (a.time === b.time && a.tenantId < b.tenantId);
}
