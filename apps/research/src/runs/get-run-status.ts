import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { RunRow } from '../ledger/run.ts';
import { findRun } from '../ledger/run-store.ts';
import type { Database, Tx } from '@cairn/postgres';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import { pageUrl, socketUrl, type TicketDeps } from './tickets.ts';
import { openQuestionOf } from './open-question.ts';
import { creditsOf, findRecord, type RunRecord, statusOf } from './run-record.ts';

/** Returns the status of a run, with fresh tickets for the caller. */
export async function getRunStatus(
  deps: TicketDeps & { database: Database },
  request: RequestContext<typeof operations.getRunStatus>,
): Promise<JsonResponse<typeof operations.getRunStatus>> {
  const { thread_id } = request.params;
  const found = await deps.database.withTenant(
    request.identity.tenantId,
    async (tx) => {
      const [run, record] = [await findRun(tx, thread_id), await findRecord(tx, thread_id)];
      if (run === null || record === null) throw notFound('The run');
      return { run, record, counts: await countsOf(tx, run, record), question: await openQuestionOf(tx, thread_id) };
    },
    { mode: 'snapshot' },
  );
  const { run, record } = found;
  const holder = { threadId: thread_id, credentialId: request.identity.credentialId };
  return {
    body: {
      thread_id,
      kind: record.kind,
      status: statusOf(run),
      prompt: record.prompt,
      criteria: record.criteria,
      progress: { stage: record.stage, percent: record.percent },
      counts: found.counts,
      total_target: record.total_target,
      list_id: record.list_id,
      workspace_id: record.workspace_id,
      memory_id: record.memory_id,
      websocket_url: await socketUrl(deps, holder, run.status === 'held'),
      live_url: record.live_page ? await pageUrl(deps, holder) : '',
      question: found.question,
      assumptions: record.assumptions,
      research_brief: record.brief,
      final_report: record.report,
      citations: record.citations as operations.ResponseOf<typeof operations.getRunStatus>['citations'],
      generated: record.generated,
      error: run.error,
      cost: costOf(record),
      created_at: record.created_at.toISOString(),
      started_at: run.started_at?.toISOString() ?? null,
      finished_at: run.finished_at?.toISOString() ?? null,
    },
  };
}

function costOf(record: RunRecord): operations.ResponseOf<typeof operations.getRunStatus>['cost'] {
  const states = { settling: 'settled', releasing: 'released' } as const;
  const { charge_state: state } = record;
  return {
    charge: record.charge,
    credits: creditsOf(record),
    state: state === 'settling' || state === 'releasing' ? states[state] : state,
    input_tokens: record.input_tokens,
    output_tokens: record.output_tokens,
  };
}

async function countsOf(
  tx: Tx,
  run: RunRow,
  record: RunRecord,
): Promise<operations.ResponseOf<typeof operations.getRunStatus>['counts']> {
  const [counts] = await tx.query<{ sources: number; findings: number; conflicts: number; rows: number }>(
    `SELECT (SELECT count(*) FROM sources WHERE run_id = $1) AS sources,
            (SELECT count(*) FROM findings WHERE run_id = $1) AS findings,
            (SELECT count(*) FROM conflicts WHERE run_id = $1) AS conflicts,
            coalesce((SELECT records FROM lists WHERE list_id = $2), 0) AS rows`,
    [run.run_id, record.list_id],
  );
  return { ...counts!, candidates: record.candidates, events: run.last_seq };
}
