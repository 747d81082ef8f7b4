import type { Database, Tx } from '@cairn/postgres';
import { repeat, type Running } from '@cairn/service-kit';
import { deleteExpiredTickets } from '../runs/tickets.ts';
import { deleteUploads } from '../sources/uploads.ts';

const POLL_INTERVAL_MS = 60_000;
const RUNS_PER_BATCH = 50;
const BATCHES_MAX = 100;
const SCOPES_RETENTION_DAYS = 30;
const HOSTS_RETENTION_HOURS = 24;

interface TextRetention {
  workerDatabase: Database;
  /** How long reference files are kept after the end of a run that completed. */
  uploadsRetentionMs: number;
  /** How long all other texts are kept after the end of a run. */
  textsRetentionMs: number;
}

/** Marks runs that ended long enough ago as expired in `column`, and returns them. */
const claimExpired = (column: 'uploads_forgotten_at' | 'texts_forgotten_at') => `
  UPDATE research_runs SET ${column} = now() WHERE run_id IN (
    SELECT run_id FROM runs JOIN research_runs USING (run_id)
     WHERE finished_at < now() - make_interval(secs => $1::float8 / 1000) AND ${column} IS NULL
     ORDER BY finished_at LIMIT ${RUNS_PER_BATCH} FOR UPDATE OF research_runs SKIP LOCKED)
  RETURNING run_id`;

/**
 * Deletes the texts of runs whose retention has expired: first the reference files, later everything else the run has
 * read. What lists and reports quote of them stays with lists and reports. Returns the number of runs.
 */
export async function expireTexts({
  workerDatabase,
  uploadsRetentionMs,
  textsRetentionMs,
}: TextRetention): Promise<number> {
  const uploads = await inBatches(workerDatabase, async (tx) => {
    const runs = await tx.query<{ run_id: string }>(claimExpired('uploads_forgotten_at'), [uploadsRetentionMs]);
    const runIds = runs.map(({ run_id }) => run_id);
    await deleteUploads(tx, runIds);
    await tx.execute('DELETE FROM frontier WHERE run_id = ANY($1)', [runIds]);
    await tx.execute('DELETE FROM crawl_shapes WHERE run_id = ANY($1)', [runIds]);
    await tx.execute('DELETE FROM crawl_templates WHERE run_id = ANY($1)', [runIds]);
    await tx.execute('DELETE FROM crawl_records WHERE run_id = ANY($1)', [runIds]);
    return runIds.length;
  });
  const texts = await inBatches(workerDatabase, async (tx) => {
    const runs = await tx.query<{ run_id: string }>(claimExpired('texts_forgotten_at'), [textsRetentionMs]);
    const runIds = runs.map(({ run_id }) => run_id);
    await tx.execute(`UPDATE sources SET body = '' WHERE run_id = ANY($1) AND body <> ''`, [runIds]);
    return runIds.length;
  });
  return uploads + texts;
}

async function inBatches(database: Database, batch: (tx: Tx) => Promise<number>): Promise<number> {
  let total = 0;
  for (let count = 0; count < BATCHES_MAX; count += 1) {
    const done = await database.transaction(batch);
    total += done;
    if (done < RUNS_PER_BATCH) break;
  }
  return total;
}

/** Deletes hosts that have not been crawled for a day, and closed scopes that no request in flight can name any more. */
async function deleteStaleRows(tx: Tx): Promise<void> {
  await tx.execute(
    `DELETE FROM crawl_hosts WHERE busy_by IS NULL AND next_at < now() - make_interval(hours => ${HOSTS_RETENTION_HOURS})`,
  );
  await tx.execute(
    `DELETE FROM closed_scopes WHERE closed_at < now() - make_interval(days => ${SCOPES_RETENTION_DAYS})`,
  );
}

export function startTextExpiry(retention: TextRetention, onError: (error: unknown) => void): Running {
  const sweep = async () => {
    await expireTexts(retention);
    await deleteExpiredTickets(retention.workerDatabase);
    await retention.workerDatabase.transaction(deleteStaleRows);
  };
  return repeat(POLL_INTERVAL_MS, sweep, onError);
}
