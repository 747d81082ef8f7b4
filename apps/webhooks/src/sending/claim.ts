import type { Tx } from '@cairn/postgres';
import type { SealedSecrets } from '../webhooks/signing-secret.ts';
import { allocate, type Candidate, charge } from './budgets/allocate.ts';
import { type BudgetKey, budgetKeysOf } from './budgets/budget-keys.ts';
import type { Budgets } from './budgets/budgets.ts';
import type { BudgetLimits } from './budgets/limits.ts';
import type { TargetAddresses } from './target-addresses.ts';
import type { Turns } from './turns.ts';

/** A delivery that this replica makes one attempt at. */
export interface Claimed extends SealedSecrets {
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
}

/** Three times the longest request: whoever holds a claim longer than this is gone. */
export const CLAIM_MS = 15_000;

/** Webhooks with something due, how many attempts at once their windows allow, and how many all of them may take. */
export interface Asked {
  webhooks: ReadonlyMap<string, { room: number; isSlow: boolean }>;
  places: number;
  slowPlaces: number;
}

export interface ClaimOutcome {
  claimed: Claimed[];
  /** What each webhook's deliveries were charged to. */
  budgetsOf: ReadonlyMap<string, readonly BudgetKey[]>;
  /** How many could have been claimed for each; as many as were claimed means that there may be more. */
  rooms: ReadonlyMap<string, number>;
  /** Webhooks that have to wait for their budgets. */
  waitsMs: ReadonlyMap<string, number>;
  /** Webhooks for which no place was left. */
  withoutPlace: string[];
  /** Webhooks whose addresses must be looked up, or whose budgets must be made, before. */
  unprepared: Target[];
}

export interface Target {
  webhook_id: string;
  tenant_id: string;
  livemode: boolean;
  url: string;
}

export interface ClaimParts {
  budgets: Budgets;
  addresses: TargetAddresses;
  limits: BudgetLimits;
  turns: Turns;
  now: () => Date;
}

/**
 * Claims what is due for the webhooks, as many for each as its window and its budgets allow. The budgets are charged,
 * and the attempts written down, with the claims, before anything is sent: an attempt that nobody lives to record is
 * known all the same, and has been paid for.
 */
export async function claimDue(parts: ClaimParts, asked: Asked): Promise<ClaimOutcome> {
  const { budgets, turns } = parts;
  const begun: [readonly BudgetKey[], number][] = [];
  try {
    return await budgets.transaction(async (tx, openBudgets) => {
      const targets = await activeTargets(tx, [...asked.webhooks.keys()]);
      const { candidates, unprepared } = candidatesOf(parts, asked, targets);
      const open = await openBudgets(candidates.flatMap((candidate) => candidate.budgets));
      const payable = candidates.filter((candidate) => candidate.budgets.every(({ key }) => open.has(key)));
      const { rooms, waitsMs } = allocate(payable, open, asked);
      for (const { webhookId, budgets: keys } of payable) {
        const count = rooms.get(webhookId) ?? 0;
        budgets.begin(keys, count);
        begun.push([keys, count]);
      }
      const claimed = rooms.size === 0 ? [] : await claimRows(tx, rooms, targets, parts.now());
      const counts = Map.groupBy(claimed, ({ webhook_id }) => webhook_id);
      for (const [n, { webhookId, tenantId, budgets: keys }] of payable.entries()) {
        const count = counts.get(webhookId)?.length ?? 0;
        const unused = (rooms.get(webhookId) ?? 0) - count;
        charge(keys, open, -unused);
        budgets.begin(keys, -unused);
        begun[n] = [keys, count];
        if (count > 0) turns.served(tenantId, webhookId);
      }
      return {
        claimed,
        rooms,
        waitsMs,
        unprepared: [...unprepared, ...gone(candidates, payable, targets)],
        withoutPlace: payable.map((one) => one.webhookId).filter((id) => !rooms.has(id) && !waitsMs.has(id)),
        budgetsOf: new Map(payable.map((candidate) => [candidate.webhookId, candidate.budgets])),
      };
    });
  } catch (error) {
    for (const [keys, count] of begun) budgets.begin(keys, -count);
    throw error;
  }
}

/** Looks up where targets lead and makes the budgets that are not there yet. */
export async function prepareTargets(parts: ClaimParts, targets: readonly Target[]): Promise<void> {
  const hosts = new Set(targets.map(({ url }) => hostOf(url)));
  await Promise.all(
    [...hosts].filter((host) => parts.addresses.known(host) === undefined).map((host) => parts.addresses.lookUp(host)),
  );
  await parts.budgets.create(targets.flatMap((target) => budgetKeys(parts, target) ?? []));
}

function candidatesOf(parts: ClaimParts, asked: Asked, targets: ReadonlyMap<string, Target>) {
  const candidates: Candidate[] = [];
  const unprepared: Target[] = [];
  for (const [webhookId, { room, isSlow }] of asked.webhooks) {
    const target = targets.get(webhookId);
    if (target === undefined) continue;
    const keys = budgetKeys(parts, target);
    if (keys === undefined || !parts.budgets.areKnown(keys)) {
      unprepared.push(target);
      continue;
    }
    candidates.push({
      webhookId,
      tenantId: target.tenant_id,
      room,
      isSlow,
      lastTurn: parts.turns.ofWebhook(webhookId),
      tenantLastTurn: parts.turns.ofTenant(target.tenant_id),
      budgets: keys,
    });
  }
  return { candidates, unprepared };
}

function budgetKeys({ addresses, limits }: ClaimParts, target: Target): BudgetKey[] | undefined {
  const host = hostOf(target.url);
  const known = addresses.known(host);
  if (known === undefined) return undefined;
  return budgetKeysOf({ tenantId: target.tenant_id, livemode: target.livemode, host, addresses: known }, limits);
}

/** The host as the connector looks it up. */
function hostOf(url: string): string {
  const { hostname } = new URL(url);
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname.replace(/\.$/, '');
}

/** Candidates whose budgets were forgotten a moment ago. */
function gone(candidates: readonly Candidate[], payable: readonly Candidate[], targets: ReadonlyMap<string, Target>) {
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
  rooms: ReadonlyMap<string, number>,
  targets: ReadonlyMap<string, Target>,
  now: Date,
): Promise<Claimed[]> {
  const webhookIds = [...rooms.keys()];
  return tx.query<Claimed>({
    name: 'webhook_claim_due',
    // Nothing goes to another URL than the one that was paid for.
    text: `WITH wanted AS MATERIALIZED (
             SELECT w.webhook_id, w.url, w.auto_replay, w.secret_sealed, w.next_secret_sealed, w.secret_rotates_at, r.room
               FROM unnest($1::text[], $2::int[], $3::text[]) AS r (webhook_id, room, url)
               JOIN webhooks w USING (webhook_id, url) WHERE w.active AND w.deleted_at IS NULL),
           picked AS (
             SELECT due.delivery_id FROM wanted CROSS JOIN LATERAL (
               SELECT q.delivery_id FROM delivery_queue q
                WHERE q.webhook_id = wanted.webhook_id AND q.due_at <= $4 AND q.claimed_until IS NULL
                ORDER BY q.due_at LIMIT wanted.room FOR UPDATE SKIP LOCKED) due),
           claimed AS (
             UPDATE delivery_queue q SET claimed_until = $5, attempts = q.attempts + 1
               FROM picked WHERE q.delivery_id = picked.delivery_id
             RETURNING q.tenant_id, q.delivery_id, q.webhook_id, q.event_id, q.attempts, q.round, q.retry, q.is_test),
           begun AS (
             INSERT INTO delivery_attempts (tenant_id, delivery_id, attempt, round, retry, started_at)
             SELECT tenant_id, delivery_id, attempts, round, retry, $4 FROM claimed)
           SELECT c.tenant_id, c.delivery_id, c.webhook_id, c.event_id, c.attempts AS attempt, c.retry, c.is_test,
                  e.body, w.url, w.auto_replay, w.secret_sealed, w.next_secret_sealed, w.secret_rotates_at
             FROM claimed c JOIN webhook_events e USING (event_id) JOIN wanted w USING (webhook_id)`,
    values: [
      webhookIds,
      [...rooms.values()],
      webhookIds.map((id) => targets.get(id)!.url),
      now,
      new Date(now.getTime() + CLAIM_MS),
    ],
  });
}
