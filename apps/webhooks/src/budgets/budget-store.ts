import type { Database, Tx } from '@cairn/postgres';
import { type Budget, type InFlightLease, newBudget } from './budget.ts';
import type { BudgetKey } from './budget-keys.ts';

interface BudgetRow {
  budget_key: string;
  per_second: number;
  tokens: number;
  refilled_at: Date;
  window_began_at: Date;
  accepted: number;
  in_flight: Record<string, InFlightLease>;
}

/** Inserts the budgets that do not exist, each with its initial tokens. */
export async function createBudgets(database: Database, keys: readonly BudgetKey[], nowMs: number): Promise<void> {
  const budgets = keys
    .map(({ key, policy }) => newBudget(key, policy, nowMs))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
  await database.transaction((tx) =>
    tx.execute({
      name: 'webhook_budgets_create',
      text: `INSERT INTO delivery_budgets (budget_key, per_second, tokens, unproven_tokens, refilled_at, window_began_at)
             SELECT budget_key, per_second, tokens, 0, $4, $4
               FROM unnest($1::text[], $2::float8[], $3::float8[]) AS given (budget_key, per_second, tokens)
             ON CONFLICT DO NOTHING`,
      values: [
        budgets.map((budget) => budget.key),
        budgets.map((budget) => budget.perSecond),
        budgets.map((budget) => budget.tokens),
        new Date(nowMs),
      ],
    }),
  );
}

/** Reads budgets and locks them until the transaction ends, always in the order of their keys. */
export async function lockBudgets(tx: Tx, keys: readonly string[]): Promise<Map<string, Budget>> {
  const rows = await tx.query<BudgetRow>({
    name: 'webhook_budgets_lock',
    text: 'SELECT * FROM delivery_budgets WHERE budget_key = ANY($1) ORDER BY budget_key FOR UPDATE',
    values: [keys],
  });
  return new Map(rows.map((row) => [row.budget_key, budgetOf(row)]));
}

/** Writes budgets that the transaction has locked. */
export async function saveBudgets(tx: Tx, budgets: readonly Budget[]): Promise<void> {
  if (budgets.length === 0) return;
  await tx.execute({
    name: 'webhook_budgets_save',
    text: `UPDATE delivery_budgets b
              SET per_second = r.per_second, tokens = r.tokens, refilled_at = r.refilled_at,
                  window_began_at = r.window_began_at, accepted = r.accepted, in_flight = r.in_flight
             FROM unnest($1::text[], $2::float8[], $3::float8[], $4::timestamptz[], $5::timestamptz[], $6::int[], $7::jsonb[])
               AS r (budget_key, per_second, tokens, refilled_at, window_began_at, accepted, in_flight)
            WHERE b.budget_key = r.budget_key`,
    values: [
      budgets.map((budget) => budget.key),
      budgets.map((budget) => budget.perSecond),
      budgets.map((budget) => budget.tokens),
      budgets.map((budget) => new Date(budget.refilledAtMs)),
      budgets.map((budget) => new Date(budget.windowBeganAtMs)),
      budgets.map((budget) => budget.accepted),
      budgets.map((budget) => JSON.stringify(budget.inFlight)),
    ],
  });
}

/** Deletes budgets that were not used since; they start again as new ones. */
export async function deleteUnusedBudgets(database: Database, unusedSince: Date): Promise<void> {
  await database.transaction((tx) => tx.execute('DELETE FROM delivery_budgets WHERE refilled_at < $1', [unusedSince]));
}

function budgetOf(row: BudgetRow): Budget {
  return {
    key: row.budget_key,
    perSecond: row.per_second,
    tokens: row.tokens,
    refilledAtMs: row.refilled_at.getTime(),
    windowBeganAtMs: row.window_began_at.getTime(),
    accepted: row.accepted,
    inFlight: row.in_flight,
  };
}
