import type { RunContext } from '../ledger/run-context.ts';
import { inputOf, continuationOf } from '../runs/run-input.ts';
import { TEXT_MAX_CHARS } from '../sources/source-store.ts';
import type { WorkDeps } from './work-deps.ts';

const WARN_AT = 0.8;

/**
 * Budgets that end all gathering when exhausted. A crawl ends at its page limit by itself, and without tokens the rest
 * goes on.
 */
const GATHERING: ReadonlySet<keyof Used> = new Set(['seconds', 'text_chars']);

/** The limits of a run; null means that the caller set none. */
export interface Budget {
  /**
   * Returns false once nothing more may be gathered. Emits a warning event at 80 % of each limit, and one at its end.
   */
  allows(): Promise<boolean>;
}

interface Used {
  seconds: number;
  pages: number;
  tokens: number;
  cost_usd: number;
  text_chars: number;
}

/** Longest that any run gathers, whatever its caller allows. */
const SECONDS_MAX = 3_600;

export function budgetOf(deps: WorkDeps, context: RunContext): Budget {
  const input = inputOf(context);
  const limits: Record<keyof Used, number | null> = {
    seconds: Math.min(input.max_seconds ?? SECONDS_MAX, SECONDS_MAX),
    pages: input.max_pages,
    tokens: input.max_tokens,
    cost_usd: input.max_cost_usd,
    text_chars: TEXT_MAX_CHARS,
  };
  return {
    async allows() {
      const used = await usedBy(deps, context);
      let within = true;
      for (const [name, limit] of Object.entries(limits) as [keyof Used, number | null][]) {
        if (limit === null || used[name] < limit * WARN_AT) continue;
        const over = used[name] >= limit;
        if (over && GATHERING.has(name)) within = false;
        const data = { budget: name, used: used[name], limit, stopped: over };
        // A continued search starts with a new time budget.
        await context.step(`budget/${name}/${over ? 'end' : 'warning'}/${continuationOf(context)}`, () =>
          Promise.resolve({ result: null, events: [{ type: 'budget.warning', data }] }),
        );
      }
      return within;
    },
  };
}

function usedBy(deps: WorkDeps, context: RunContext): Promise<Used> {
  return deps.database.withTenant(context.tenantId, async (tx) => {
    const rows = await tx.query<Used>(
      // The ledger's own first step records when this continuation of the run began. A run waits for an answer only before the first continuation.
      `SELECT (extract(epoch FROM now() - coalesce((SELECT done_at FROM run_steps
                WHERE run_steps.run_id = runs.run_id AND step_key = $2), now()))
               - CASE WHEN $3 THEN (SELECT coalesce(sum(extract(epoch FROM answered.at - asked.at)), 0)
                   FROM run_events asked JOIN run_events answered USING (run_id)
                  WHERE asked.run_id = runs.run_id AND asked.type = 'clarification.requested'
                    AND answered.type = 'clarification.answered'
                    AND answered.data ->> 'question_id' = asked.data ->> 'question_id') ELSE 0 END)::float8 AS seconds,
              (SELECT count(*) FROM sources WHERE sources.run_id = runs.run_id AND sources.kind = 'web')::int AS pages,
              (research_runs.input_tokens + research_runs.output_tokens)::float8 AS tokens,
              research_runs.cost_nano_usd::float8 / 1e9 AS cost_usd,
              research_runs.text_chars::float8 AS text_chars
         FROM runs JOIN research_runs USING (run_id) WHERE runs.run_id = $1`,
      [context.runId, `run/started/${continuationOf(context)}`, continuationOf(context) === 0],
    );
    return rows[0] ?? { seconds: 0, pages: 0, tokens: 0, cost_usd: 0, text_chars: 0 };
  });
}
