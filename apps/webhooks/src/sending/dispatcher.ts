import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@cairn/postgres';
import type { Logger, Running } from '@cairn/service-kit';
import type { Clock } from '../clock.ts';
import { attemptDelivery, type AttemptResult, type AttemptDeps } from './attempt.ts';
import type { BudgetKey } from '../budgets/budget-keys.ts';
import type { Budgets, Feedback } from '../budgets/budgets.ts';
import type { BudgetLimits } from '../budgets/limits.ts';
import type { Claimed } from './claim-due.ts';
import { createClaimLoop } from './claim-loop.ts';
import { SLOW_MS } from './endpoint.ts';
import { createEndpoints } from './endpoints.ts';
import { countEnded, observeAttempt } from './observe-attempt.ts';
import type { Recorder } from './recorder.ts';
import { scanQueue } from './scan-queue.ts';
import { nextAfter } from './schedule.ts';
import type { TargetAddresses } from './target-addresses.ts';

interface DispatcherDeps extends AttemptDeps {
  database: Database;
  recorder: Recorder;
  budgets: Budgets;
  addresses: TargetAddresses;
  limits: BudgetLimits;
  clock: Clock;
  logger: Logger;
  /** Requests in flight to one webhook. */
  concurrencyMax: number;
  /** Requests in flight to all webhooks. */
  inFlightMax: number;
  /** Called for webhooks that have accepted a delivery and want their dead letters replayed. */
  onDelivered: (webhookId: string) => void;
}

export interface Dispatcher extends Running {
  /** Something is, or will be, due for the webhook. */
  hint(webhookId: string, dueAt?: Date): void;
}

/** How often the queue is scanned for what no hint announced: left by another replica, or from before the start. */
const SCAN_EVERY_MS = 1_000;
/** Longer than one request. */
const DRAIN_TIMEOUT_MS = 6_500;
/** An endpoint that keeps failing gets a tenth of the rate of a new host. */
const FAILING_INTERVAL_PER_START_MS = 10_000;
/** The first pause of the schedule of retries. */
const FAILING_INTERVAL_MAX_MS = 1_000;

/**
 * Sends what is due, as fast as the budgets allow. Each webhook has a window of its own, and those that fail or are slow
 * share half of all capacity, so that no endpoint, nor many of them, delays the others. Hints say what is due; the
 * queue in the database is scanned as well, so that a hint may be lost.
 */
export function startDispatcher(deps: DispatcherDeps): Dispatcher {
  const { clock, database, logger } = deps;
  const running = new Set<Promise<void>>();
  let closed = false;

  const endpoints = createEndpoints({
    ...deps,
    failingIntervalMs: Math.min(
      FAILING_INTERVAL_MAX_MS,
      Math.floor(FAILING_INTERVAL_PER_START_MS / deps.limits.hostStartPerSecond),
    ),
    onReady: () => claims.pump(),
  });
  const hint = (webhookId: string, dueAt?: Date) => {
    if (!closed) endpoints.hint(webhookId, dueAt);
  };
  const start = (claimed: Claimed, charged: readonly BudgetKey[]) => {
    const flight = endpoints.begin(claimed.webhook_id);
    let feedback: Feedback = 'neutral';
    const work = deliver(deps, claimed, (result) => {
      const delivered = result.outcome === 'delivered';
      endpoints.adapt(claimed.webhook_id, { delivered, latencyMs: result.latencyMs });
      feedback = feedbackOf(result);
    })
      .then((dueAt) => (dueAt === null ? undefined : hint(claimed.webhook_id, dueAt)))
      .finally(() => {
        running.delete(work);
        endpoints.end(flight);
        deps.budgets.end(charged, feedback);
        claims.pump();
      });
    running.add(work);
  };

  const claims = createClaimLoop({ ...deps, endpoints, hint, start, now: () => clock.now() });

  let scannedThrough = '';
  const scan = async () => {
    endpoints.tidy();
    const { due, lastWebhookId } = await scanQueue(database, scannedThrough);
    scannedThrough = lastWebhookId;
    for (const { webhook_id, due_at } of due) hint(webhook_id, due_at);
  };
  const scanning = scanRepeatedly(clock, scan, (error) =>
    logger.warn({ err: error }, 'webhook dispatcher: scanning the queue failed; trying again at the next scan'),
  );

  return {
    hint,
    async close() {
      closed = true;
      endpoints.close();
      await scanning.close();
      await claims.close();
      // What cannot be recorded in time is reclaimed when its claim expires.
      await Promise.race([Promise.all(running), sleep(DRAIN_TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
}

/** Makes one attempt and records it; returns when it is due again, if it is. */
async function deliver(
  deps: DispatcherDeps,
  claimed: Claimed,
  onEnd: (result: AttemptResult) => void,
): Promise<Date | null> {
  const result = await observeAttempt(claimed, () => attemptDelivery(deps, claimed));
  onEnd(result);
  const at = deps.clock.now();
  const next = nextAfter(result, { retry: claimed.retry, isTest: claimed.is_test });
  await deps.recorder.record({ claimed, result, next, at });
  countEnded(next.state);
  if (result.outcome === 'delivered' && claimed.auto_replay) deps.onDelivered(claimed.webhook_id);
  return next.state === 'retry' ? new Date(at.getTime() + next.delayMs) : null;
}

/** What an attempt tells of its target's capacity; nothing when the target was not to blame. */
function feedbackOf({ outcome, latencyMs }: AttemptResult): Feedback {
  if (outcome === 'delivered') return latencyMs <= SLOW_MS ? 'accepted' : 'neutral';
  return outcome === 'interrupted' || outcome === 'not_allowed' ? 'neutral' : 'failed';
}

/** Not a loop of the background library: this one runs on the clock that specs set. */
function scanRepeatedly(clock: Clock, scan: () => Promise<void>, onError: (error: unknown) => void): Running {
  let cancel: () => void = () => undefined;
  let closed = false;
  let scanned: Promise<void> = Promise.resolve();
  const run = () => {
    scanned = scanOnce();
  };
  const scanOnce = async () => {
    await scan().catch(onError);
    if (!closed) cancel = clock.after(SCAN_EVERY_MS, run);
  };
  run();
  return {
    async close() {
      closed = true;
      cancel();
      await scanned;
    },
  };
}
