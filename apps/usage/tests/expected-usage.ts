import type pg from 'pg';
import { PRICES } from './prices.ts';
import type { MadeCall } from './random-calls.ts';

/**
 * What calls must add up to, by nothing but integers and a hand-written reading of the price list: the other side of
 * the comparison, which shares no code with the service.
 */
type Expected = Map<string, bigint[]>;

const FIGURES = [
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

/** Thousandths of a nano-USD a token: input, output, cached input, cache write. */
function picoRates(call: MadeCall): [bigint, bigint, bigint, bigint] | null {
  const changed = call.at.getTime() >= Date.parse(PRICES.versions[1]!.effective_from);
  if (call.model === 'plain')
    return changed ? [2_000_000n, 8_000_000n, 200_000n, 2_500_000n] : [1_000_000n, 4_000_000n, 100_000n, 1_250_000n];
  if (call.model === 'small') return [37_500n, 150_500n, 37_500n, 37_500n];
  if (call.model === 'free') return [0n, 0n, 0n, 0n];
  if (call.model === 'long')
    return call.input > 1_000 ? [30_000n, 60_000n, 30_000n, 30_000n] : [10_000n, 20_000n, 10_000n, 10_000n];
  return null;
}

function priceOf(call: MadeCall): { cost: bigint | null; credits: bigint } {
  const rates = picoRates(call);
  if (rates === null) return { cost: null, credits: 0n };
  const parts = [call.input - call.cached - call.cacheWrite, call.output, call.cached, call.cacheWrite].map(BigInt);
  const pico = parts.reduce((sum, tokens, n) => sum + tokens * rates[n]!, 0n);
  const free = call.byok || !call.livemode || call.runId !== '';
  // 100 credits a USD: a micro-credit is 10,000 pico-USD.
  return { cost: (pico + 500n) / 1_000n, credits: free ? 0n : (pico + 5_000n) / 10_000n };
}

export function expectedUsage(calls: readonly MadeCall[]): Expected {
  const expected: Expected = new Map();
  for (const call of calls) {
    const { cost, credits } = priceOf(call);
    const figures = [
      1n,
      cost === null ? 1n : 0n,
      BigInt(call.input),
      BigInt(call.output),
      BigInt(call.cached),
      BigInt(call.reasoning),
      call.byok ? BigInt(call.input + call.output) : 0n,
      cost ?? 0n,
      credits,
    ];
    const day = call.at.toISOString().slice(0, 10);
    const places = [['tenant', '']];
    for (const [dimension, id] of Object.entries(call.ids))
      if (id !== '') places.push([dimension, id], [dimension, '']);
    for (const place of places) {
      const key = [call.tenantId, ...place, day, call.model].join('|');
      const sum = expected.get(key);
      expected.set(key, sum === undefined ? figures : sum.map((figure, n) => figure + figures[n]!));
    }
  }
  return expected;
}

/** Where the roll-ups are not what is expected, at most a few of them. */
export async function differences(superuser: pg.Client, expected: Expected): Promise<string[]> {
  const { rows } = await superuser.query<Record<string, string>>(
    `SELECT concat_ws('|', tenant_id, dimension, id, to_char(day, 'YYYY-MM-DD'), model) AS key,
            ${FIGURES.map((figure) => `${figure}::text`).join(', ')} FROM usage.llm_rollups`,
  );
  const wrong: string[] = [];
  for (const row of rows) {
    const should = expected.get(row['key']!)?.join(' ');
    const is = FIGURES.map((figure) => row[figure]).join(' ');
    if (should !== is) wrong.push(`${row['key']}: ${is}, not ${should ?? 'there at all'}`);
  }
  if (rows.length !== expected.size) wrong.push(`${rows.length} rows, not ${expected.size}`);
  return wrong.slice(0, SHOWN);
}

const SHOWN = 10;
