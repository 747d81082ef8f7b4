import type { Database } from '@cairn/postgres';
import type { Logger } from '@cairn/service-kit';
import { debitAccount, openAccount } from '../stores/account-store.ts';
import type { PriceList } from '../prices/price-list.ts';
import { priceCall } from '../prices/price-call.ts';
import { aggregateCalls } from './aggregate-calls.ts';
import { addToRollups } from '../stores/rollup-store.ts';
import { insertCalls, keyOf, withPrice, type StoredCall } from '../stores/call-store.ts';
import { acquireSharedWriteLock } from '../stores/write-lock.ts';
import { monthAt } from '../months/month.ts';
import { type MonthPartitions } from '../months/partitions.ts';
import { type LlmCall } from '../stores/call-store.ts';
import { monthsOf } from './read-call.ts';

export interface IngestDeps {
  workerDatabase: Database;
  prices: { current(): PriceList };
  months: MonthPartitions;
  logger: Logger;
}

/** Transactions that a batch is written in at the same time, each with tenants of its own. */
const WRITERS = 4;

/**
 * Prices calls and writes each with its roll-ups and its debit in one transaction. A call that is stored already, by
 * whichever replica, changes nothing. Calls of erased tenants are dropped. When it throws, some of the calls may be
 * written; the whole batch may be repeated.
 */
export async function ingestCalls(deps: IngestDeps, calls: readonly LlmCall[]): Promise<void> {
  const prices = deps.prices.current();
  const priced = withoutDuplicates(calls).map((call) => withPrice(call, priceCall(prices, pricedCall(call))));
  await deps.months.ensure(calls.flatMap(monthsOf));
  const written = await Promise.allSettled(
    partitionByTenant(priced).map((partition) => writePartition(deps.workerDatabase, partition)),
  );
  for (const outcome of written) if (outcome.status === 'rejected') throw outcome.reason;
  reportUnpriced(deps.logger, priced);
}

/** A redelivery may be in the same batch. */
function withoutDuplicates(calls: readonly LlmCall[]): LlmCall[] {
  const unique = new Map<string, LlmCall>();
  for (const call of calls) {
    const key = keyOf(call);
    if (!unique.has(key)) unique.set(key, call);
  }
  return [...unique.values()];
}

/** By tenant, because no row of a roll-up or an account belongs to two, so that the writers never wait for each other. */
function partitionByTenant(calls: readonly StoredCall[]): StoredCall[][] {
  const partitions: StoredCall[][] = Array.from({ length: WRITERS }, () => []);
  for (const call of calls) {
    let sum = 0;
    for (let at = 0; at < call.tenant_id.length; at += 1) sum += call.tenant_id.charCodeAt(at);
    partitions[sum % WRITERS]!.push(call);
  }
  return partitions.filter((partition) => partition.length > 0);
}

async function writePartition(database: Database, partition: readonly StoredCall[]): Promise<void> {
  await database.transaction(async (tx) => {
    await acquireSharedWriteLock(tx);
    const fresh = await insertCalls(tx, partition);
    if (fresh.length === 0) return;
    await addToRollups(tx, aggregateCalls(fresh));
    for (const { tenantId, month, microCredits } of debitsOf(fresh)) {
      await openAccount(tx, tenantId, month);
      await debitAccount(tx, tenantId, month, microCredits);
    }
  });
}

/** What calls cost by tenant and month, in the order in which several accounts are locked everywhere. */
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
function reportUnpriced(logger: Logger, calls: readonly StoredCall[]): void {
  const unpriced = calls.filter((call) => call.cost_nano_usd === null);
  for (const name of new Set(unpriced.map(({ provider, model }) => `${provider}/${model}`))) {
    logger.error(
      { alert: 'model_without_price', model: name },
      'usage: a model without a price was called; its cost is stored as unknown',
    );
  }
}
