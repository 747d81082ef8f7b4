import { setImmediate } from 'node:timers/promises';
import type { Logger, Running } from '@cairn/service-kit';
import type { BudgetKey } from '../budgets/budget-keys.ts';
import { type ClaimDeps, type ClaimOutcome, type ClaimRequest, claimDue } from './claim-due.ts';
import type { ClaimedDelivery, Target } from './delivery-queue.ts';
import { createServiceOrder } from './service-order.ts';
import { hostOf } from './lanes.ts';

/** The webhooks of a lane that have something due. */
export interface DueWebhooks {
  /** Something is due for the webhook, now or at the time. */
  hint(webhookId: string, dueAt?: Date): void;
  /** The webhooks to claim for now, with their slots; they count as having nothing due until a hint or `applyClaimOutcome`. */
  takeClaimRequest(): ClaimRequest;
  /** Updates what is due and who waits by what was claimed. */
  applyClaimOutcome(outcome: ClaimOutcome): void;
}

interface ClaimLoopDeps extends Omit<ClaimDeps, 'lastServed'> {
  webhooks: DueWebhooks;
  /** Starts an attempt that was claimed and charged. */
  start: (claimed: ClaimedDelivery, charged: readonly BudgetKey[]) => void;
  /** Called for webhooks whose retries have become first attempts. */
  onRestarted: (webhookId: string) => void;
  logger: Logger;
}

export interface ClaimLoop extends Running {
  /** Claims for all webhooks that have something due and free slots, one claim after the other. */
  pump(): void;
}

const CLAIM_RETRY_MS = 250;

export function createClaimLoop(deps: ClaimLoopDeps): ClaimLoop {
  const { lane, logger, start, webhooks } = deps;
  const claimDeps: ClaimDeps = { ...deps, lastServed: createServiceOrder() };
  let claiming: Promise<void> | null = null;
  let closed = false;

  const failed = (error: unknown, webhookIds: Iterable<string>) => {
    logger.warn({ err: error }, 'webhook claims: claiming or preparing failed; retrying');
    const retryAt = new Date(deps.now().getTime() + CLAIM_RETRY_MS);
    for (const webhookId of webhookIds) webhooks.hint(webhookId, retryAt);
  };
  const prepare = (targets: readonly Target[]) => {
    // Each host by itself, so that no name waits for the name server of another.
    for (const ofHost of Map.groupBy(targets, ({ url }) => hostOf(url)).values()) {
      const webhookIds = ofHost.map(({ webhook_id }) => webhook_id);
      lane.prepare(ofHost).then(
        () => webhookIds.forEach((webhookId) => webhooks.hint(webhookId)),
        (error: unknown) => failed(error, webhookIds),
      );
    }
  };
  const claim = async (request: ClaimRequest) => {
    try {
      const outcome = await claimDue(claimDeps, request);
      for (const claimed of outcome.claimed) start(claimed, outcome.budgetsOf.get(claimed.webhook_id)!);
      webhooks.applyClaimOutcome(outcome);
      for (const webhookId of outcome.restarted) deps.onRestarted(webhookId);
      prepare(outcome.unprepared);
    } catch (error) {
      failed(error, request.webhooks.keys());
    }
  };
  const claimReady = async () => {
    // Webhooks that become ready at the same moment share one claim: the first must not take the capacity that all waited for.
    await setImmediate();
    const request = closed ? null : webhooks.takeClaimRequest();
    const hasRequest = request !== null && request.webhooks.size > 0;
    if (hasRequest) await claim(request);
    claiming = null;
    if (hasRequest) pump();
  };
  const pump = () => {
    if (closed || claiming !== null) return;
    claiming = claimReady();
  };
  return {
    pump,
    async close() {
      closed = true;
      await claiming;
    },
  };
}
