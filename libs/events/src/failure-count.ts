import type { DeliveryInfo, JsMsg } from 'nats';

type Failed = Pick<JsMsg, 'seq'> & { info: Pick<DeliveryInfo, 'deliveryCount'> };

/** How often the events of one consumer failed in this process. */
export interface FailureCount {
  /** Counts one more failure; true when the event has failed often enough to be given up. */
  add(message: Failed, isBlameless: boolean): boolean;
  /** The event was handled or given up. */
  forget(message: Pick<JsMsg, 'seq'>): void;
}

const FAILURES_MAX = 8;
/** More than any consumer may have unacknowledged; for an event that is dropped counting begins again. */
const EVENTS_MAX = 10_000;

/**
 * An event is given up after its eighth failure, not counting those that it is not to blame for.
 *
 * The broker counts deliveries over all replicas, and cannot tell which of them were blameless. Its count decides as
 * long as this process knows of no blameless one and the count is not above the bound: an event that always fails by
 * itself is given up at its eighth delivery, at whichever replica. A count above the bound shows that some delivery
 * before was blameless, at another replica or before a restart. Then each replica counts for itself.
 */
export function createFailureCount(): FailureCount {
  const byEvent = new Map<number, { own: number; blameless: number }>();
  return {
    add({ seq, info: { deliveryCount } }, isBlameless) {
      // A first delivery has no failures: those under its number were another event's, in a stream that was lost since.
      const known = deliveryCount > 1 ? byEvent.get(seq) : undefined;
      const own = (known?.own ?? 0) + (isBlameless ? 0 : 1);
      const blameless = (known?.blameless ?? 0) + (isBlameless ? 1 : 0);
      byEvent.delete(seq);
      byEvent.set(seq, { own, blameless });
      // Another replica may have handled the oldest ones.
      for (const oldest of byEvent.keys()) {
        if (byEvent.size <= EVENTS_MAX) break;
        byEvent.delete(oldest);
      }
      if (isBlameless) return false;
      return own >= FAILURES_MAX || (blameless === 0 && deliveryCount === FAILURES_MAX);
    },
    forget: ({ seq }) => void byEvent.delete(seq),
  };
}
