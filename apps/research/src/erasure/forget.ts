import type { Database, Tx } from '@cairn/postgres';
import type { Running } from '@cairn/service-kit';
import { forgetTickets } from '../tickets.ts';

const LOOK_EVERY_MS = 60_000;
const RUNS_PER_STEP = 50;
const STEPS_MAX = 100;
const SCOPES_KEEP_DAYS = 30;
const HOSTS_KEEP_HOURS = 24;

export interface Forgetting {
  workerDatabase: Database;
  /** After the end of a run that completed. */
  uploadsKeepMs: number;
  /** After the end of any run. */
  textsKeepMs: number;
}

/** Runs whose end is so long ago, and of which something is left that `column` says is not forgotten yet. */
const dueBy = (column: 'uploads_forgotten_at' | 'texts_forgotten_at') => `
  UPDATE research_runs SET ${column} = now() WHERE run_id IN (
    SELECT run_id FROM runs JOIN research_runs USING (run_id)
     WHERE finished_at < now() - make_interval(secs => $1::float8 / 1000) AND ${column} IS NULL
     ORDER BY finished_at LIMIT ${RUNS_PER_STEP} FOR UPDATE OF research_runs SKIP LOCKED)
  RETURNING run_id`;

/**
 * Gives up the texts of runs that ended: first the reference files, which were the run's own for a time, later what it
 * read elsewhere. What lists and reports quote of them stays with lists and reports.
 */
export async function forgetTexts({ workerDatabase, uploadsKeepMs, textsKeepMs }: Forgetting): Promise<number> {
  const uploads = await inSteps(workerDatabase, async (tx) => {
    const runs = await tx.query<{ run_id: string }>(dueBy('uploads_forgotten_at'), [uploadsKeepMs]);
    const runIds = runs.map(({ run_id }) => run_id);
    await forgetUploads(tx, runIds);
    await tx.execute('DELETE FROM frontier WHERE run_id = ANY($1)', [runIds]);
    return runIds.length;
  });
  const texts = await inSteps(workerDatabase, async (tx) => {
    const runs = await tx.query<{ run_id: string }>(dueBy('texts_forgotten_at'), [textsKeepMs]);
    const runIds = runs.map(({ run_id }) => run_id);
    await tx.execute(`UPDATE sources SET body = '' WHERE run_id = ANY($1) AND body <> ''`, [runIds]);
    return runIds.length;
  });
  return uploads + texts;
}

/** The files of the runs: that there were some is kept, what they said is not. */
export async function forgetUploads(tx: Tx, runIds: readonly string[]): Promise<void> {
  await tx.execute(`UPDATE sources SET body = '' WHERE run_id = ANY($1) AND kind = 'upload'`, [runIds]);
  await tx.execute('DELETE FROM uploads WHERE run_id = ANY($1)', [runIds]);
}

async function inSteps(database: Database, step: (tx: Tx) => Promise<number>): Promise<number> {
  let all = 0;
  for (let count = 0; count < STEPS_MAX; count += 1) {
    const done = await database.transaction(step);
    all += done;
    if (done < RUNS_PER_STEP) break;
  }
  return all;
}

/** Hosts that nobody has asked for long, and scopes that nothing can speak of any more. */
async function forgetPlaces(tx: Tx): Promise<void> {
  await tx.execute(
    `DELETE FROM crawl_hosts WHERE busy_by IS NULL AND next_at < now() - make_interval(hours => ${HOSTS_KEEP_HOURS})`,
  );
  await tx.execute(`DELETE FROM closed_scopes WHERE closed_at < now() - make_interval(days => ${SCOPES_KEEP_DAYS})`);
}

export function startForgetting(parts: Forgetting, onError: (error: unknown) => void): Running {
  let working: Promise<unknown> | null = null;
  const forget = async () => {
    await forgetTexts(parts);
    await forgetTickets(parts.workerDatabase);
    await parts.workerDatabase.transaction(forgetPlaces);
  };
  const look = () => {
    working ??= forget()
      .catch(onError)
      .finally(() => {
        working = null;
      });
  };
  look();
  const timer = setInterval(look, LOOK_EVERY_MS);
  timer.unref();
  return {
    async close() {
      clearInterval(timer);
      await working;
    },
  };
}
