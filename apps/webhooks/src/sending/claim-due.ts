import type { Tx } from '@cairn/postgres';
import { allocate, type Candidate, charge } from '../budgets/allocate.ts';
import type { BudgetKey, EndpointKind } from '../budgets/budget-keys.ts';
import type { OpenBudgets } from '../budgets/budgets.ts';
import type { ClaimedDelivery, DeliveryQueue, LaneName, Target } from './delivery-queue.ts';
import type { ServiceOrder } from './service-order.ts';

/** What one claim may take for a webhook. */
interface WebhookSlots {
  slots: number;
  isSlow: boolean;
  /** Whether its endpoint accepts deliveries; null: this replica does not know. */
  accepts: boolean | null;
}

/** By the URL that the webhook has at the time of the claim. */
export type SlotsAt = (url: string) => WebhookSlots;

/** Webhooks with something due, and the capacity that all of them share. */
export interface ClaimRequest {
  webhooks: ReadonlyMap<string, SlotsAt>;
  capacity: number;
  slowCapacity: number;
  /** Of `slowCapacity`, for one tenant. */
  slowCapacityOf: (tenantId: string) => number;
}

export interface ClaimOutcome {
  claimed: ClaimedDelivery[];
  /** How many due ones each webhook had, with those that were not claimed but begin a new round. */
  takenByWebhook: ReadonlyMap<string, number>;
  /** Webhooks that have first attempts now instead of retries. */
  restarted: ReadonlySet<string>;
  /** What each webhook's deliveries were charged to. */
  budgetsOf: ReadonlyMap<string, readonly BudgetKey[]>;
  /** How many could have been taken for each; when as many were taken, there may be more. */
  slotsByWebhook: ReadonlyMap<string, number>;
  /** Webhooks that have to wait for their budgets. */
  waitMsByWebhook: ReadonlyMap<string, number>;
  /** Webhooks for which no capacity was left. */
  withoutCapacity: string[];
  /** Webhooks whose addresses must be resolved, or whose budgets must be created, first. */
  unprepared: Target[];
}

/** A way in which deliveries are claimed, and what they are charged to. */
export interface Lane {
  name: LaneName;
  /** The budgets of an attempt; undefined when something must be prepared first. */
  keysOf(target: Target, endpoint: EndpointKind): readonly BudgetKey[] | undefined;
  /** Prepares targets of one host. */
  prepare(targets: readonly Target[]): Promise<void>;
  transaction<T>(work: (tx: Tx, open: (keys: readonly BudgetKey[]) => Promise<OpenBudgets>) => Promise<T>): Promise<T>;
  /** Counts attempts that are about to begin; a negative count takes them back. */
  begin(keys: readonly BudgetKey[], count: number): void;
  /** An attempt has ended; `accepted`: the endpoint accepted it in time. */
  end(keys: readonly BudgetKey[], accepted: boolean): void;
}

export interface ClaimDeps {
  lane: Lane;
  queue: DeliveryQueue;
  lastServed: ServiceOrder;
  now: () => Date;
}

/**
 * Claims what is due for the webhooks, as many for each as its slots and its budgets allow. The budgets are charged and
 * the attempts inserted with the claims, before anything is sent: an attempt whose replica dies before recording it is
 * known all the same, and has been paid for.
 */
export async function claimDue(deps: ClaimDeps, request: ClaimRequest): Promise<ClaimOutcome> {
  const { lane, queue, lastServed } = deps;
  const begun: [readonly BudgetKey[], number][] = [];
  try {
    return await lane.transaction(async (tx, openBudgets) => {
      const targets = await queue.targetsOf(tx, [...request.webhooks.keys()]);
      const { candidates, unprepared } = candidatesOf(deps, request, targets);
      const open = await openBudgets(candidates.flatMap((candidate) => candidate.budgets));
      const payable = candidates.filter((candidate) => candidate.budgets.every(({ key }) => open.has(key)));
      const { slotsByWebhook, waitMsByWebhook } = allocate(payable, open, request);
      for (const { webhookId, budgets } of payable) {
        const count = slotsByWebhook.get(webhookId) ?? 0;
        lane.begin(budgets, count);
        begun.push([budgets, count]);
      }
      const wanted = [...slotsByWebhook].map(([id, slots]) => ({ target: targets.get(id)!, slots }));
      const { claimed, restarted } = await queue.claim(tx, lane.name, wanted, deps.now());
      const counts = Map.groupBy(claimed, ({ webhook_id }) => webhook_id);
      for (const [n, { webhookId, tenantId, budgets }] of payable.entries()) {
        const count = counts.get(webhookId)?.length ?? 0;
        const unused = (slotsByWebhook.get(webhookId) ?? 0) - count;
        charge(budgets, open, -unused);
        lane.begin(budgets, -unused);
        begun[n] = [budgets, count];
        if (count > 0) lastServed.served(tenantId, webhookId);
      }
      return {
        claimed,
        takenByWebhook: countEach([...claimed.map(({ webhook_id }) => webhook_id), ...restarted]),
        restarted: new Set(restarted),
        slotsByWebhook,
        waitMsByWebhook,
        unprepared: [...unprepared, ...missingBudgets(candidates, payable, targets)],
        withoutCapacity: payable
          .map((candidate) => candidate.webhookId)
          .filter((id) => !slotsByWebhook.has(id) && !waitMsByWebhook.has(id)),
        budgetsOf: new Map(payable.map((candidate) => [candidate.webhookId, candidate.budgets])),
      };
    });
  } catch (error) {
    for (const [budgets, count] of begun) lane.begin(budgets, -count);
    throw error;
  }
}

function candidatesOf(deps: ClaimDeps, request: ClaimRequest, targets: ReadonlyMap<string, Target>) {
  const candidates: Candidate[] = [];
  const unprepared: Target[] = [];
  for (const [webhookId, slotsAt] of request.webhooks) {
    const target = targets.get(webhookId);
    if (target === undefined) continue;
    const { slots, isSlow, accepts } = slotsAt(target.url);
    const budgets = deps.lane.keysOf(target, { accepts: accepts ?? target.accepts, isSlow });
    if (budgets === undefined) {
      unprepared.push(target);
      continue;
    }
    candidates.push({
      webhookId,
      tenantId: target.tenant_id,
      slots,
      isSlow,
      lastServed: deps.lastServed.ofWebhook(webhookId),
      tenantLastServed: deps.lastServed.ofTenant(target.tenant_id),
      budgets,
    });
  }
  return { candidates, unprepared };
}

function countEach(ids: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

/** Candidates whose budgets were deleted a moment ago. */
function missingBudgets(
  candidates: readonly Candidate[],
  payable: readonly Candidate[],
  targets: ReadonlyMap<string, Target>,
) {
  const kept = new Set(payable);
  return candidates.filter((candidate) => !kept.has(candidate)).map(({ webhookId }) => targets.get(webhookId)!);
}
