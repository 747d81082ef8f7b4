import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@cairn/postgres';
import { closeInReverse, type Logger, type Running } from '@cairn/service-kit';
import type { BudgetKey } from '../budgets/budget-keys.ts';
import type { Budgets } from '../budgets/budgets.ts';
import type { BudgetLimits } from '../budgets/limits.ts';
import type { Clock } from '../clock.ts';
import type { AttemptResult } from './attempt.ts';
import type { Lane } from './claim-due.ts';
import { type ClaimLoop, createClaimLoop, type DueWebhooks } from './claim-loop.ts';
import type { Claimed, DeliveryQueue, LaneName } from './delivery-queue.ts';
import { createUnpacedWebhooks } from './due-webhooks.ts';
import { SLOW_MS } from './endpoint.ts';
import { createEndpoints } from './endpoints.ts';
import { firstLane, retryLane, testLane } from './lanes.ts';
import { countEnded, observeAttempt } from './observe-attempt.ts';
import type { Recorder } from './recorder.ts';
import { nextAfter } from './schedule.ts';
import type { TargetAddresses } from './target-addresses.ts';

export interface DispatcherDeps {
  database: Database;
  queue: DeliveryQueue;
  recorder: Recorder;
  budgets: Budgets;
  addresses: TargetAddresses;
  limits: BudgetLimits;
  clock: Clock;
  logger: Logger;
  attempt: (claimed: Claimed) => Promise<AttemptResult>;
  /** First attempts in flight to one webhook. */
  concurrencyMax: number;
  /** First attempts in flight to all webhooks; as many retries may be in flight beside them. */
  inFlightMax: number;
  /** Called for webhooks that have accepted a delivery and want their dead letters replayed. */
  onDelivered: (webhookId: string) => void;
}

export interface Dispatcher extends Running {
  /** Something is due for the webhook: a first attempt, or whatever is queued for it. */
  hint(webhookId: string, what?: 'first' | 'anything'): void;
}

/** How often the queue is scanned for what no hint announced: left by another replica, or from before the start. */
const SCAN_EVERY_MS = 1_000;
/** Longer than one request. */
const DRAIN_TIMEOUT_MS = 6_500;
/** Calls of the test operation that are in flight at one replica. */
const TESTS_IN_FLIGHT_MAX = 64;

/**
 * Sends what is due, in three lanes. First attempts go as fast as the budgets allow; each webhook has a window of its
 * own, and slow ones share half of all capacity. Retries have slots that first attempts cannot use up and wait for no
 * budget, so that they keep to their schedule whatever else goes to the host; so have tests. Hints say what is due; the
 * queue in the database is scanned as well, so that a hint may be lost.
 */
export function startDispatcher(deps: DispatcherDeps): Dispatcher {
  const { clock, inFlightMax } = deps;
  const running = new Set<Promise<void>>();
  let closed = false;

  const retries = createUnpacedWebhooks({ clock, inFlightMax, onReady: () => loops.retries.pump() });
  const tests = createUnpacedWebhooks({
    clock,
    inFlightMax: TESTS_IN_FLIGHT_MAX,
    onReady: () => loops.tests.pump(),
  });
  const first = createEndpoints({
    ...deps,
    areRetriesMany: () => retries.inFlight() > inFlightMax / 2,
    onReady: () => loops.first.pump(),
  });
  const lanes: Record<LaneName, DueWebhooks> = { first, retries, tests };
  const hint = (lane: LaneName, webhookId: string, dueAt?: Date) => {
    if (!closed) lanes[lane].hint(webhookId, dueAt);
  };
  const run = (claimed: Claimed, onResult: (result: AttemptResult) => void, onEnd: () => void) => {
    const work = deliver(deps, claimed, (result) => {
      const { outcome, latencyMs } = result;
      const isFirst = claimed.retry === 0 && !claimed.is_test;
      first.adapt(claimed.webhook_id, { delivered: outcome === 'delivered', latencyMs, isFirst });
      onResult(result);
    })
      .then((retry) => {
        if (retry !== null) hint(retry.lane, claimed.webhook_id, retry.dueAt);
      })
      .finally(() => {
        running.delete(work);
        onEnd();
        loops.first.pump();
      });
    running.add(work);
  };
  const startFirst = (claimed: Claimed, charged: readonly BudgetKey[]) => {
    const flight = first.begin(claimed.webhook_id);
    let accepted = false;
    const onResult = (result: AttemptResult) => {
      accepted = result.outcome === 'delivered' && result.latencyMs <= SLOW_MS;
    };
    run(claimed, onResult, () => {
      first.end(flight);
      deps.budgets.end(charged, accepted);
    });
  };
  const startUnpaced = (lane: 'retries' | 'tests') => {
    const webhooks = { retries, tests }[lane];
    return (claimed: Claimed, charged: readonly BudgetKey[]) => {
      webhooks.begin();
      const onEnd = () => {
        webhooks.end();
        deps.budgets.end(charged, false);
        loops[lane].pump();
      };
      run(claimed, () => undefined, onEnd);
    };
  };
  const loopOf = (lane: Lane, start: (claimed: Claimed, charged: readonly BudgetKey[]) => void) =>
    createClaimLoop({ ...deps, lane, webhooks: lanes[lane.name], start, now: () => clock.now() });
  const loops: Record<LaneName, ClaimLoop> = {
    first: loopOf(firstLane(deps), startFirst),
    retries: loopOf(retryLane(deps.database), startUnpaced('retries')),
    tests: loopOf(testLane(deps.budgets), startUnpaced('tests')),
  };
  const scanning = scanLanes(deps, hint, () => first.tidy());

  return {
    hint(webhookId, what = 'first') {
      for (const lane of what === 'first' ? (['first'] as const) : (['first', 'retries', 'tests'] as const))
        hint(lane, webhookId);
    },
    async close() {
      closed = true;
      for (const webhooks of [first, retries, tests]) webhooks.close();
      await closeInReverse([loops.first, loops.retries, loops.tests, scanning]).close();
      // What cannot be recorded in time is reclaimed when its claim expires.
      await Promise.race([Promise.all(running), sleep(DRAIN_TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
}

/** Makes one attempt and records it; returns when and in which lane it is due again, if it is. */
async function deliver(
  deps: DispatcherDeps,
  claimed: Claimed,
  onEnd: (result: AttemptResult) => void,
): Promise<{ lane: LaneName; dueAt: Date } | null> {
  const result = await observeAttempt(claimed, () => deps.attempt(claimed));
  onEnd(result);
  const at = deps.clock.now();
  const next = nextAfter(result, { retry: claimed.retry, isTest: claimed.is_test });
  await deps.recorder.record({ claimed, result, next, at });
  countEnded(next.state);
  if (result.outcome === 'delivered' && claimed.auto_replay) deps.onDelivered(claimed.webhook_id);
  if (next.state !== 'retry') return null;
  // An attempt that was interrupted costs no retry, so that a first one stays a first one.
  const lane = claimed.retry === 0 && result.outcome === 'interrupted' ? 'first' : 'retries';
  return { lane, dueAt: new Date(at.getTime() + next.delayMs) };
}

/** Scans the queue of each lane again and again. Not a loop of the background library: this one runs on the clock that specs set. */
function scanLanes(
  { clock, queue, logger }: DispatcherDeps,
  hint: (lane: LaneName, webhookId: string, dueAt: Date) => void,
  tidy: () => void,
): Running {
  const scannedThrough: Record<LaneName, string> = { tests: '', retries: '', first: '' };
  let cancel: () => void = () => undefined;
  let closed = false;
  let scanned: Promise<void> = Promise.resolve();
  const run = () => {
    scanned = scanOnce();
  };
  const scanOnce = async () => {
    tidy();
    for (const lane of ['tests', 'retries', 'first'] as const) {
      try {
        const { due, lastWebhookId } = await queue.scan(lane, scannedThrough[lane]);
        scannedThrough[lane] = lastWebhookId;
        for (const { webhook_id, due_at } of due) hint(lane, webhook_id, due_at);
      } catch (error) {
        logger.warn({ err: error }, 'webhook dispatcher: scanning the queue failed; trying again at the next scan');
      }
    }
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
