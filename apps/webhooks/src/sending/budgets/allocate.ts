import { type Budget, hasToken, isProven } from './budget.ts';
import type { BudgetKey } from './budget-keys.ts';

/** A webhook with something due, and how many attempts at once its window allows. */
export interface Candidate {
  webhookId: string;
  tenantId: string;
  room: number;
  isSlow: boolean;
  /** When it and its tenant were served last, as counts of claims; the lowest is first. */
  lastTurn: number;
  tenantLastTurn: number;
  budgets: readonly BudgetKey[];
}

/** A budget while it is being handed out. */
export interface OpenBudget {
  budget: Budget;
  key: BudgetKey;
  /** Attempts at once that still fit. */
  inFlightLeft: number;
}

export interface Allocation {
  rooms: Map<string, number>;
  /** For webhooks whose budgets have less than they have room for: how long until there is more. */
  waitsMs: Map<string, number>;
}

/** Until attempts of somebody else have ended. */
const IN_FLIGHT_WAIT_MS = 100;
/** So that many who wait for one token come together, not one by one. */
const WAIT_MIN_MS = 20;

/**
 * Hands out what the budgets allow, one delivery to a tenant and then to the next, and within a tenant from webhook to
 * webhook, those first that were served least recently. Charges the open budgets.
 */
export function allocate(
  candidates: readonly Candidate[],
  open: ReadonlyMap<string, OpenBudget>,
  free: { places: number; slowPlaces: number },
): Allocation {
  const allocation: Allocation = { rooms: new Map(), waitsMs: new Map() };
  const { rooms, waitsMs } = allocation;
  let { places, slowPlaces } = free;
  let tenants = inTurn(candidates);
  while (tenants.length > 0 && places > 0) {
    for (const queue of tenants) {
      while (places > 0) {
        const candidate = queue.shift();
        if (candidate === undefined) break;
        if (candidate.isSlow && slowPlaces <= 0) continue;
        const waitMs = waitOf(candidate, open);
        if (waitMs > 0) {
          waitsMs.set(candidate.webhookId, waitMs);
          continue;
        }
        charge(candidate.budgets, open, 1);
        places -= 1;
        if (candidate.isSlow) slowPlaces -= 1;
        const count = (rooms.get(candidate.webhookId) ?? 0) + 1;
        rooms.set(candidate.webhookId, count);
        if (count < candidate.room) queue.push(candidate);
        break;
      }
    }
    tenants = tenants.filter((queue) => queue.length > 0);
  }
  return allocation;
}

/** Takes deliveries out of the budgets, or with a negative count puts them back. */
export function charge(keys: readonly BudgetKey[], open: ReadonlyMap<string, OpenBudget>, count: number): void {
  for (const key of keys) {
    const { budget } = open.get(key.key)!;
    budget.tokens -= count;
    if (isUnproven(key, open)) budget.unprovenTokens -= count;
    open.get(key.key)!.inFlightLeft -= count;
  }
}

function inTurn(candidates: readonly Candidate[]): Candidate[][] {
  const sorted = candidates.toSorted((a, b) => a.tenantLastTurn - b.tenantLastTurn || a.lastTurn - b.lastTurn);
  return [...Map.groupBy(sorted, ({ tenantId }) => tenantId).values()];
}

/** How long until every budget of the candidate has something for it; 0 for now. */
function waitOf(candidate: Candidate, open: ReadonlyMap<string, OpenBudget>): number {
  let waitMs = 0;
  for (const key of candidate.budgets) {
    const { budget, inFlightLeft } = open.get(key.key)!;
    if (inFlightLeft <= 0) waitMs = Math.max(waitMs, IN_FLIGHT_WAIT_MS);
    waitMs = Math.max(waitMs, untilToken(budget.tokens, budget.perSecond));
    if (isUnproven(key, open))
      waitMs = Math.max(waitMs, untilToken(budget.unprovenTokens, key.policy.unprovenPerSecond!));
  }
  return waitMs;
}

function isUnproven(key: BudgetKey, open: ReadonlyMap<string, OpenBudget>): boolean {
  if (key.provenBy === null) return false;
  const route = open.get(key.provenBy)!;
  return !isProven(route.budget, route.key.policy);
}

function untilToken(tokens: number, perSecond: number): number {
  if (hasToken(tokens)) return 0;
  return Math.max(WAIT_MIN_MS, Math.ceil(((1 - tokens) / perSecond) * 1_000));
}
