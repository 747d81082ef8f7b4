import type { BudgetKey } from '../budgets/budget-keys.ts';
import type { Clock } from '../clock.ts';
import type { AttemptResult } from './attempt.ts';
import type { ClaimedDelivery, LaneName } from './delivery-queue.ts';
import { SLOW_MS } from './endpoint.ts';
import type { Endpoints } from './endpoints.ts';
import { countEnded, observeAttempt } from './observe-attempt.ts';
import type { Recorder } from './recorder.ts';
import { nextAfter } from './schedule.ts';
import type { SlotLimitedWebhooks } from './slot-limited-webhooks.ts';

export interface StarterDeps {
  recorder: Recorder;
  clock: Clock;
  attempt: (claimed: ClaimedDelivery) => Promise<AttemptResult>;
  /** Called for webhooks that have accepted a delivery and want their dead letters replayed. */
  onDelivered: (webhookId: string) => void;
}

type Start = (claimed: ClaimedDelivery, charged: readonly BudgetKey[]) => void;

interface Starter {
  /** Starts an attempt that was claimed in the lane. */
  start: Readonly<Record<LaneName, Start>>;
  /** Resolves when no attempt is under way. */
  idle(): Promise<unknown>;
}

/** Counts attempts in their lane while they are under way, and hints what is due afterwards. */
export function createStarter(
  deps: StarterDeps,
  { first, retries, tests }: { first: Endpoints; retries: SlotLimitedWebhooks; tests: SlotLimitedWebhooks },
  after: {
    hint: (lane: LaneName, webhookId: string, dueAt: Date) => void;
    pump: (lane: LaneName) => void;
    end: (lane: LaneName, charged: readonly BudgetKey[], accepted: boolean) => void;
  },
): Starter {
  const running = new Set<Promise<void>>();
  const attempt = async (claimed: ClaimedDelivery, onResult: (result: AttemptResult) => void) => {
    const retry = await deliver(deps, claimed, (result) => {
      const { outcome, latencyMs } = result;
      const { url, webhook_id: webhookId } = claimed;
      const isFirst = claimed.retry === 0 && !claimed.is_test;
      first.adapt(webhookId, { url, delivered: outcome === 'delivered', latencyMs, isFirst });
      onResult(result);
    });
    if (retry === null) return;
    after.hint(retry.lane, claimed.webhook_id, retry.dueAt);
    if (retry.isSlow) retries.reserve(claimed.tenant_id, retry.dueAt);
  };
  const run = (claimed: ClaimedDelivery, onEnd: (result: AttemptResult | null) => void) => {
    let ended: AttemptResult | null = null;
    const work = attempt(claimed, (result) => {
      ended = result;
    }).finally(() => {
      running.delete(work);
      onEnd(ended);
      after.pump('first');
    });
    running.add(work);
  };
  const unpaced =
    (lane: 'retries' | 'tests', webhooks: SlotLimitedWebhooks): Start =>
    (claimed, charged) => {
      first.leadTo(claimed.webhook_id, claimed.url);
      webhooks.begin(claimed.tenant_id);
      run(claimed, () => {
        webhooks.end(claimed.tenant_id);
        after.end(lane, charged, false);
        after.pump(lane);
      });
    };
  return {
    start: {
      first(claimed, charged) {
        first.leadTo(claimed.webhook_id, claimed.url);
        const flight = first.begin(claimed.webhook_id, claimed.tenant_id);
        run(claimed, (result) => {
          first.end(flight);
          after.end('first', charged, result?.outcome === 'delivered' && result.latencyMs <= SLOW_MS);
        });
      },
      retries: unpaced('retries', retries),
      tests: unpaced('tests', tests),
    },
    idle: () => Promise.all(running),
  };
}

/** Makes one attempt and records it; returns when and in which lane it is due again, if it is. */
async function deliver(
  deps: StarterDeps,
  claimed: ClaimedDelivery,
  onEnd: (result: AttemptResult) => void,
): Promise<{ lane: LaneName; dueAt: Date; isSlow: boolean } | null> {
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
  return { lane, dueAt: new Date(at.getTime() + next.delayMs), isSlow: result.latencyMs > SLOW_MS };
}
