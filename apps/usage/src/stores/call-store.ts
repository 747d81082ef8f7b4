import type { Tx } from '@cairn/postgres';
import type { CallPrice } from '../prices/price-call.ts';

/** One model call, as validated from its event. An id is null when the call had none. */
export interface LlmCall {
  tenant_id: string;
  event_id: string;
  /** YYYY-MM-DD. */
  minted_on: string;
  occurred_at: Date;
  livemode: boolean;
  workspace_id: string | null;
  memory_id: string | null;
  space_id: string | null;
  conversation_id: string | null;
  user_id: string | null;
  api_key_id: string | null;
  provider: string;
  model: string;
  byok: boolean;
  input_tokens: number;
  output_tokens: number;
  cached_input_tokens: number;
  cache_write_tokens: number;
  reasoning_tokens: number;
  run_id: string | null;
  purpose: string | null;
  streamed: boolean;
  raw_usage: string | null;
}

export type StoredCall = LlmCall & {
  cost_nano_usd: number | null;
  micro_credits: number;
  price_version: string | null;
};

export function withPrice(call: LlmCall, price: CallPrice): StoredCall {
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

/** Sorted by event id, so that two who write the same calls wait for each other in one order. */
const INSERT_CALLS = `
  INSERT INTO llm_calls (${COLUMNS})
  SELECT ${COLUMNS} FROM json_to_recordset($1::json) AS given (${TYPES})
   WHERE NOT EXISTS (SELECT FROM closed_tenants closed WHERE closed.tenant_id = given.tenant_id)
   ORDER BY tenant_id, event_id
  ON CONFLICT DO NOTHING
  RETURNING tenant_id, event_id`;

/** Inserts the calls that are not stored yet and returns exactly those. No two may have the same tenant and event id. */
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

/** Equal for a call and its redelivery. */
export function keyOf({ tenant_id, event_id }: Pick<StoredCall, 'tenant_id' | 'event_id'>): string {
  return `${tenant_id}\0${event_id}`;
}
