import { RunFailure } from '../ledger/run.ts';
import type { RunContext } from '../ledger/run-context.ts';
import type { WorkDeps } from './work-deps.ts';

/**
 * Fails a run that has read nothing because the search engine did not answer: that says nothing about what was asked, and
 * a run that fails before its first finding is not charged.
 */
export async function requireSource({ database }: Pick<WorkDeps, 'database'>, context: RunContext): Promise<void> {
  const [state] = await database.withTenant(context.tenantId, (tx) =>
    tx.query<{ origin: string; reason: string }>(
      `SELECT data ->> 'origin' AS origin, data ->> 'reason' AS reason FROM run_events
        WHERE run_id = $1 AND type = 'source.skipped' AND data ? 'query'
          AND NOT EXISTS (SELECT FROM sources WHERE run_id = $1)
        ORDER BY seq LIMIT 1`,
      [context.runId],
    ),
  );
  if (state === undefined) return;
  throw new RunFailure(
    'web_search_failed',
    `The web search (${state.origin}) did not answer: ${inWords(state.reason)}. No other source had anything. Try again later.`,
  );
}

function inWords(reason: string): string {
  if (reason === 'status_429') return 'it received too many requests (429)';
  return reason.startsWith('status_') ? `it returned ${reason.slice('status_'.length)}` : reason.replaceAll('_', ' ');
}
