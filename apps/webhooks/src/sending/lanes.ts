import type { Database } from '@cairn/postgres';
import { budgetKeysOf, testCallsKey } from '../budgets/budget-keys.ts';
import type { Budgets } from '../budgets/budgets.ts';
import type { BudgetLimits } from '../budgets/limits.ts';
import type { Lane } from './claim-due.ts';
import type { Target } from './delivery-queue.ts';
import type { TargetAddresses } from './target-addresses.ts';

/** First deliveries, charged to the budgets of their tenant, host and addresses. */
export function firstLane(deps: { budgets: Budgets; addresses: TargetAddresses; limits: BudgetLimits }): Lane {
  const { budgets, addresses, limits } = deps;
  const allKeysOf = (target: Target, accepts: boolean) => {
    const host = hostOf(target.url);
    const cached = addresses.cached(host);
    if (cached === undefined) return undefined;
    const { tenant_id: tenantId, livemode } = target;
    return budgetKeysOf({ tenantId, livemode, host, addresses: cached }, accepts, limits);
  };
  return {
    name: 'first',
    keysOf(target, accepts) {
      const keys = allKeysOf(target, accepts);
      return keys !== undefined && budgets.allKnown(keys) ? keys : undefined;
    },
    async prepare(targets) {
      const hosts = new Set(targets.map(({ url }) => hostOf(url)));
      await Promise.all(
        [...hosts].filter((host) => addresses.cached(host) === undefined).map((host) => addresses.refresh(host)),
      );
      // Also those that an endpoint is charged to once it accepts, or fails.
      await budgets.create(
        targets.flatMap((target) => [true, false].flatMap((accepts) => allKeysOf(target, accepts) ?? [])),
      );
    },
    transaction: budgets.transaction,
    begin: budgets.begin,
  };
}

/** Retries wait for nothing: their number follows from the first deliveries, which were charged. */
export function retryLane(database: Database): Lane {
  return {
    name: 'retries',
    keysOf: () => [],
    prepare: async () => undefined,
    transaction: (work) => database.transaction((tx) => work(tx, async () => new Map())),
    begin: () => undefined,
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
  };
}

/** The host as the connector resolves it. */
export function hostOf(url: string): string {
  const { hostname } = new URL(url);
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname.replace(/(?<!\.)\.+$/, '');
}
