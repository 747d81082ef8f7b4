import { CairnError } from '@cairn/errors';

/** What bodies of one request took. */
interface BodyWork {
  /** Sent, and what they inflated to. */
  bytes?: number;
  /** Processor time to inflate, count, parse and validate them. */
  cpuMs?: number;
}

/** What the bodies of each tenant may take of a service, whatever its requests are allowed to be. */
export interface BodyBudget {
  /** Throws `rate_limited`, with the time to wait, while the tenant has used more than its budget. */
  admit(tenantId: string): void;
  charge(tenantId: string, work: BodyWork): void;
}

/** A tenant that uses less is never refused. */
const BODY_BYTES_PER_SECOND = 8 * 1_048_576;
const BODY_CPU_MS_PER_SECOND = 100;
/** So much of both may be used at once: 64 MiB and 800 ms. */
const BODY_BURST_MS = 8_000;
/** An ordinary body takes less: the rate of requests bounds it, and no budget has to. */
const ORDINARY_CPU_MS = 0.5;
/** When so many tenants are known, those that owe nothing are forgotten. */
const TENANTS_SWEPT_FROM = 1_000;

/** Until when what a tenant used is paid for, in each of the two. */
interface Paid {
  bytesUntilMs: number;
  cpuUntilMs: number;
}

/** Two leaky buckets for each tenant, in time: what was used may be paid for one burst ahead at most. */
export function createBodyBudget(now: () => number = () => performance.now()): BodyBudget {
  const tenants = new Map<string, Paid>();

  function forgetPaid(nowMs: number): void {
    for (const [tenantId, { bytesUntilMs, cpuUntilMs }] of tenants)
      if (Math.max(bytesUntilMs, cpuUntilMs) <= nowMs) tenants.delete(tenantId);
  }

  return {
    admit(tenantId) {
      const paid = tenants.get(tenantId);
      if (paid === undefined) return;
      const beyondMs = Math.max(paid.bytesUntilMs, paid.cpuUntilMs) - now() - BODY_BURST_MS;
      if (beyondMs <= 0) return;
      throw new CairnError('rate_limited', 'The bodies of this tenant’s requests take too much. Send less at a time.', {
        retryAfterSeconds: beyondMs / 1_000,
      });
    },
    charge(tenantId, { bytes = 0, cpuMs = 0 }) {
      const beyondOrdinaryMs = Math.max(0, cpuMs - ORDINARY_CPU_MS);
      if (bytes <= 0 && beyondOrdinaryMs === 0) return;
      const nowMs = now();
      if (tenants.size >= TENANTS_SWEPT_FROM) forgetPaid(nowMs);
      const { bytesUntilMs, cpuUntilMs } = tenants.get(tenantId) ?? { bytesUntilMs: 0, cpuUntilMs: 0 };
      tenants.set(tenantId, {
        bytesUntilMs: Math.max(nowMs, bytesUntilMs) + (Math.max(0, bytes) / BODY_BYTES_PER_SECOND) * 1_000,
        cpuUntilMs: Math.max(nowMs, cpuUntilMs) + (beyondOrdinaryMs / BODY_CPU_MS_PER_SECOND) * 1_000,
      });
    },
  };
}
