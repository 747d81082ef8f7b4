import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@cairn/postgres';
import type { Logger, Running } from '@cairn/service-kit';
import type { Clock } from '../clock.ts';
import { attemptDelivery, type Attempted, type AttemptParts } from './attempt.ts';
import type { BudgetKey } from './budgets/budget-keys.ts';
import type { Budgets, Verdict } from './budgets/budgets.ts';
import type { BudgetLimits } from './budgets/limits.ts';
import type { Claimed } from './claim.ts';
import { createClaimLoop } from './claim-loop.ts';
import { SLOW_MS } from './endpoint.ts';
import { createEndpoints } from './endpoints.ts';
import type { Recorder } from './recorder.ts';
import { scanQueue } from './scan-queue.ts';
import { nextAfter } from './schedule.ts';
import type { TargetAddresses } from './target-addresses.ts';

export interface DispatcherParts extends AttemptParts {
  database: Database;
  recorder: Recorder;
  budgets: Budgets;
  addresses: TargetAddresses;
  limits: BudgetLimits;
  clock: Clock;
  logger: Logger;
  /** To one webhook at once. */
  concurrencyMax: number;
  /** To all webhooks at once. */
  inFlightMax: number;
  /** Told of webhooks that have answered and want their dead letters again. */
  onAnswered: (webhookId: string) => void;
}

export interface Dispatcher extends Running {
  /** Something is, or will be, due for the webhook. */
  hint(webhookId: string, dueAt?: Date): void;
}

/** How often the queue is read for what no hint told of: left by another replica, or from before the start. */
const SCAN_EVERY_MS = 1_000;
/** Longer than one request. */
const DRAIN_TIMEOUT_MS = 6_500;
/** An endpoint that keeps failing is sent a tenth of what a new host may be sent. */
const FAILING_INTERVAL_STARTS_MS = 10_000;
/** The first pause of the schedule of retries. */
const FAILING_INTERVAL_MAX_MS = 1_000;

/**
 * Sends what is due, as fast as the budgets allow. Each webhook has a window of its own, and those that fail or are slow
 * share half of all places, so that no endpoint, nor many of them, holds up the others. What is due is known from hints;
 * the queue in the database is read as well, so that a hint may be lost.
 */
export function startDispatcher(parts: DispatcherParts): Dispatcher {
  const { clock, database, logger } = parts;
  const running = new Set<Promise<void>>();
  let closed = false;

  const endpoints = createEndpoints({
    ...parts,
    failingIntervalMs: Math.min(
      FAILING_INTERVAL_MAX_MS,
      Math.floor(FAILING_INTERVAL_STARTS_MS / parts.limits.hostStartPerSecond),
    ),
    onReady: () => claims.pump(),
  });
  const hint = (webhookId: string, dueAt?: Date) => {
    if (!closed) endpoints.hint(webhookId, dueAt);
  };
  const start = (claimed: Claimed, charged: readonly BudgetKey[]) => {
    const flight = endpoints.begin(claimed.webhook_id);
    let verdict: Verdict = 'neutral';
    const work = deliver(parts, claimed, (attempted) => {
      const delivered = attempted.outcome === 'delivered';
      endpoints.adapt(claimed.webhook_id, { delivered, latencyMs: attempted.latencyMs });
      verdict = verdictOf(attempted);
    })
      .then((dueAt) => (dueAt === null ? undefined : hint(claimed.webhook_id, dueAt)))
      .finally(() => {
        running.delete(work);
        endpoints.end(flight);
        parts.budgets.end(charged, verdict);
        claims.pump();
      });
    running.add(work);
  };

  const claims = createClaimLoop({ ...parts, endpoints, hint, start, now: () => clock.now() });

  const scan = async () => {
    endpoints.tidy();
    for (const { webhook_id, due_at } of await scanQueue(database)) hint(webhook_id, due_at);
  };
  const scanning = scanRepeatedly(clock, scan, (error) => logger.warn({ err: error }, 'the queue cannot be read'));

  return {
    hint,
    async close() {
      closed = true;
      endpoints.close();
      await scanning.close();
      await claims.close();
      // What cannot be recorded in time is taken up by whoever sweeps the claims.
      await Promise.race([Promise.all(running), sleep(DRAIN_TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
}

/** Makes one attempt and has it recorded; gives when it is due again, if it is. */
async function deliver(
  parts: DispatcherParts,
  claimed: Claimed,
  onEnd: (attempted: Attempted) => void,
): Promise<Date | null> {
  const attempted = await attemptDelivery(parts, claimed);
  onEnd(attempted);
  const at = parts.clock.now();
  const next = nextAfter(attempted, { retry: claimed.retry, isTest: claimed.is_test });
  await parts.recorder.record({ claimed, attempted, next, at });
  if (attempted.outcome === 'delivered' && claimed.auto_replay) parts.onAnswered(claimed.webhook_id);
  return next.state === 'retry' ? new Date(at.getTime() + next.delayMs) : null;
}

/** What an attempt says of how much its target can take; nothing when the target was not to blame. */
function verdictOf({ outcome, latencyMs }: Attempted): Verdict {
  if (outcome === 'delivered') return latencyMs <= SLOW_MS ? 'accepted' : 'neutral';
  return outcome === 'interrupted' || outcome === 'not_allowed' ? 'neutral' : 'failed';
}

function scanRepeatedly(clock: Clock, scan: () => Promise<void>, onError: (error: unknown) => void): Running {
  let callOff: () => void = () => undefined;
  let closed = false;
  let scanned: Promise<void> = Promise.resolve();
  const begin = () => {
    scanned = scanOnce();
  };
  const scanOnce = async () => {
    await scan().catch(onError);
    if (!closed) callOff = clock.after(SCAN_EVERY_MS, begin);
  };
  begin();
  return {
    async close() {
      closed = true;
      callOff();
      await scanned;
    },
  };
}
