import type { Clock } from './clock.ts';
import type { Invalidation } from './invalidation.ts';

/** A gateway's lease as the database knows it. */
export interface Lease {
  gatewayId: string;
  /** Where the gateway receives invalidations: its own address, not that of a load balancer. */
  address: string;
  /** Until it expires by the database's clock. */
  remainingMs: number;
}

/** The leases, all measured by one clock: the database's. */
export interface LeaseTable {
  live(): Promise<Lease[]>;
  /** Refuses every renewal of the lease from now on, so that it expires. */
  fence(gatewayId: string): Promise<void>;
}

export interface CoordinatorOptions {
  clock: Clock;
  leases: LeaseTable;
  /**
   * Sends an invalidation to a gateway; returns the memberships of the process that acknowledged it. Throws when the
   * gateway cannot be reached in time.
   */
  push: (lease: Lease, invalidation: Invalidation) => Promise<{ memberships: readonly string[] }>;
  /** Pause between two attempts to reach a gateway. */
  retryMs: number;
}

/** Commits an invalidation on every gateway: when it returns, no gateway uses the state from before. */
export type Coordinate = <T>(invalidation: Invalidation, commit: () => Promise<T>) => Promise<T>;

/**
 * Two barriers around the commit. The first notifies every gateway with a live lease, and waits for its acknowledgement
 * or the expiry of its lease; so the gateways know before the database does. The second notifies those that joined
 * meanwhile and may have read the old state: their leases were written before their first lookup, so none is missed.
 * Gateways that join later read the new state.
 */
export function createCoordinator(options: CoordinatorOptions): Coordinate {
  return async (invalidation, commit) => {
    const acknowledged = new Set<string>();
    await notifyAll(options, invalidation, acknowledged);
    const result = await commit();
    // Gateways that only recheck may have read the old state again between the two, so all of them are notified again.
    if (invalidation.effect === 'recheck') acknowledged.clear();
    await notifyAll(options, invalidation, acknowledged);
    return result;
  };
}

async function notifyAll(
  options: CoordinatorOptions,
  invalidation: Invalidation,
  acknowledged: Set<string>,
): Promise<void> {
  const leases = await options.leases.live();
  const readAtMs = options.clock.monotonicMs();
  await Promise.all(
    leases
      .filter((lease) => !acknowledged.has(lease.gatewayId))
      .map((lease) => notifyOrOutlive(options, invalidation, lease, readAtMs, acknowledged)),
  );
}

/** Tries to reach the gateway until it acknowledges or its lease has expired, which a fence makes sure of. */
async function notifyOrOutlive(
  options: CoordinatorOptions,
  invalidation: Invalidation,
  lease: Lease,
  readAtMs: number,
  acknowledged: Set<string>,
): Promise<void> {
  let fenced = false;
  let endsAtMs = readAtMs + lease.remainingMs;
  for (;;) {
    const reply = await options.push(lease, invalidation).catch(() => null);
    // Another process may listen at the same address by now; its acknowledgement does not count.
    if (reply?.memberships.includes(lease.gatewayId) === true) {
      acknowledged.add(lease.gatewayId);
      return;
    }
    if (!fenced) {
      await options.leases.fence(lease.gatewayId);
      fenced = true;
    }
    if (options.clock.monotonicMs() >= endsAtMs) {
      const renewed = (await options.leases.live()).find(({ gatewayId }) => gatewayId === lease.gatewayId);
      if (renewed === undefined) return;
      // Renewed between the reading and the fence; it cannot be renewed again.
      endsAtMs = options.clock.monotonicMs() + renewed.remainingMs;
    }
    await options.clock.sleep(Math.min(options.retryMs, Math.max(1, endsAtMs - options.clock.monotonicMs())));
  }
}
