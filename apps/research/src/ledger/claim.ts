import type { Database, Tx } from '@cairn/postgres';
import type { RunRow } from './run.ts';

export interface ClaimOptions {
  owner: string;
  leaseMs: number;
  kinds: readonly string[];
  /** Most runs to claim at once. */
  room: number;
  perTenantMax: number;
}

/** A run and the results of the steps it has completed. */
export interface Claimed {
  run: RunRow;
  known: Map<string, unknown>;
}

/** Runs whose lease has expired twice in a row, with no other run as the likelier cause. */
const SUSPECT = `kind = ANY($3) AND status = 'running' AND lease_until <= now() AND stalls > 0 AND NOT vouched`;
const DUE = `kind = ANY($3)
  AND ((status = 'queued' AND (wake_at IS NULL OR wake_at <= now()))
    OR (status = 'running' AND lease_until <= now() AND (stalls = 0 OR vouched))
    OR (status = 'waiting' AND wake_at <= now()))`;
const TAKE = `
  UPDATE runs SET owner = $1, epoch = epoch + 1, stalls = stalls + (status = 'running' AND NOT vouched)::int,
         vouched = false, status = 'running', wake_at = NULL,
         lease_until = now() + make_interval(secs => $2::float8 / 1000), started_at = coalesce(started_at, now())
   WHERE run_id IN (SELECT run_id FROM chosen) RETURNING *`;
/** Due runs, round-robin over tenants, oldest first, and at most this owner's share of each tenant. */
const CLAIM_DUE = `
  WITH owned AS (SELECT tenant_id, count(*) AS runs FROM runs WHERE owner = $1 AND status = 'running' GROUP BY tenant_id),
  due AS MATERIALIZED (
    SELECT run_id, row_number() OVER (PARTITION BY tenant_id ORDER BY coalesce(wake_at, created_at))
                     + coalesce(owned.runs, 0) AS place
      FROM runs LEFT JOIN owned USING (tenant_id) WHERE ${DUE}),
  chosen AS (
    SELECT runs.run_id FROM runs JOIN due USING (run_id) WHERE place <= $5 AND ${DUE}
     ORDER BY place, coalesce(wake_at, created_at) LIMIT $4 FOR UPDATE OF runs SKIP LOCKED)
  ${TAKE}`;
const CLAIM_SUSPECT = `
  WITH chosen AS (
    SELECT run_id FROM runs WHERE ${SUSPECT} ORDER BY lease_until LIMIT 1 FOR UPDATE SKIP LOCKED)
  ${TAKE}`;

/** Whether a run of these kinds is due. */
export async function isAnyDue(database: Database, kinds: readonly string[]): Promise<boolean> {
  const [own, suspect] = [DUE, SUSPECT].map((due) => due.replaceAll('$3', '$1'));
  const rows = await database.transaction((tx) =>
    tx.query(`SELECT 1 FROM runs WHERE (${own}) OR (${suspect}) LIMIT 1`, [kinds]),
  );
  return rows.length > 0;
}

/** Claims due runs. Each expired lease counts as a stall until the run completes another step. */
export function claimDue(database: Database, options: ClaimOptions): Promise<Claimed[]> {
  const { owner, leaseMs, kinds, room, perTenantMax } = options;
  return database.transaction(async (tx) =>
    withSteps(tx, await tx.query<RunRow>(CLAIM_DUE, [owner, leaseMs, kinds, room, perTenantMax])),
  );
}

/**
 * Claims a run that has stalled at least twice. Returns null when there is none, and 'later' when there is one but
 * `canStart` is false. The owner's other runs are marked as vouched for meanwhile.
 */
export function claimSuspect(
  database: Database,
  { owner, leaseMs, kinds }: ClaimOptions,
  canStart: boolean,
): Promise<Claimed | 'later' | null> {
  return database.transaction(async (tx) => {
    if (!canStart) {
      const waiting = await tx.query(
        `SELECT 1 WHERE EXISTS (SELECT 1 FROM runs WHERE ${SUSPECT.replace('$3', '$1')})`,
        [kinds],
      );
      return waiting.length > 0 ? 'later' : null;
    }
    const [suspect] = await withSteps(tx, await tx.query<RunRow>(CLAIM_SUSPECT, [owner, leaseMs, kinds]));
    if (suspect === undefined) return null;
    await tx.execute(`UPDATE runs SET vouched = true WHERE owner = $1 AND status = 'running' AND run_id <> $2`, [
      owner,
      suspect.run.run_id,
    ]);
    return suspect;
  });
}

/** Probation has passed: from now on any of the owner's runs may be the cause of a stall. */
export async function clearSuspicion(database: Database, owner: string): Promise<void> {
  await database.transaction((tx) =>
    tx.execute(`UPDATE runs SET vouched = false WHERE owner = $1 AND status = 'running' AND vouched`, [owner]),
  );
}

async function withSteps(tx: Tx, runs: readonly RunRow[]): Promise<Claimed[]> {
  if (runs.length === 0) return [];
  const steps = await tx.query<{ run_id: string; step_key: string; result: unknown }>(
    'SELECT run_id, step_key, result FROM run_steps WHERE run_id = ANY($1)',
    [runs.map((run) => run.run_id)],
  );
  return runs.map((run) => ({
    run,
    known: new Map(steps.filter((step) => step.run_id === run.run_id).map((step) => [step.step_key, step.result])),
  }));
}
