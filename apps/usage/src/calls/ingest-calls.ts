import type { Database } from '@cairn/postgres';
import type { Logger } from '@cairn/service-kit';
import { debitAccount, openAccount } from '../credits/account-store.ts';
import type { PriceBook } from '../prices/price-book.ts';
import { priceCall } from '../prices/price-call.ts';
import { addUp } from './add-up.ts';
import { addToRollups, insertCalls, keyOf, shareWriting, stored, type StoredCall } from './call-store.ts';
import { monthAt, type Months } from './months.ts';
import { type LlmCall, monthsOf } from './read-call.ts';

export interface IngestParts {
  workerDatabase: Database;
  prices: { current(): PriceBook };
  months: Months;
  logger: Logger;
}

/** Transactions that a batch is written in at the same time, each with tenants of its own. */
const LANES = 4;

/**
 * Prices calls and writes each with its roll-ups and what it costs in one transaction. A call that was written before,
 * by whichever replica, changes nothing. Calls of erased tenants are dropped. When it throws, some of the calls may
 * be written; to repeat all of them is right.
 */
export async function ingestCalls(parts: IngestParts, calls: readonly LlmCall[]): Promise<void> {
  const book = parts.prices.current();
  const priced = firstOfEach(calls).map((call) => stored(call, priceCall(book, pricedCall(call))));
  await parts.months.ensure(calls.flatMap(monthsOf));
  const written = await Promise.allSettled(lanesOf(priced).map((lane) => writeLane(parts.workerDatabase, lane)));
  for (const outcome of written) if (outcome.status === 'rejected') throw outcome.reason;
  sayUnpriced(parts.logger, priced);
}

/** A repeat may come in the same batch. */
function firstOfEach(calls: readonly LlmCall[]): LlmCall[] {
  const firsts = new Map<string, LlmCall>();
  for (const call of calls) {
    const key = keyOf(call);
    if (!firsts.has(key)) firsts.set(key, call);
  }
  return [...firsts.values()];
}

/** By tenant, because no row of a roll-up or an account belongs to two: lanes never wait for each other. */
function lanesOf(calls: readonly StoredCall[]): StoredCall[][] {
  const lanes: StoredCall[][] = Array.from({ length: LANES }, () => []);
  for (const call of calls) {
    let sum = 0;
    for (let at = 0; at < call.tenant_id.length; at += 1) sum += call.tenant_id.charCodeAt(at);
    lanes[sum % LANES]!.push(call);
  }
  return lanes.filter((lane) => lane.length > 0);
}

async function writeLane(database: Database, lane: readonly StoredCall[]): Promise<void> {
  await database.transaction(async (tx) => {
    await shareWriting(tx);
    const fresh = await insertCalls(tx, lane);
    if (fresh.length === 0) return;
    await addToRollups(tx, addUp(fresh));
    for (const { tenantId, month, microCredits } of debitsOf(fresh)) {
      await openAccount(tx, tenantId, month);
      await debitAccount(tx, tenantId, month, microCredits);
    }
  });
}

/** What calls cost by tenant and month, sorted as whoever locks several accounts does. */
function debitsOf(calls: readonly StoredCall[]): { tenantId: string; month: string; microCredits: number }[] {
  const debits = new Map<string, { tenantId: string; month: string; microCredits: number }>();
  for (const call of calls) {
    if (call.micro_credits === 0) continue;
    const [tenantId, month] = [call.tenant_id, monthAt(call.occurred_at)];
    const debit = debits.get(tenantId + month);
    if (debit === undefined) debits.set(tenantId + month, { tenantId, month, microCredits: call.micro_credits });
    else debit.microCredits += call.micro_credits;
  }
  return [...debits].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, debit]) => debit);
}

function pricedCall(call: LlmCall) {
  return {
    occurredAtMs: call.occurred_at.getTime(),
    livemode: call.livemode,
    provider: call.provider,
    model: call.model,
    byok: call.byok,
    coveredByRun: call.run_id !== null,
    inputTokens: call.input_tokens,
    outputTokens: call.output_tokens,
    cachedInputTokens: call.cached_input_tokens,
    cacheWriteTokens: call.cache_write_tokens,
  };
}

/** One alert for each model that nobody has priced. */
function sayUnpriced(logger: Logger, calls: readonly StoredCall[]): void {
  const unpriced = calls.filter((call) => call.cost_nano_usd === null);
  for (const name of new Set(unpriced.map(({ provider, model }) => `${provider}/${model}`))) {
    logger.error({ alert: 'model_without_price', model: name }, 'a model was called that the price book does not know');
  }
}
