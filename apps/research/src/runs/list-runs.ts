import type * as operations from '@cairn/contracts';
import { type RunKind, RUNS_DEFAULT_LIMIT } from '@cairn/contracts';
import { type Database, likePattern, nextCursorOf, pageOf } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import type { RunRow } from '../ledger/run.ts';
import { creditsOf, ledgerStatusOf, type RunRecord, statusOf } from './run-record.ts';

type ListedRun = Pick<RunRow, 'run_id' | 'status' | 'last_seq' | 'started_at' | 'finished_at'> &
  Pick<
    RunRecord,
    | 'prompt'
    | 'stage'
    | 'percent'
    | 'list_id'
    | 'memory_id'
    | 'key_id'
    | 'charge_state'
    | 'micro_credits'
    | 'created_at'
  > & { kind: RunKind };

/** Returns the newest runs first. */
export async function listRuns(
  { database }: { database: Database },
  request: RequestContext<typeof operations.listRuns>,
): Promise<JsonResponse<typeof operations.listRuns>> {
  const { kind, status, query, cursor, limit = RUNS_DEFAULT_LIMIT } = request.query;
  const page = pageOf({ cursor, limit });
  const rows = await database.withTenant(
    request.identity.tenantId,
    (tx) =>
      tx.query<ListedRun>(
        `SELECT runs.run_id, status, last_seq, started_at, finished_at, research_runs.kind, prompt, stage, percent,
                list_id, memory_id, key_id, charge_state, micro_credits, research_runs.created_at
           FROM research_runs JOIN runs USING (run_id)
          WHERE research_runs.tenant_id = current_tenant()
            AND ($1::text IS NULL OR research_runs.kind = $1)
            AND ($2::text[] IS NULL OR status = ANY($2))
            AND ($3::text IS NULL OR prompt ILIKE $3)
            AND ($4::text IS NULL OR research_runs.run_id < $4)
          ORDER BY research_runs.run_id DESC LIMIT $5`,
        [
          kind ?? null,
          status?.map(ledgerStatusOf) ?? null,
          query === undefined ? null : likePattern(query),
          cursor ?? null,
          page.fetch,
        ],
      ),
    { mode: 'snapshot' },
  );
  const { shown, next_cursor } = nextCursorOf(rows, page, (row) => row.run_id);
  return { body: { runs: shown.map(presentRun), next_cursor } };
}

function presentRun(row: ListedRun): operations.ResponseOf<typeof operations.listRuns>['runs'][number] {
  return {
    thread_id: row.run_id,
    kind: row.kind,
    status: statusOf(row),
    prompt: row.prompt,
    progress: { stage: row.stage, percent: row.percent },
    list_id: row.list_id,
    memory_id: row.memory_id,
    started_by: row.key_id,
    credits: creditsOf(row),
    events: row.last_seq,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}
