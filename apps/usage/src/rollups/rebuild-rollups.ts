import type { Database, Tx } from '@cairn/postgres';
import { acquireExclusiveWriteLock } from '../stores/write-lock.ts';
import { ROLLUP_COLUMNS, ROLLUP_FIGURES, rollupsOf } from '../stores/rollup-store.ts';
import { monthAfter } from '../months/month.ts';
import { differingAccounts } from './check-accounts.ts';

interface RebuildRequest {
  /** First days of months, both inclusive; null is the first and the last one stored. */
  fromMonth: string | null;
  toMonth: string | null;
  /** Null: every tenant. */
  tenantId: string | null;
  /** Only compares. */
  check: boolean;
}

interface RebuildResult {
  calls: number;
  rollupRows: number;
  differingRows: number;
  /** The first of them, in words. */
  differences: string[];
}

const DIFFERENCES_SHOWN = 20;

/**
 * Aggregates the calls again, month by month, and compares them with the roll-ups, and the accounts with their entries.
 * Unless it only checks, roll-ups that differ are rebuilt; no call is written meanwhile. Accounts are never written: a
 * difference there is somebody's money, and for a person to judge.
 */
export async function rebuildRollups(
  deps: { maintenanceDatabase: Database },
  request: RebuildRequest,
): Promise<RebuildResult> {
  const { maintenanceDatabase: database } = deps;
  const total: RebuildResult = { calls: 0, rollupRows: 0, differingRows: 0, differences: [] };
  for (const month of await database.transaction((tx) => existingMonths(tx, request))) {
    const found = await database.transaction((tx) => compare(tx, month, request.tenantId), { mode: 'snapshot' });
    const accounts = await database.transaction((tx) => differingAccounts(tx, month, request.tenantId), {
      mode: 'snapshot',
    });
    if (found.differingRows > 0 && !request.check)
      await database.transaction((tx) => replaceRollups(tx, month, request.tenantId));
    total.calls += found.calls;
    total.rollupRows += found.rollupRows;
    total.differingRows += found.differingRows + accounts.length;
    total.differences.push(...found.differences, ...accounts);
  }
  return { ...total, differences: total.differences.slice(0, DIFFERENCES_SHOWN) };
}

async function existingMonths(tx: Tx, request: RebuildRequest): Promise<string[]> {
  const rows = await tx.query<{ month: string }>(
    `SELECT replace(right(part.relname, 7), '_', '-') || '-01' AS month
       FROM pg_inherits JOIN pg_class part ON part.oid = inhrelid
      WHERE inhparent = 'llm_rollups'::regclass ORDER BY 1`,
  );
  return rows
    .map(({ month }) => month)
    .filter((month) => (request.fromMonth ?? month) <= month && month <= (request.toMonth ?? month));
}

const CALLS_OF_MONTH = `(SELECT * FROM llm_calls
   WHERE occurred_at >= $1::timestamp AT TIME ZONE 'UTC' AND occurred_at < $2::timestamp AT TIME ZONE 'UTC'
     AND ($3::text IS NULL OR tenant_id = $3)) AS calls_of_month`;

const figuresOf = (source: string) => `(${ROLLUP_FIGURES.map((figure) => `${source}.${figure}`).join(', ')})`;

const COMPARE = `
  WITH built AS MATERIALIZED (${rollupsOf(CALLS_OF_MONTH)}),
  kept AS (SELECT * FROM llm_rollups WHERE day >= $1::date AND day < $2::date AND ($3::text IS NULL OR tenant_id = $3)),
  differing AS (
    SELECT tenant_id, dimension, id, day, model, ROW${figuresOf('built')}::text AS calls, ROW${figuresOf('kept')}::text AS rollup
      FROM built FULL JOIN kept USING (tenant_id, dimension, id, day, model)
     WHERE ${figuresOf('built')} IS DISTINCT FROM ${figuresOf('kept')}
  )
  SELECT (SELECT coalesce(sum(calls), 0)::bigint FROM built WHERE dimension = 'tenant') AS calls,
         (SELECT count(*) FROM built) AS rollup_rows, (SELECT count(*) FROM differing) AS differing_rows,
         coalesce((SELECT json_agg(first) FROM (SELECT * FROM differing ORDER BY 1, 2, 3, 4, 5 LIMIT ${DIFFERENCES_SHOWN}) first), '[]') AS first`;

interface Differing {
  tenant_id: string;
  dimension: string;
  id: string;
  day: string;
  model: string;
  calls: string;
  rollup: string;
}

/** One statement, so that both sides are of one snapshot even while calls arrive. */
async function compare(tx: Tx, month: string, tenantId: string | null): Promise<RebuildResult> {
  const [row] = await tx.query<{ calls: number; rollup_rows: number; differing_rows: number; first: Differing[] }>(
    COMPARE,
    [month, monthAfter(month), tenantId],
  );
  return {
    calls: row!.calls,
    rollupRows: row!.rollup_rows,
    differingRows: row!.differing_rows,
    differences: row!.first.map(
      ({ tenant_id, dimension, id, day, model, calls, rollup }) =>
        `${tenant_id} ${dimension} ${id || '(all)'} ${day} ${model}: calls say ${calls}, the roll-up ${rollup}`,
    ),
  };
}

async function replaceRollups(tx: Tx, month: string, tenantId: string | null): Promise<void> {
  await acquireExclusiveWriteLock(tx);
  const values = [month, monthAfter(month), tenantId];
  await tx.execute(
    'DELETE FROM llm_rollups WHERE day >= $1::date AND day < $2::date AND ($3::text IS NULL OR tenant_id = $3)',
    values,
  );
  await tx.execute(`INSERT INTO llm_rollups (${ROLLUP_COLUMNS}) ${rollupsOf(CALLS_OF_MONTH)}`, values);
}
