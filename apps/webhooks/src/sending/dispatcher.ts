import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@cairn/postgres';
import type { Logger, Running } from '@cairn/service-kit';
import type { Clock } from '../clock.ts';
import { attemptDelivery, type AttemptParts } from './attempt.ts';
import { type Claimed, claimDue, scanQueue } from './claim.ts';
import { adapt, type Endpoint, isForgettable, newEndpoint, roomOf } from './endpoint.ts';
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

/** Webhooks that one claim asks for. */
const CLAIM_WEBHOOKS_MAX = 200;
/** How often the queue is read for what no hint told of: left by another replica, or from before the start. */
const SCAN_EVERY_MS = 1_000;
const CLAIM_RETRY_MS = 250;
/** Longer than one request. */
const DRAIN_TIMEOUT_MS = 6_500;

/**
 * Sends what is due. Each webhook has a window of its own, and those that fail share half of all places, so that no
 * endpoint, nor many of them, holds up the others. What is due is known from hints; the queue in the database is read
 * besides, so that a hint may be lost.
 */
export function startDispatcher(parts: DispatcherParts): Dispatcher {
  const { clock, database, recorder, logger, concurrencyMax, inFlightMax } = parts;
  const endpoints = new Map<string, Endpoint>();
  /** Webhooks with backlog and room, in the order in which they will be asked. */
  const ready = new Set<string>();
  const running = new Set<Promise<void>>();
  let inFlight = 0;
  let failingInFlight = 0;
  let claiming: Promise<void> | null = null;
  let closed = false;

  const endpointOf = (webhookId: string): Endpoint => {
    let endpoint = endpoints.get(webhookId);
    if (endpoint === undefined) endpoints.set(webhookId, (endpoint = newEndpoint(clock.now().getTime())));
    return endpoint;
  };

  const makeReady = (webhookId: string, endpoint: Endpoint) => {
    if (endpoint.backlog && roomOf(endpoint) > 0) ready.add(webhookId);
  };

  const hint = (webhookId: string, dueAt?: Date) => {
    if (closed) return;
    const endpoint = endpointOf(webhookId);
    const waitMs = dueAt === undefined ? 0 : dueAt.getTime() - clock.now().getTime();
    if (waitMs > 0) return wakeAt(webhookId, endpoint, dueAt!.getTime(), waitMs);
    endpoint.backlog = true;
    makeReady(webhookId, endpoint);
    pump();
  };

  const wakeAt = (webhookId: string, endpoint: Endpoint, atMs: number, waitMs: number) => {
    if (endpoint.calledOff !== null && endpoint.wakesAtMs <= atMs) return;
    endpoint.calledOff?.();
    endpoint.wakesAtMs = atMs;
    endpoint.calledOff = clock.after(waitMs, () => {
      endpoint.calledOff = null;
      endpoint.wakesAtMs = Infinity;
      hint(webhookId);
    });
  };

  /** Who is asked now, and for how many; those that fail share half of the places. */
  const chooseRooms = (): Map<string, number> => {
    const rooms = new Map<string, number>();
    let places = inFlightMax - inFlight;
    let failingPlaces = Math.min(places, Math.floor(inFlightMax / 2) - failingInFlight);
    for (const webhookId of ready) {
      if (places <= 0 || rooms.size >= CLAIM_WEBHOOKS_MAX) break;
      const endpoint = endpointOf(webhookId);
      const room = Math.min(roomOf(endpoint), places, endpoint.failing ? failingPlaces : places);
      if (room <= 0) continue;
      rooms.set(webhookId, room);
      places -= room;
      if (endpoint.failing) failingPlaces -= room;
    }
    return rooms;
  };

  const claimOnce = async (rooms: Map<string, number>) => {
    for (const webhookId of rooms.keys()) {
      ready.delete(webhookId);
      // A hint that comes while we ask says that there is more.
      endpointOf(webhookId).backlog = false;
    }
    const claimed = await claimDue(database, rooms, clock.now());
    const counts = new Map<string, number>();
    for (const one of claimed) {
      counts.set(one.webhook_id, (counts.get(one.webhook_id) ?? 0) + 1);
      start(one);
    }
    for (const [webhookId, room] of rooms) {
      const endpoint = endpointOf(webhookId);
      if (counts.get(webhookId) === room) endpoint.backlog = true;
      makeReady(webhookId, endpoint);
    }
  };

  const pump = () => {
    if (closed || claiming !== null || ready.size === 0) return;
    const rooms = chooseRooms();
    if (rooms.size === 0) return;
    claiming = claimOnce(rooms)
      .catch((error: unknown) => {
        logger.warn({ err: error }, 'deliveries wait');
        for (const webhookId of rooms.keys()) clock.after(CLAIM_RETRY_MS, () => hint(webhookId));
      })
      .finally(() => {
        claiming = null;
        pump();
      });
  };

  const start = (claimed: Claimed) => {
    const endpoint = endpointOf(claimed.webhook_id);
    const countedAsFailing = endpoint.failing;
    inFlight += 1;
    endpoint.inFlight += 1;
    endpoint.usedAtMs = clock.now().getTime();
    if (countedAsFailing) failingInFlight += 1;
    const work = deliver(claimed, endpoint).finally(() => {
      running.delete(work);
      inFlight -= 1;
      endpoint.inFlight -= 1;
      if (countedAsFailing) failingInFlight -= 1;
      makeReady(claimed.webhook_id, endpoint);
      pump();
    });
    running.add(work);
  };

  const deliver = async (claimed: Claimed, endpoint: Endpoint) => {
    const attempted = await attemptDelivery(parts, claimed);
    const delivered = attempted.outcome === 'delivered';
    adapt(endpoint, delivered, concurrencyMax);
    const at = clock.now();
    const next = nextAfter(attempted, { retry: claimed.retry, isTest: claimed.is_test });
    await recorder.record({ claimed, attempted, next, at });
    if (next.state === 'retry') hint(claimed.webhook_id, new Date(at.getTime() + next.delayMs));
    if (delivered && claimed.auto_replay) parts.onAnswered(claimed.webhook_id);
  };

  const scan = async () => {
    const nowMs = clock.now().getTime();
    for (const [webhookId, endpoint] of endpoints) if (isForgettable(endpoint, nowMs)) endpoints.delete(webhookId);
    for (const { webhook_id, due_at } of await scanQueue(database)) hint(webhook_id, due_at);
  };
  const scanning = scanRepeatedly(clock, scan, (error) => logger.warn({ err: error }, 'the queue cannot be read'));

  return {
    hint,
    async close() {
      closed = true;
      for (const endpoint of endpoints.values()) endpoint.calledOff?.();
      await scanning.close();
      await claiming;
      // What cannot be recorded in time is taken up by whoever sweeps the claims.
      await Promise.race([Promise.all(running), sleep(DRAIN_TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
}

function scanRepeatedly(clock: Clock, scan: () => Promise<void>, onError: (error: unknown) => void): Running {
  let callOff: () => void = () => undefined;
  let closed = false;
  let scanned: Promise<void> = Promise.resolve();
  const begin = () => {
    scanned = scan()
      .catch(onError)
      .then(() => {
        if (!closed) callOff = clock.after(SCAN_EVERY_MS, begin);
      });
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
