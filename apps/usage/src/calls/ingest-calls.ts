import type { Database } from '@cairn/postgres';
import type { Logger } from '@cairn/service-kit';
import { debitAccount, openAccount } from '../credits/account-store.ts';
import type { PriceBook } from '../prices/price-book.ts';
import { priceCall } from '../prices/price-call.ts';
import { insertCalls, shareWriting, stored, type StoredCall } from './call-store.ts';
import type { Months } from './months.ts';
import { type LlmCall, monthsOf } from './read-call.ts';

export interface IngestParts {
  workerDatabase: Database;
  prices: { current(): PriceBook };
  months: Months;
  logger: Logger;
}

/**
 * Prices calls and writes them, their roll-ups and what they cost in one transaction. A call that was written before,
 * by whichever replica, changes nothing. Calls of erased tenants are dropped.
 */
export async function ingestCalls(parts: IngestParts, calls: readonly LlmCall[]): Promise<void> {
  const book = parts.prices.current();
  const priced = calls.map((call) => stored(call, priceCall(book, pricedCall(call))));
  await parts.months.ensure(calls.flatMap(monthsOf));
  await parts.workerDatabase.transaction(async (tx) => {
    await shareWriting(tx);
    // Sorted by tenant and month, as whoever locks several accounts does.
    for (const added of await insertCalls(tx, priced)) {
      if (added.micro_credits === 0) continue;
      await openAccount(tx, added.tenant_id, added.month);
      await debitAccount(tx, added.tenant_id, added.month, added.micro_credits);
    }
  });
  sayUnpriced(parts.logger, priced);
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
