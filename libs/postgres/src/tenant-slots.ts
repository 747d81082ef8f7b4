import { AsyncLocalStorage } from 'node:async_hooks';
import { CairnError } from '@cairn/errors';

/**
 * The part of a connection pool that one tenant may hold at a time. Requests beyond it wait in the tenant's own line,
 * so that a tenant with many slow requests never takes the connections of the others. Not the fair seats of libs/workers:
 * those share out a fixed number in turn, while here the pool itself bounds the sum, a transaction inside another one
 * shares its slot, and waiting has a deadline.
 */
export interface TenantSlots {
  /**
   * Runs `work` in a slot of the tenant. A transaction that the work opens for the same tenant shares the slot: waiting
   * for another one could be for ever. Throws `unavailable` when no slot is free in time or too many wait:
   * what retries on a database that is away retries on this as well.
   */
  within<T>(tenantId: string, work: () => Promise<T>): Promise<T>;
}

interface TenantSlotsOptions {
  perTenantMax: number;
  /** Requests of one tenant that may wait. */
  waitingMax: number;
  waitMaxMs: number;
}

interface TenantLine {
  held: number;
  /** Admits who waits, in the order of arrival. */
  waiting: (() => void)[];
}

const RETRY_AFTER_SECONDS = 1;

export function createTenantSlots({ perTenantMax, waitingMax, waitMaxMs }: TenantSlotsOptions): TenantSlots {
  const lines = new Map<string, TenantLine>();
  const holding = new AsyncLocalStorage<string>();

  function acquire(tenantId: string): Promise<void> | undefined {
    let line = lines.get(tenantId);
    if (line === undefined) {
      line = { held: 0, waiting: [] };
      lines.set(tenantId, line);
    }
    if (line.held < perTenantMax) {
      line.held += 1;
      return undefined;
    }
    if (line.waiting.length >= waitingMax) throw tooMany();
    return waitIn(line);
  }

  function waitIn(line: TenantLine): Promise<void> {
    return new Promise((resolve, reject) => {
      const admit = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        line.waiting.splice(line.waiting.indexOf(admit), 1);
        reject(tooMany());
      }, waitMaxMs);
      line.waiting.push(admit);
    });
  }

  function release(tenantId: string): void {
    const line = lines.get(tenantId)!;
    const next = line.waiting.shift();
    // The slot passes on to who waits longest.
    if (next !== undefined) return next();
    line.held -= 1;
    if (line.held === 0) lines.delete(tenantId);
  }

  return {
    async within(tenantId, work) {
      if (holding.getStore() === tenantId) return work();
      await acquire(tenantId);
      try {
        return await holding.run(tenantId, work);
      } finally {
        release(tenantId);
      }
    },
  };
}

function tooMany(): CairnError {
  return new CairnError('unavailable', 'Too many concurrent requests of this tenant. Send fewer at a time.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
