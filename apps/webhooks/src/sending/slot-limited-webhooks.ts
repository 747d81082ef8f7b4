import type { Clock } from '../clock.ts';
import type { ClaimRequest } from './claim-due.ts';
import type { DueWebhooks } from './claim-loop.ts';
import { addCount } from './counts.ts';

/** The webhooks of a lane in which nothing but free slots is waited for. */
export interface SlotLimitedWebhooks extends DueWebhooks {
  begin(tenantId: string): void;
  end(tenantId: string): void;
  /** Reserves a slot for an attempt that will be due at the time and is expected to take long. */
  reserve(tenantId: string, dueAt: Date): void;
  /** Slots in flight and reserved, of each tenant. */
  loads: ReadonlyMap<string, number>;
  close(): void;
}

/** Webhooks of one claim, and deliveries of one of them. */
const CLAIM_WEBHOOKS_MAX = 200;
const CLAIM_SLOTS_MAX = 64;

export function createSlotLimitedWebhooks(options: {
  clock: Clock;
  inFlightMax: number;
  /** Called when a webhook has something due. */
  onReady: () => void;
}): SlotLimitedWebhooks {
  const { clock, inFlightMax, onReady } = options;
  const ready = new Set<string>();
  const wakes = createWakes(clock, (webhookId, dueAt) => hint(webhookId, dueAt));
  let inFlight = 0;
  let closed = false;
  const reservations = new Set<() => void>();
  const loads = new Map<string, number>();

  const hint: DueWebhooks['hint'] = (webhookId, dueAt) => {
    if (closed) return;
    const nowMs = clock.now().getTime();
    const atMs = dueAt?.getTime() ?? nowMs;
    if (atMs <= nowMs) {
      ready.add(webhookId);
      onReady();
      return;
    }
    wakes.set(webhookId, new Date(atMs));
  };
  return {
    hint,
    takeClaimRequest(): ClaimRequest {
      const capacity = inFlightMax - inFlight;
      const taken = capacity > 0 ? [...ready].slice(0, CLAIM_WEBHOOKS_MAX) : [];
      for (const webhookId of taken) ready.delete(webhookId);
      return requestOf(taken, capacity);
    },
    applyClaimOutcome({ takenByWebhook, slotsByWebhook, waitMsByWebhook, withoutCapacity }) {
      for (const webhookId of withoutCapacity) ready.add(webhookId);
      // All slots were used, so there may be more.
      for (const [webhookId, slots] of slotsByWebhook)
        if (takenByWebhook.get(webhookId) === slots) ready.add(webhookId);
      for (const [webhookId, waitMs] of waitMsByWebhook) {
        ready.delete(webhookId);
        hint(webhookId, new Date(clock.now().getTime() + waitMs));
      }
    },
    begin(tenantId) {
      inFlight += 1;
      addCount(loads, tenantId, 1);
    },
    end(tenantId) {
      inFlight -= 1;
      addCount(loads, tenantId, -1);
    },
    reserve(tenantId, dueAt) {
      if (closed) return;
      addCount(loads, tenantId, 1);
      const cancel = clock.after(dueAt.getTime() - clock.now().getTime(), () => {
        reservations.delete(cancel);
        addCount(loads, tenantId, -1);
      });
      reservations.add(cancel);
    },
    loads,
    close() {
      closed = true;
      wakes.close();
      for (const cancel of reservations) cancel();
    },
  };
}

function requestOf(webhookIds: readonly string[], capacity: number): ClaimRequest {
  const slots = { slots: Math.min(capacity, CLAIM_SLOTS_MAX), isSlow: false, accepts: null };
  const webhooks = new Map(webhookIds.map((webhookId) => [webhookId, () => slots]));
  return { webhooks, capacity, slowCapacity: capacity, slowCapacityOf: () => capacity };
}

/** A timer for each time at which something is due for a webhook: several of its retries may wait at once. */
function createWakes(clock: Clock, onWake: (webhookId: string, dueAt: Date) => void) {
  const timers = new Map<string, () => void>();
  return {
    set(webhookId: string, dueAt: Date) {
      const key = `${webhookId} ${dueAt.getTime()}`;
      if (timers.has(key)) return;
      const cancel = clock.after(dueAt.getTime() - clock.now().getTime(), () => {
        timers.delete(key);
        // A timer may fire a moment early, and is then set again.
        onWake(webhookId, dueAt);
      });
      timers.set(key, cancel);
    },
    close: () => timers.forEach((cancel) => cancel()),
  };
}
