import type { Database, Tx } from '@cairn/postgres';
import { type DueRows, leaseTable } from '@cairn/work-queue';
import type { RunRow } from './run.ts';

/** A run belongs to an owner for an epoch: each claim begins the next one. */
export const RUNS = leaseTable({
  name: 'runs',
  key: ['run_id'],
  owner: 'owner',
  until: 'lease_until',
  fence: 'epoch',
  leasedIf: `status = 'running'`,
});

export interface ClaimOptions {
  owner: string;
  leaseMs: number;
  kinds: readonly string[];
  /** Most runs to claim at once. */
  room: number;
  perTenantMax: number;
}

/** A run and the results of the steps it has completed. */
export interface ClaimedRun {
  run: RunRow;
  known: Map<string, unknown>;
}

/** Runs whose lease has expired twice in a row, with no other run as the likelier cause. */
const SUSPECT = `kind = ANY($1) AND status = 'running' AND lease_until <= now() AND stalls > 0 AND NOT vouched`;
const DUE = `kind = ANY($1)
  AND ((status = 'queued' AND (wake_at IS NULL OR wake_at <= now()))
    OR (status = 'running' AND lease_until <= now() AND (stalls = 0 OR vouched))
    OR (status = 'waiting' AND wake_at <= now()))`;
const TAKE = `epoch = epoch + 1, stalls = stalls + (status = 'running' AND NOT vouched)::int, vouched = false,
  status = 'running', wake_at = NULL, started_at = coalesce(started_at, now())`;

/** Whether a run of these kinds is due. */
export async function isAnyDue(database: Database, kinds: readonly string[]): Promise<boolean> {
  const rows = await database.transaction((tx) =>
    tx.query(`SELECT 1 FROM runs WHERE (${DUE}) OR (${SUSPECT}) LIMIT 1`, [kinds]),
  );
  return rows.length > 0;
}

/** Claims due runs. Each expired lease counts as a stall until the run completes another step. */
export function claimRuns(database: Database, options: ClaimOptions): Promise<ClaimedRun[]> {
  const { kinds, room, perTenantMax } = options;
  const orderBy = 'coalesce(wake_at, created_at)';
  const fair = { tenant: 'tenant_id', perTenantMax };
  return database.transaction((tx) => take(tx, options, room, { due: DUE, values: [kinds], orderBy, fair }));
}

/**
 * Claims a run that has stalled at least twice. Returns null when there is none, and 'later' when there is one but
 * `canStart` is false. The owner's other runs are marked as vouched for meanwhile.
 */
export function claimStalledRun(
  database: Database,
  options: ClaimOptions,
  canStart: boolean,
): Promise<ClaimedRun | 'later' | null> {
  const { owner, kinds } = options;
  return database.transaction(async (tx) => {
    if (!canStart) {
      const waiting = await tx.query(`SELECT 1 WHERE EXISTS (SELECT 1 FROM runs WHERE ${SUSPECT})`, [kinds]);
      return waiting.length > 0 ? 'later' : null;
    }
    const [suspect] = await take(tx, options, 1, { due: SUSPECT, values: [kinds], orderBy: 'lease_until' });
    if (suspect === undefined) return null;
    await tx.execute(`UPDATE runs SET vouched = true WHERE owner = $1 AND status = 'running' AND run_id <> $2`, [
      owner,
      suspect.run.run_id,
    ]);
    return suspect;
  });
}

/** Probation has passed: from now on any of the owner's runs may be the cause of a stall. */
export async function endProbation(database: Database, owner: string): Promise<void> {
  await database.transaction((tx) =>
    tx.execute(`UPDATE runs SET vouched = false WHERE owner = $1 AND status = 'running' AND vouched`, [owner]),
  );
}

async function take(tx: Tx, { owner, leaseMs }: ClaimOptions, max: number, due: DueRows): Promise<ClaimedRun[]> {
  return withSteps(tx, await RUNS.claimDue<RunRow>(tx, { owner, leaseMs, max }, { ...due, set: TAKE }));
}

async function withSteps(tx: Tx, runs: readonly RunRow[]): Promise<ClaimedRun[]> {
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
