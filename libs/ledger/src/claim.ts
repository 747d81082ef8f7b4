import type { Database, Tx } from '@cairn/postgres';
import type { RunRow } from './run.ts';

export interface ClaimOptions {
  owner: string;
  leaseMs: number;
  kinds: readonly string[];
  /** Runs to claim at most. */
  room: number;
  perTenantMax: number;
}

/** A run and the results of its steps that were kept. */
export interface Claimed {
  run: RunRow;
  known: Map<string, unknown>;
}

/** Its lease ended for the second time in a row, and no other run was the likelier cause. */
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
/** What is due, of each tenant the oldest first, and of no tenant more than its share of this owner. */
const CLAIM_DUE = `
  WITH held AS (SELECT tenant_id, count(*) AS runs FROM runs WHERE owner = $1 AND status = 'running' GROUP BY tenant_id),
  due AS MATERIALIZED (
    SELECT run_id, row_number() OVER (PARTITION BY tenant_id ORDER BY coalesce(wake_at, created_at))
                     + coalesce(held.runs, 0) AS place
      FROM runs LEFT JOIN held USING (tenant_id) WHERE ${DUE}),
  chosen AS (
    SELECT runs.run_id FROM runs JOIN due USING (run_id) WHERE place <= $5 AND ${DUE}
     ORDER BY place, coalesce(wake_at, created_at) LIMIT $4 FOR UPDATE OF runs SKIP LOCKED)
  ${TAKE}`;
const CLAIM_SUSPECT = `
  WITH chosen AS (
    SELECT run_id FROM runs WHERE ${SUSPECT} ORDER BY lease_until LIMIT 1 FOR UPDATE SKIP LOCKED)
  ${TAKE}`;

/** Claims runs that are due. A run whose lease ended counts as stalled once more, until it keeps a step again. */
export function claimDue(database: Database, options: ClaimOptions): Promise<Claimed[]> {
  const { owner, leaseMs, kinds, room, perTenantMax } = options;
  return database.transaction(async (tx) =>
    withSteps(tx, await tx.query<RunRow>(CLAIM_DUE, [owner, leaseMs, kinds, room, perTenantMax])),
  );
}

/**
 * Claims a run that stalled at least twice, if there is one and `canBegin`; 'later' when there is one and not yet. The
 * owner's other runs are vouched for meanwhile.
 */
export function claimSuspect(
  database: Database,
  { owner, leaseMs, kinds }: ClaimOptions,
  canBegin: boolean,
): Promise<Claimed | 'later' | null> {
  return database.transaction(async (tx) => {
    if (!canBegin) {
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

/** The suspect has proved itself: whatever stalls the process from here on may be any of the owner's runs. */
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
