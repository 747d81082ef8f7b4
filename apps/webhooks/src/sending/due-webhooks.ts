import type { Clock } from '../clock.ts';
import type { ClaimRequest } from './claim-due.ts';
import type { DueWebhooks } from './claim-loop.ts';

/** The webhooks of a lane in which nothing but free slots is waited for. */
interface UnpacedWebhooks extends DueWebhooks {
  begin(): void;
  end(): void;
  inFlight(): number;
  close(): void;
}

/** Webhooks of one claim, and deliveries of one of them. */
const CLAIM_WEBHOOKS_MAX = 200;
const CLAIM_SLOTS_MAX = 64;

export function createUnpacedWebhooks(options: {
  clock: Clock;
  inFlightMax: number;
  /** Called when a webhook has something due. */
  onReady: () => void;
}): UnpacedWebhooks {
  const { clock, inFlightMax, onReady } = options;
  const ready = new Set<string>();
  const wakes = new Map<string, { atMs: number; cancel: () => void }>();
  let inFlight = 0;

  const hint: DueWebhooks['hint'] = (webhookId, dueAt) => {
    const nowMs = clock.now().getTime();
    const atMs = dueAt?.getTime() ?? nowMs;
    if (atMs <= nowMs) {
      ready.add(webhookId);
      onReady();
      return;
    }
    const wake = wakes.get(webhookId);
    if (wake !== undefined && wake.atMs <= atMs) return;
    wake?.cancel();
    const cancel = clock.after(atMs - nowMs, () => {
      wakes.delete(webhookId);
      // A timer may fire a moment early.
      hint(webhookId, dueAt);
    });
    wakes.set(webhookId, { atMs, cancel });
  };
  return {
    hint,
    takeClaimRequest(): ClaimRequest {
      const capacity = inFlightMax - inFlight;
      const taken = capacity > 0 ? [...ready].slice(0, CLAIM_WEBHOOKS_MAX) : [];
      for (const webhookId of taken) ready.delete(webhookId);
      const slots = { slots: Math.min(capacity, CLAIM_SLOTS_MAX), isSlow: false, accepts: null };
      return {
        webhooks: new Map(taken.map((webhookId) => [webhookId, slots])),
        capacity,
        slowCapacity: capacity,
      };
    },
    applyClaimOutcome({ claimed, slotsByWebhook, waitMsByWebhook, withoutCapacity }) {
      const counts = Map.groupBy(claimed, ({ webhook_id }) => webhook_id);
      for (const webhookId of withoutCapacity) ready.add(webhookId);
      // All slots were used, so there may be more.
      for (const [webhookId, slots] of slotsByWebhook)
        if (counts.get(webhookId)?.length === slots) ready.add(webhookId);
      for (const [webhookId, waitMs] of waitMsByWebhook) {
        ready.delete(webhookId);
        hint(webhookId, new Date(clock.now().getTime() + waitMs));
      }
    },
    begin() {
      inFlight += 1;
    },
    end() {
      inFlight -= 1;
    },
    inFlight: () => inFlight,
    close: () => wakes.forEach(({ cancel }) => cancel()),
  };
}
