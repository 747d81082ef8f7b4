import type { Tx } from '@cairn/postgres';

/** One row to add to the roll-ups. An empty id covers all ids of the dimension. */
export interface Rollup {
  tenantId: string;
  dimension: string;
  id: string;
  /** YYYY-MM-DD, UTC. */
  day: string;
  model: string;
  /** In the order of ROLLUP_FIGURES. */
  figures: readonly number[];
}

/**
 * Aggregates calls into one row for each dimension, id, day and model; `calls` is a table expression. Implemented a
 * second time in aggregate-calls.ts, for calls that are not stored yet; the nightly check and `cairn operator usage rebuild`
 * compare the two.
 */
export const rollupsOf = (calls: string) => `
  SELECT tenant_id, dimension, id, (occurred_at AT TIME ZONE 'UTC')::date AS day, model,
         count(*) AS calls, count(*) FILTER (WHERE cost_nano_usd IS NULL) AS unpriced_calls,
         sum(input_tokens)::bigint AS input_tokens, sum(output_tokens)::bigint AS output_tokens,
         sum(cached_input_tokens)::bigint AS cached_input_tokens, sum(reasoning_tokens)::bigint AS reasoning_tokens,
         coalesce(sum(input_tokens + output_tokens) FILTER (WHERE byok), 0)::bigint AS byok_tokens,
         coalesce(sum(cost_nano_usd), 0)::bigint AS cost_nano_usd, sum(micro_credits)::bigint AS micro_credits
    FROM ${calls}
   CROSS JOIN LATERAL (VALUES
     ('tenant', ''),
     ('workspace', workspace_id), ('workspace', left(workspace_id, 0)),
     ('memory', memory_id), ('memory', left(memory_id, 0)),
     ('space', space_id), ('space', left(space_id, 0)),
     ('conversation', conversation_id), ('conversation', left(conversation_id, 0)),
     ('user', user_id), ('user', left(user_id, 0)),
     ('api_key', api_key_id), ('api_key', left(api_key_id, 0))
   ) AS place (dimension, id)
   WHERE id IS NOT NULL
   GROUP BY tenant_id, dimension, id, day, model`;

export const ROLLUP_FIGURES = [
  'calls',
  'unpriced_calls',
  'input_tokens',
  'output_tokens',
  'cached_input_tokens',
  'reasoning_tokens',
  'byok_tokens',
  'cost_nano_usd',
  'micro_credits',
] as const;

export const ROLLUP_COLUMNS = ['tenant_id', 'dimension', 'id', 'day', 'model', ...ROLLUP_FIGURES].join(', ');

const ADD_ROLLUPS = `
  INSERT INTO llm_rollups (${ROLLUP_COLUMNS})
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::date[], $5::text[], ${ROLLUP_FIGURES.map((_, n) => `$${n + 6}::bigint[]`).join(', ')})
  ON CONFLICT (tenant_id, dimension, id, day, model) DO UPDATE
    SET ${ROLLUP_FIGURES.map((figure) => `${figure} = llm_rollups.${figure} + excluded.${figure}`).join(', ')}`;

/** Adds to the roll-ups, in the order given, which must be the same for everybody who adds. */
export async function addToRollups(tx: Tx, rollups: readonly Rollup[]): Promise<void> {
  await tx.execute({
    name: 'llm_rollups_add',
    text: ADD_ROLLUPS,
    values: [
      rollups.map(({ tenantId }) => tenantId),
      rollups.map(({ dimension }) => dimension),
      rollups.map(({ id }) => id),
      // Written as PostgreSQL reads them: nothing in days and integers needs escaping.
      `{${rollups.map(({ day }) => day).join(',')}}`,
      rollups.map(({ model }) => model),
      ...ROLLUP_FIGURES.map((_, n) => `{${rollups.map(({ figures }) => figures[n]).join(',')}}`),
    ],
  });
}
