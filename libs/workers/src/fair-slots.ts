import type { SlotRefusal } from './refused-slot.ts';

/** Releases a seat; the tenant gets none for `cooldownMs` then, whether or not others wait. */
type Leave = (cooldownMs?: number) => void;

/** Hands out a bounded number of seats, in turn among the tenants that wait. */
interface FairSeats {
  /** Resolves with the function that gives the seat back. Rejects with what `full` returns when too many wait. */
  take(tenantId: string, signal?: AbortSignal): Promise<Leave>;
}

interface FairSeatsOptions {
  seats: number;
  /** Of one tenant; whatever this says, one tenant leaves a seat to the others. Default: all but that one. */
  perTenantMax?: number;
  waitingMax: number;
  full: (refusal: SlotRefusal) => Error;
}

interface Tenant {
  seated: number;
  /** Grows with each seat given to anybody. */
  lastServed: number;
  waiting: (() => void)[];
  /** Cooldowns that have not ended yet. */
  cooldowns: number;
}

/**
 * One tenant leaves a seat to the others, and may have no more waiting than there is room left: alone it fills half of
 * the queue, and however many have filled theirs, a tenant that has nothing waiting finds room. Tenants that wait are served round robin, each
 * in the order of its own requests. Not the tenant slots of libs/postgres: those only cap each tenant, without turns, a
 * total or pauses, and would leave the order among tenants to chance.
 */
export function fairSlots({ seats, perTenantMax = seats, waitingMax, full }: FairSeatsOptions): FairSeats {
  const seatsPerTenant = Math.max(1, Math.min(perTenantMax, seats - 1));
  const tenants = new Map<string, Tenant>();
  let free = seats;
  let waiting = 0;
  let served = 0;

  function seatNext(): void {
    while (free > 0) {
      const next = [...tenants.values()]
        .filter((tenant) => tenant.cooldowns === 0 && tenant.waiting.length > 0 && tenant.seated < seatsPerTenant)
        .sort((a, b) => a.lastServed - b.lastServed)[0];
      if (next === undefined) return;
      free -= 1;
      waiting -= 1;
      served += 1;
      next.seated += 1;
      next.lastServed = served;
      next.waiting.shift()!();
    }
  }

  function forget(tenantId: string, tenant: Tenant): void {
    if (tenant.seated === 0 && tenant.waiting.length === 0 && tenant.cooldowns === 0) tenants.delete(tenantId);
  }

  function leave(tenantId: string, cooldownMs: number): void {
    const tenant = tenants.get(tenantId)!;
    tenant.seated -= 1;
    free += 1;
    if (cooldownMs > 0) {
      tenant.cooldowns += 1;
      setTimeout(() => {
        tenant.cooldowns -= 1;
        forget(tenantId, tenant);
        seatNext();
      }, cooldownMs).unref();
    }
    forget(tenantId, tenant);
    seatNext();
  }

  return {
    async take(tenantId, signal) {
      signal?.throwIfAborted();
      const tenant = tenants.get(tenantId) ?? { seated: 0, lastServed: 0, waiting: [], cooldowns: 0 };
      const mustWait = tenant.cooldowns > 0 || free === 0 || tenant.seated >= seatsPerTenant;
      if (mustWait && waiting >= waitingMax) throw full('all');
      if (mustWait && tenant.waiting.length >= waitingMax - waiting) throw full('tenant');
      tenants.set(tenantId, tenant);
      const { promise, resolve, reject } = Promise.withResolvers<Leave>();
      const sit = () => {
        signal?.removeEventListener('abort', giveUp);
        resolve((cooldownMs = 0) => leave(tenantId, cooldownMs));
      };
      const giveUp = () => {
        tenant.waiting.splice(tenant.waiting.indexOf(sit), 1);
        waiting -= 1;
        forget(tenantId, tenant);
        reject(signal!.reason as Error);
      };
      tenant.waiting.push(sit);
      waiting += 1;
      signal?.addEventListener('abort', giveUp, { once: true });
      seatNext();
      return promise;
    },
  };
}
