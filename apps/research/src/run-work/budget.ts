import type { RunContext } from '@cairn/ledger';
import { inputOf, legOf } from './run-input.ts';
import { TEXT_MAX_CHARS } from './source-store.ts';
import type { WorkParts } from './work-parts.ts';

const WARN_AT = 0.8;

/** What ends all gathering. A crawl ends at its pages by itself, and without a model the rest goes on. */
const GATHERING: ReadonlySet<keyof Used> = new Set(['seconds', 'text_chars']);

/** What a run may use at most; null is without a bound of the caller's. */
export interface Budget {
  /** False once nothing more may be gathered: what is there is what there is. Warns of each bound at 80 %, and once more at its end. */
  allows(): Promise<boolean>;
}

interface Used {
  seconds: number;
  pages: number;
  tokens: number;
  cost_usd: number;
  text_chars: number;
}

/** Longest that any run gathers, whatever its caller says. */
const SECONDS_MAX = 3_600;

export function budgetOf(parts: WorkParts, context: RunContext): Budget {
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
      const used = await usedBy(parts, context);
      let within = true;
      for (const [name, limit] of Object.entries(limits) as [keyof Used, number | null][]) {
        if (limit === null || used[name] < limit * WARN_AT) continue;
        const over = used[name] >= limit;
        if (over && GATHERING.has(name)) within = false;
        const data = { budget: name, used: used[name], limit, stopped: over };
        // A search that is continued begins with its time anew.
        await context.step(`budget/${name}/${over ? 'end' : 'warning'}/${legOf(context)}`, () =>
          Promise.resolve({ result: null, events: [{ type: 'budget.warning', data }] }),
        );
      }
      return within;
    },
  };
}

function usedBy(parts: WorkParts, context: RunContext): Promise<Used> {
  return parts.database.withTenant(context.tenantId, async (tx) => {
    const rows = await tx.query<Used>(
      // The ledger's own step says when this leg of the run began.
      `SELECT extract(epoch FROM now() - coalesce((SELECT done_at FROM run_steps
                WHERE run_steps.run_id = runs.run_id AND step_key = $2), now()))::float8 AS seconds,
              (SELECT count(*) FROM sources WHERE sources.run_id = runs.run_id AND sources.kind = 'web')::int AS pages,
              (research_runs.input_tokens + research_runs.output_tokens)::float8 AS tokens,
              research_runs.cost_nano_usd::float8 / 1e9 AS cost_usd,
              research_runs.text_chars::float8 AS text_chars
         FROM runs JOIN research_runs USING (run_id) WHERE runs.run_id = $1`,
      [context.runId, `run/started/${legOf(context)}`],
    );
    return rows[0] ?? { seconds: 0, pages: 0, tokens: 0, cost_usd: 0, text_chars: 0 };
  });
}
