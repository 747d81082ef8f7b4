import { type Budget, hasToken } from './budget.ts';
import type { BudgetKey } from './budget-keys.ts';

/** A webhook with something due, and the slots that it may use now. */
export interface Candidate {
  webhookId: string;
  tenantId: string;
  slots: number;
  /** Its requests may take long: it uses the replica's slots for slow ones. */
  isSlow: boolean;
  /** When it and its tenant were served last, as counts of claims; the lowest comes first. */
  lastServed: number;
  tenantLastServed: number;
  budgets: readonly BudgetKey[];
}

/** A locked budget during allocation. */
export interface OpenBudget {
  budget: Budget;
  key: BudgetKey;
  /** Further attempts that may run at once. */
  inFlightLeft: number;
}

/** Slots of the replica. */
interface FreeSlots {
  capacity: number;
  /** Those that slow candidates may use, and one tenant's. */
  slowCapacity: number;
  slowCapacityOf: (tenantId: string) => number;
}

interface Allocation {
  slotsByWebhook: Map<string, number>;
  /** For webhooks whose budgets allow less than their slots: how long until they allow more. */
  waitMsByWebhook: Map<string, number>;
}

/** Until attempts of others have ended. */
const IN_FLIGHT_WAIT_MS = 100;
/** Batches those that wait for a token instead of waking them one by one. */
const WAIT_MIN_MS = 20;

/**
 * Allocates what the budgets allow, round-robin over tenants and, within a tenant, over its webhooks, the least recently
 * served first. Charges the open budgets.
 */
export function allocate(
  candidates: readonly Candidate[],
  open: ReadonlyMap<string, OpenBudget>,
  free: FreeSlots,
): Allocation {
  const allocation: Allocation = { slotsByWebhook: new Map(), waitMsByWebhook: new Map() };
  const { slotsByWebhook, waitMsByWebhook } = allocation;
  let { capacity, slowCapacity } = free;
  const slowLeft = new Map<string, number>();
  const slowLeftOf = (tenantId: string) => slowLeft.get(tenantId) ?? free.slowCapacityOf(tenantId);
  let tenants = leastRecentlyServedFirst(candidates);
  while (tenants.length > 0 && capacity > 0) {
    for (const queue of tenants) {
      while (capacity > 0) {
        const candidate = queue.shift();
        if (candidate === undefined) break;
        if (candidate.isSlow && slowCapacity <= 0) continue;
        const isTenantFull = candidate.isSlow && slowLeftOf(candidate.tenantId) <= 0;
        const waitMs = isTenantFull ? IN_FLIGHT_WAIT_MS : waitMsOf(candidate, open);
        if (waitMs > 0) {
          waitMsByWebhook.set(candidate.webhookId, waitMs);
          continue;
        }
        charge(candidate.budgets, open, 1);
        capacity -= 1;
        if (candidate.isSlow) {
          slowCapacity -= 1;
          slowLeft.set(candidate.tenantId, slowLeftOf(candidate.tenantId) - 1);
        }
        const count = (slotsByWebhook.get(candidate.webhookId) ?? 0) + 1;
        slotsByWebhook.set(candidate.webhookId, count);
        if (count < candidate.slots) queue.push(candidate);
        break;
      }
    }
    tenants = tenants.filter((queue) => queue.length > 0);
  }
  return allocation;
}

/** Charges deliveries to the budgets; a negative count refunds them. */
export function charge(keys: readonly BudgetKey[], open: ReadonlyMap<string, OpenBudget>, count: number): void {
  for (const { key } of keys) {
    const opened = open.get(key)!;
    opened.budget.tokens -= count;
    opened.inFlightLeft -= count;
  }
}

function leastRecentlyServedFirst(candidates: readonly Candidate[]): Candidate[][] {
  const sorted = candidates.toSorted((a, b) => a.tenantLastServed - b.tenantLastServed || a.lastServed - b.lastServed);
  return [...Map.groupBy(sorted, ({ tenantId }) => tenantId).values()];
}

/** How long until every budget of the candidate allows a delivery; 0 for now. */
function waitMsOf({ budgets }: Candidate, open: ReadonlyMap<string, OpenBudget>): number {
  let waitMs = 0;
  for (const { key } of budgets) {
    const { budget, inFlightLeft } = open.get(key)!;
    if (inFlightLeft <= 0) waitMs = Math.max(waitMs, IN_FLIGHT_WAIT_MS);
    waitMs = Math.max(waitMs, msUntilToken(budget.tokens, budget.perSecond));
  }
  return waitMs;
}

function msUntilToken(tokens: number, perSecond: number): number {
  if (hasToken(tokens)) return 0;
  return Math.max(WAIT_MIN_MS, Math.ceil(((1 - tokens) / perSecond) * 1_000));
}
