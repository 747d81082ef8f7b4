import { isIP } from 'node:net';
import type { Database } from '@cairn/postgres';
import { newBudget } from '../budgets/budget.ts';
import { type BudgetKey, budgetKeysOf, type EndpointKind, retryKeysOf, testCallsKey } from '../budgets/budget-keys.ts';
import type { Budgets, OpenBudgets } from '../budgets/budgets.ts';
import { type BudgetLimits, retryPolicy } from '../budgets/limits.ts';
import type { Lane } from './claim-due.ts';
import { addCount } from './counts.ts';
import type { Target } from './delivery-queue.ts';
import type { TargetAddresses } from './target-addresses.ts';

/** First deliveries, charged to the budgets of their tenant, host and addresses. */
export function firstLane(deps: { budgets: Budgets; addresses: TargetAddresses; limits: BudgetLimits }): Lane {
  const { budgets, addresses, limits } = deps;
  const allKeysOf = (target: Target, endpoint: EndpointKind) => {
    const host = hostOf(target.url);
    const cached = addresses.cached(host);
    if (cached === undefined) return undefined;
    const { tenant_id: tenantId, livemode } = target;
    return budgetKeysOf({ tenantId, livemode, host, addresses: cached }, endpoint, limits);
  };
  return {
    name: 'first',
    keysOf(target, endpoint) {
      const keys = allKeysOf(target, endpoint);
      return keys !== undefined && budgets.allKnown(keys) ? keys : undefined;
    },
    async prepare(targets) {
      const hosts = new Set(targets.map(({ url }) => hostOf(url)));
      await Promise.all(
        [...hosts].filter((host) => addresses.cached(host) === undefined).map((host) => addresses.refresh(host)),
      );
      // Also those that an endpoint is charged to once it accepts, or fails; those of a slow one are all of each kind.
      await budgets.create(
        targets.flatMap((target) =>
          [true, false].flatMap((accepts) => allKeysOf(target, { accepts, isSlow: true }) ?? []),
        ),
      );
    },
    transaction: budgets.transaction,
    begin: budgets.begin,
    end: budgets.end,
  };
}

/**
 * Retries wait for no budget: their number follows from the first deliveries, which were charged. Only how many one
 * tenant has in flight at this replica is bounded, and how many go to one host or address, which a name that leads
 * elsewhere by now cannot exceed.
 */
export function retryLane(deps: { database: Database; addresses: TargetAddresses; inFlightMax: number }): Lane {
  const policy = retryPolicy(deps.inFlightMax);
  const inFlight = new Map<string, number>();
  const add = (keys: readonly BudgetKey[], count: number) => {
    for (const { key } of keys) addCount(inFlight, key, count);
  };
  const open = async (keys: readonly BudgetKey[]): Promise<OpenBudgets> =>
    new Map(
      keys.map((key) => {
        const inFlightLeft = policy.inFlightMax - (inFlight.get(key.key) ?? 0);
        return [key.key, { key, budget: newBudget(key.key, policy, 0), inFlightLeft }];
      }),
    );
  return {
    name: 'retries',
    keysOf(target) {
      const host = hostOf(target.url);
      // A name that must be resolved first would make the retry late.
      const addresses = isIP(host) === 0 ? deps.addresses.lastKnown(host) : [host];
      return retryKeysOf({ tenantId: target.tenant_id, host, addresses }).map((key) => ({ key, policy }));
    },
    prepare: async () => undefined,
    transaction: (work) => deps.database.transaction((tx) => work(tx, open)),
    begin: add,
    end: (keys) => add(keys, -1),
  };
}

/** Calls of the test operation have a budget of their own for each tenant, whatever else waits for the host. */
export function testLane(budgets: Budgets): Lane {
  const keysOf = (target: Target) => [testCallsKey(target.tenant_id)];
  return {
    name: 'tests',
    keysOf(target) {
      const keys = keysOf(target);
      return budgets.allKnown(keys) ? keys : undefined;
    },
    prepare: (targets) => budgets.create(targets.flatMap(keysOf)),
    transaction: budgets.transaction,
    begin: budgets.begin,
    end: budgets.end,
  };
}

/** The host as the connector resolves it. */
export function hostOf(url: string): string {
  const { hostname } = new URL(url);
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname.replace(/(?<!\.)\.+$/, '');
}
