import type { Tx } from '@cairn/postgres';
import type { EncryptedSecrets } from '../signing/signing-secret.ts';
import { allocate, type Candidate, charge } from '../budgets/allocate.ts';
import { type BudgetKey, budgetKeysOf } from '../budgets/budget-keys.ts';
import type { Budgets } from '../budgets/budgets.ts';
import type { BudgetLimits } from '../budgets/limits.ts';
import type { TargetAddresses } from './target-addresses.ts';
import type { LastServed } from './last-served.ts';

/** A delivery that this replica makes one attempt at. */
export interface Claimed extends EncryptedSecrets {
  tenant_id: string;
  delivery_id: string;
  event_id: string;
  /** Number of this attempt over all rounds; also the fence for recording it. */
  attempt: number;
  retry: number;
  is_test: boolean;
  auto_replay: boolean;
  url: string;
  body: string;
  /** The trace of the event. */
  traceparent: string | null;
}

/** Three times the longest request: a replica that holds a claim longer has died. */
const CLAIM_MS = 15_000;

/** Webhooks with something due, the free slots of their windows, and the capacity that all of them share. */
export interface ClaimRequest {
  webhooks: ReadonlyMap<string, { slots: number; isSlow: boolean }>;
  capacity: number;
  slowCapacity: number;
}

export interface ClaimOutcome {
  claimed: Claimed[];
  /** What each webhook's deliveries were charged to. */
  budgetsOf: ReadonlyMap<string, readonly BudgetKey[]>;
  /** How many could have been claimed for each; when as many were claimed, there may be more. */
  slotsByWebhook: ReadonlyMap<string, number>;
  /** Webhooks that have to wait for their budgets. */
  waitMsByWebhook: ReadonlyMap<string, number>;
  /** Webhooks for which no capacity was left. */
  withoutCapacity: string[];
  /** Webhooks whose addresses must be resolved, or whose budgets must be created, first. */
  unprepared: Target[];
}

export interface Target {
  webhook_id: string;
  tenant_id: string;
  livemode: boolean;
  url: string;
}

export interface ClaimDeps {
  budgets: Budgets;
  addresses: TargetAddresses;
  limits: BudgetLimits;
  lastServed: LastServed;
  now: () => Date;
}

/**
 * Claims what is due for the webhooks, as many for each as its window and its budgets allow. The budgets are charged
 * and the attempts inserted with the claims, before anything is sent: an attempt whose replica dies before recording it
 * is known all the same, and has been paid for.
 */
export async function claimDue(deps: ClaimDeps, request: ClaimRequest): Promise<ClaimOutcome> {
  const { budgets, lastServed } = deps;
  const begun: [readonly BudgetKey[], number][] = [];
  try {
    return await budgets.transaction(async (tx, openBudgets) => {
      const targets = await activeTargets(tx, [...request.webhooks.keys()]);
      const { candidates, unprepared } = candidatesOf(deps, request, targets);
      const open = await openBudgets(candidates.flatMap((candidate) => candidate.budgets));
      const payable = candidates.filter((candidate) => candidate.budgets.every(({ key }) => open.has(key)));
      const { slotsByWebhook, waitMsByWebhook } = allocate(payable, open, request);
      for (const { webhookId, budgets: keys } of payable) {
        const count = slotsByWebhook.get(webhookId) ?? 0;
        budgets.begin(keys, count);
        begun.push([keys, count]);
      }
      const claimed = slotsByWebhook.size === 0 ? [] : await claimRows(tx, slotsByWebhook, targets, deps.now());
      const counts = Map.groupBy(claimed, ({ webhook_id }) => webhook_id);
      for (const [n, { webhookId, tenantId, budgets: keys }] of payable.entries()) {
        const count = counts.get(webhookId)?.length ?? 0;
        const unused = (slotsByWebhook.get(webhookId) ?? 0) - count;
        charge(keys, open, -unused);
        budgets.begin(keys, -unused);
        begun[n] = [keys, count];
        if (count > 0) lastServed.served(tenantId, webhookId);
      }
      return {
        claimed,
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
    for (const [keys, count] of begun) budgets.begin(keys, -count);
    throw error;
  }
}

/** Resolves the addresses of the targets and creates budgets that do not exist yet. */
export async function prepareTargets(deps: ClaimDeps, targets: readonly Target[]): Promise<void> {
  const hosts = new Set(targets.map(({ url }) => hostOf(url)));
  await Promise.all(
    [...hosts].filter((host) => deps.addresses.cached(host) === undefined).map((host) => deps.addresses.refresh(host)),
  );
  await deps.budgets.create(targets.flatMap((target) => budgetKeys(deps, target) ?? []));
}

function candidatesOf(deps: ClaimDeps, request: ClaimRequest, targets: ReadonlyMap<string, Target>) {
  const candidates: Candidate[] = [];
  const unprepared: Target[] = [];
  for (const [webhookId, { slots, isSlow }] of request.webhooks) {
    const target = targets.get(webhookId);
    if (target === undefined) continue;
    const keys = budgetKeys(deps, target);
    if (keys === undefined || !deps.budgets.allKnown(keys)) {
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
      budgets: keys,
    });
  }
  return { candidates, unprepared };
}

function budgetKeys({ addresses, limits }: ClaimDeps, target: Target): BudgetKey[] | undefined {
  const host = hostOf(target.url);
  const cached = addresses.cached(host);
  if (cached === undefined) return undefined;
  return budgetKeysOf({ tenantId: target.tenant_id, livemode: target.livemode, host, addresses: cached }, limits);
}

/** The host as the connector resolves it. */
function hostOf(url: string): string {
  const { hostname } = new URL(url);
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname.replace(/\.$/, '');
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

async function activeTargets(tx: Tx, webhookIds: readonly string[]): Promise<Map<string, Target>> {
  const rows = await tx.query<Target>({
    name: 'webhook_active_targets',
    text: `SELECT webhook_id, tenant_id, livemode, url FROM webhooks
            WHERE webhook_id = ANY($1) AND active AND deleted_at IS NULL`,
    values: [webhookIds],
  });
  return new Map(rows.map((row) => [row.webhook_id, row]));
}

async function claimRows(
  tx: Tx,
  slotsByWebhook: ReadonlyMap<string, number>,
  targets: ReadonlyMap<string, Target>,
  now: Date,
): Promise<Claimed[]> {
  const webhookIds = [...slotsByWebhook.keys()];
  return tx.query<Claimed>({
    name: 'webhook_claim_due',
    // Nothing goes to another URL than the one whose budgets were charged.
    text: `WITH wanted AS MATERIALIZED (
             SELECT w.webhook_id, w.url, w.auto_replay, w.secret_sealed, w.next_secret_sealed, w.secret_rotates_at, r.slots
               FROM unnest($1::text[], $2::int[], $3::text[]) AS r (webhook_id, slots, url)
               JOIN webhooks w USING (webhook_id, url) WHERE w.active AND w.deleted_at IS NULL),
           picked AS (
             SELECT due.delivery_id FROM wanted CROSS JOIN LATERAL (
               SELECT q.delivery_id FROM delivery_queue q
                WHERE q.webhook_id = wanted.webhook_id AND q.due_at <= $4 AND q.claimed_until IS NULL
                ORDER BY q.due_at LIMIT wanted.slots FOR UPDATE SKIP LOCKED) due),
           claimed AS (
             UPDATE delivery_queue q SET claimed_until = $5, attempts = q.attempts + 1
               FROM picked WHERE q.delivery_id = picked.delivery_id
             RETURNING q.tenant_id, q.delivery_id, q.webhook_id, q.event_id, q.attempts, q.round, q.retry, q.is_test),
           begun AS (
             INSERT INTO delivery_attempts (tenant_id, delivery_id, attempt, round, retry, started_at)
             SELECT tenant_id, delivery_id, attempts, round, retry, $4 FROM claimed)
           SELECT c.tenant_id, c.delivery_id, c.webhook_id, c.event_id, c.attempts AS attempt, c.retry, c.is_test,
                  e.body, e.traceparent, w.url, w.auto_replay, w.secret_sealed, w.next_secret_sealed, w.secret_rotates_at
             FROM claimed c JOIN webhook_events e USING (event_id) JOIN wanted w USING (webhook_id)`,
    values: [
      webhookIds,
      [...slotsByWebhook.values()],
      webhookIds.map((id) => targets.get(id)!.url),
      now,
      new Date(now.getTime() + CLAIM_MS),
    ],
  });
}
