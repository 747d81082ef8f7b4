import type { Clock } from './clock.ts';
import type { Narrowing } from './narrowing.ts';

/** A gateway's lease as the database knows it. */
export interface Lease {
  gatewayId: string;
  /** Where the gateway takes invalidations: its own address, not one that is balanced. */
  address: string;
  /** Until it runs out by the database's clock. */
  remainingMs: number;
}

/** The leases, judged by one clock: the database's. */
export interface LeaseTable {
  live(): Promise<Lease[]>;
  /** Refuses every renewal of the lease from now on; it ends when it runs out. */
  fence(gatewayId: string): Promise<void>;
}

export interface CoordinatorOptions {
  clock: Clock;
  leases: LeaseTable;
  /** Tells a gateway; gives the memberships of the process that took it. Throws when it cannot be reached in time. */
  push: (lease: Lease, narrowing: Narrowing) => Promise<{ memberships: readonly string[] }>;
  /** Pause between two tries to reach a gateway. */
  retryMs: number;
}

/** Makes a narrowing true everywhere: when it gives its result, no gateway goes by what was true before. */
export type Coordinate = <T>(narrowing: Narrowing, commit: () => Promise<T>) => Promise<T>;

/**
 * Two barriers around the commit. The first tells every gateway with a live lease, and waits for its word or for the
 * end of its lease; so the gateways know before the database does. The second tells those that joined meanwhile and
 * may have learnt the old state: their leases were written before they first resolved, so none is missed. Who joins
 * later resolves the new state.
 */
export function createCoordinator(options: CoordinatorOptions): Coordinate {
  return async (narrowing, commit) => {
    const told = new Set<string>();
    await tellAll(options, narrowing, told);
    const result = await commit();
    // What is only rechecked was learnt anew between the two, from the old state: it is told again.
    if (narrowing.effect === 'recheck') told.clear();
    await tellAll(options, narrowing, told);
    return result;
  };
}

async function tellAll(options: CoordinatorOptions, narrowing: Narrowing, told: Set<string>): Promise<void> {
  const leases = await options.leases.live();
  const readAtMs = options.clock.monotonicMs();
  await Promise.all(
    leases
      .filter((lease) => !told.has(lease.gatewayId))
      .map((lease) => tellOrOutlive(options, narrowing, lease, readAtMs, told)),
  );
}

/** Tries to reach the gateway until it takes the word or its lease has run out, which a fence makes sure of. */
async function tellOrOutlive(
  options: CoordinatorOptions,
  narrowing: Narrowing,
  lease: Lease,
  readAtMs: number,
  told: Set<string>,
): Promise<void> {
  let fenced = false;
  let endsAtMs = readAtMs + lease.remainingMs;
  for (;;) {
    const taken = await options.push(lease, narrowing).catch(() => null);
    // Another process at the same address says nothing of the one that is meant.
    if (taken?.memberships.includes(lease.gatewayId) === true) {
      told.add(lease.gatewayId);
      return;
    }
    if (!fenced) {
      await options.leases.fence(lease.gatewayId);
      fenced = true;
    }
    if (options.clock.monotonicMs() >= endsAtMs) {
      const still = (await options.leases.live()).find(({ gatewayId }) => gatewayId === lease.gatewayId);
      if (still === undefined) return;
      // Renewed between the reading and the fence; not again.
      endsAtMs = options.clock.monotonicMs() + still.remainingMs;
    }
    await options.clock.sleep(Math.min(options.retryMs, Math.max(1, endsAtMs - options.clock.monotonicMs())));
  }
}
