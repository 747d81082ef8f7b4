import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@cairn/postgres';
import { closeInReverse, type Logger, type Running } from '@cairn/service-kit';
import type { Budgets } from '../budgets/budgets.ts';
import type { BudgetLimits } from '../budgets/limits.ts';
import type { Lane } from './claim-due.ts';
import { type ClaimLoop, createClaimLoop } from './claim-loop.ts';
import type { DeliveryQueue, LaneName } from './delivery-queue.ts';
import { createEndpoints } from './endpoints.ts';
import { firstLane, retryLane, testLane } from './lanes.ts';
import { createStarter, type StarterDeps } from './start-attempts.ts';
import type { TargetAddresses } from './target-addresses.ts';
import { createSlotLimitedWebhooks } from './slot-limited-webhooks.ts';

interface DispatcherDeps extends StarterDeps {
  database: Database;
  queue: DeliveryQueue;
  budgets: Budgets;
  addresses: TargetAddresses;
  limits: BudgetLimits;
  logger: Logger;
  /** First attempts in flight to one webhook. */
  concurrencyMax: number;
  /** First attempts in flight to all webhooks; as many retries may be in flight beside them. */
  inFlightMax: number;
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
  let closed = false;

  const retries = createSlotLimitedWebhooks({ clock, inFlightMax, onReady: () => loops.retries.pump() });
  const tests = createSlotLimitedWebhooks({
    clock,
    inFlightMax: TESTS_IN_FLIGHT_MAX,
    onReady: () => loops.tests.pump(),
  });
  const first = createEndpoints({
    ...deps,
    retryLoads: retries.loads,
    onReady: () => loops.first.pump(),
  });
  const lanes = { first, retries, tests };
  const hint = (lane: LaneName, webhookId: string, dueAt?: Date) => {
    if (!closed) lanes[lane].hint(webhookId, dueAt);
  };
  const laneOf: Record<LaneName, Lane> = {
    first: firstLane(deps),
    retries: retryLane(deps),
    tests: testLane(deps.budgets),
  };
  const starter = createStarter(deps, lanes, {
    hint,
    pump: (lane) => loops[lane].pump(),
    end: (lane, charged, accepted) => laneOf[lane].end(charged, accepted),
  });
  const loopOf = (lane: Lane) =>
    createClaimLoop({
      ...deps,
      lane,
      webhooks: lanes[lane.name],
      start: starter.start[lane.name],
      now: () => clock.now(),
      onRestarted: (webhookId) => hint('first', webhookId),
    });
  const loops: Record<LaneName, ClaimLoop> = {
    first: loopOf(laneOf.first),
    retries: loopOf(laneOf.retries),
    tests: loopOf(laneOf.tests),
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
      await Promise.race([starter.idle(), sleep(DRAIN_TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
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
        logger.warn({ err: error }, 'webhook dispatcher: scanning the queue failed; retrying at the next scan');
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
