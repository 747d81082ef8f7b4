/** How many documents of a tenant to take next. */
export interface Share {
  tenantId: string;
  documents: number;
}

export interface FairScheduler {
  /**
   * Divides the next `max` places among the tenants that have something waiting: who was served least goes first,
   * and those who were served alike get alike. Planning changes nothing.
   */
  plan(waiting: readonly string[], max: number): Share[];
  /** What serving a tenant took, in units of a small document. */
  charge(tenantId: string, units: number): void;
}

/** After this long without a document a tenant is forgotten, and comes back as one who never was there. */
const FORGET_AFTER_MS = 60_000;

interface Account {
  /** Units served, on the common scale. */
  served: number;
  usedAtMs: number;
}

/**
 * Start-time fair queueing (Goyal, Vin and Cheng, 1996) over tenants: each has a virtual time that grows with what it
 * was served, and the least comes first. A tenant that comes, or comes back, begins at the time of the least that is
 * being served, so that nobody saves up turns by being away. Order is by virtual time, then by id.
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
      const queue = waiting.map((tenantId) => ({ tenantId, time: servedBy(tenantId), documents: 0 }));
      floor = Math.max(floor, Math.min(...queue.map(({ time }) => time)));
      for (let place = 0; place < max; place += 1) {
        let next = queue[0]!;
        for (const tenant of queue) if (isBefore(tenant, next)) next = tenant;
        next.documents += 1;
        next.time += 1;
      }
      return queue
        .filter(({ documents }) => documents > 0)
        .sort((a, b) => servedBy(a.tenantId) - servedBy(b.tenantId) || (a.tenantId < b.tenantId ? -1 : 1))
        .map(({ tenantId, documents }) => ({ tenantId, documents }));
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
