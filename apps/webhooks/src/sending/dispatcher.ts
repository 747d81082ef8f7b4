import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@cairn/postgres';
import type { Logger, Running } from '@cairn/service-kit';
import type { Clock } from '../clock.ts';
import { attemptDelivery, type AttemptParts } from './attempt.ts';
import { type Claimed, claimDue, scanQueue } from './claim.ts';
import { createEndpoints } from './endpoints.ts';
import type { Recorder } from './recorder.ts';
import { nextAfter } from './schedule.ts';

export interface DispatcherParts extends AttemptParts {
  database: Database;
  recorder: Recorder;
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
const CLAIM_RETRY_MS = 250;
/** Longer than one request. */
const DRAIN_TIMEOUT_MS = 6_500;

/**
 * Sends what is due. Each webhook has a window of its own, and those that fail or are slow share half of all places, so
 * that no endpoint, nor many of them, holds up the others. What is due is known from hints; the queue in the database is read
 * besides, so that a hint may be lost.
 */
export function startDispatcher(parts: DispatcherParts): Dispatcher {
  const { clock, database, logger } = parts;
  const running = new Set<Promise<void>>();
  let claiming: Promise<void> | null = null;
  let closed = false;

  const claim = async (rooms: ReadonlyMap<string, number>) => {
    try {
      const claimed = await claimDue(database, rooms, clock.now());
      const counts = new Map<string, number>();
      for (const one of claimed) {
        counts.set(one.webhook_id, (counts.get(one.webhook_id) ?? 0) + 1);
        start(one);
      }
      endpoints.wereClaimed(rooms, counts);
    } catch (error) {
      logger.warn({ err: error }, 'deliveries wait');
      const again = new Date(clock.now().getTime() + CLAIM_RETRY_MS);
      for (const webhookId of rooms.keys()) endpoints.hint(webhookId, again);
    }
    claiming = null;
    pump();
  };
  const pump = () => {
    if (closed || claiming !== null) return;
    const rooms = endpoints.takeRooms();
    if (rooms.size > 0) claiming = claim(rooms);
  };
  const endpoints = createEndpoints({ ...parts, onReady: pump });
  const hint = (webhookId: string, dueAt?: Date) => {
    if (!closed) endpoints.hint(webhookId, dueAt);
  };
  const start = (claimed: Claimed) => {
    const flight = endpoints.begin(claimed.webhook_id);
    const work = deliver(parts, claimed, (attempt) => endpoints.adapt(claimed.webhook_id, attempt))
      .then((dueAt) => (dueAt === null ? undefined : hint(claimed.webhook_id, dueAt)))
      .finally(() => {
        running.delete(work);
        endpoints.end(flight);
        pump();
      });
    running.add(work);
  };

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
      await claiming;
      // What cannot be recorded in time is taken up by whoever sweeps the claims.
      await Promise.race([Promise.all(running), sleep(DRAIN_TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
}

/** Makes one attempt and has it recorded; gives when it is due again, if it is. */
async function deliver(
  parts: DispatcherParts,
  claimed: Claimed,
  onEnd: (attempt: { delivered: boolean; latencyMs: number }) => void,
): Promise<Date | null> {
  const attempted = await attemptDelivery(parts, claimed);
  const delivered = attempted.outcome === 'delivered';
  onEnd({ delivered, latencyMs: attempted.latencyMs });
  const at = parts.clock.now();
  const next = nextAfter(attempted, { retry: claimed.retry, isTest: claimed.is_test });
  await parts.recorder.record({ claimed, attempted, next, at });
  if (delivered && claimed.auto_replay) parts.onAnswered(claimed.webhook_id);
  return next.state === 'retry' ? new Date(at.getTime() + next.delayMs) : null;
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
