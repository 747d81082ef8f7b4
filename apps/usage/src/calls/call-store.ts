import type { Tx } from '@cairn/postgres';
import type { CallPrice } from '../prices/price-call.ts';
import type { Rollup } from './add-up.ts';
import type { LlmCall } from './read-call.ts';

export type StoredCall = LlmCall & {
  cost_nano_usd: number | null;
  micro_credits: number;
  price_version: string | null;
};

export function stored(call: LlmCall, price: CallPrice): StoredCall {
  return {
    ...call,
    cost_nano_usd: price.costNanoUsd,
    micro_credits: price.microCredits,
    price_version: price.priceVersion,
  };
}

const COLUMNS = `tenant_id, event_id, minted_on, occurred_at, livemode, workspace_id, memory_id, space_id,
  conversation_id, user_id, api_key_id, provider, model, byok, input_tokens, output_tokens, cached_input_tokens,
  cache_write_tokens, reasoning_tokens, cost_nano_usd, micro_credits, price_version, run_id, purpose, streamed, raw_usage`;

const TYPES = `tenant_id text, event_id text, minted_on date, occurred_at timestamptz, livemode boolean,
  workspace_id text, memory_id text, space_id text, conversation_id text, user_id text, api_key_id text,
  provider text, model text, byok boolean, input_tokens bigint, output_tokens bigint, cached_input_tokens bigint,
  cache_write_tokens bigint, reasoning_tokens bigint, cost_nano_usd bigint, micro_credits bigint, price_version text,
  run_id text, purpose text, streamed boolean, raw_usage text`;

/**
 * What calls add up to, one row for each dimension, id, day and model; `calls` names what is added up. Said a second
 * time in add-up.ts, for calls that are not stored yet; every night, and `cairn usage rebuild`, hold one against the other.
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

/** Sorted by event id, so that two who write the same calls wait for each other in one order. */
const INSERT_CALLS = `
  INSERT INTO llm_calls (${COLUMNS})
  SELECT ${COLUMNS} FROM json_to_recordset($1::json) AS given (${TYPES})
   WHERE NOT EXISTS (SELECT FROM closed_tenants closed WHERE closed.tenant_id = given.tenant_id)
   ORDER BY tenant_id, event_id
  ON CONFLICT DO NOTHING
  RETURNING tenant_id, event_id`;

/** Writes the calls that are not there yet and gives exactly those. No two may have one tenant and event id. */
export async function insertCalls(tx: Tx, calls: readonly StoredCall[]): Promise<StoredCall[]> {
  const rows = await tx.query<Pick<StoredCall, 'tenant_id' | 'event_id'>>({
    name: 'llm_calls_insert',
    text: INSERT_CALLS,
    values: [JSON.stringify(calls)],
  });
  if (rows.length === calls.length) return [...calls];
  const fresh = new Set(rows.map(keyOf));
  return calls.filter((call) => fresh.has(keyOf(call)));
}

/** What a repeat of a call is known by. */
export function keyOf({ tenant_id, event_id }: Pick<StoredCall, 'tenant_id' | 'event_id'>): string {
  return `${tenant_id}\0${event_id}`;
}

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

/** Held while calls are written; whoever rebuilds or erases takes it alone. */
export async function shareWriting(tx: Tx): Promise<void> {
  await tx.query({ name: 'usage_writing_shared', text: `SELECT pg_advisory_xact_lock_shared(${WRITING})` });
}

/** Waits until nobody writes calls, and keeps others from it to the end of the transaction. */
export async function holdWriting(tx: Tx): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock(${WRITING})`);
}

const WRITING = "hashtextextended('cairn:usage:writing', 0)";
