import { setImmediate } from 'node:timers/promises';
import type { Logger, Running } from '@cairn/service-kit';
import type { BudgetKey } from '../budgets/budget-keys.ts';
import { type ClaimRequest, type Claimed, claimDue, type ClaimDeps, prepareTargets, type Target } from './claim-due.ts';
import type { Endpoints } from './endpoints.ts';
import { createLastServed } from './last-served.ts';

interface ClaimLoopDeps extends Omit<ClaimDeps, 'lastServed'> {
  endpoints: Pick<Endpoints, 'takeClaimRequest' | 'applyClaimOutcome'>;
  /** Something may be due for the webhook now, or at the time. */
  hint: (webhookId: string, dueAt?: Date) => void;
  /** Starts an attempt that was claimed and charged. */
  start: (claimed: Claimed, charged: readonly BudgetKey[]) => void;
  logger: Logger;
}

interface ClaimLoop extends Running {
  /** Claims for all webhooks that have something due and free slots, one claim after the other. */
  pump(): void;
}

const CLAIM_RETRY_MS = 250;

export function createClaimLoop(deps: ClaimLoopDeps): ClaimLoop {
  const { endpoints, hint, logger, start } = deps;
  const claimDeps: ClaimDeps = { ...deps, lastServed: createLastServed() };
  let claiming: Promise<void> | null = null;
  let closed = false;

  const failed = (error: unknown, webhookIds: Iterable<string>) => {
    logger.warn({ err: error }, 'webhook claims: claiming or preparing failed; trying again');
    const retryAt = new Date(deps.now().getTime() + CLAIM_RETRY_MS);
    for (const webhookId of webhookIds) hint(webhookId, retryAt);
  };
  const prepare = (targets: readonly Target[]) => {
    const webhookIds = targets.map(({ webhook_id }) => webhook_id);
    prepareTargets(claimDeps, targets).then(
      () => webhookIds.forEach((webhookId) => hint(webhookId)),
      (error: unknown) => failed(error, webhookIds),
    );
  };
  const claim = async (request: ClaimRequest) => {
    try {
      const outcome = await claimDue(claimDeps, request);
      for (const claimed of outcome.claimed) start(claimed, outcome.budgetsOf.get(claimed.webhook_id)!);
      endpoints.applyClaimOutcome(outcome);
      if (outcome.unprepared.length > 0) prepare(outcome.unprepared);
    } catch (error) {
      failed(error, request.webhooks.keys());
    }
  };
  const claimReady = async () => {
    // Webhooks that become ready at the same moment share one claim: the first must not take the capacity that all waited for.
    await setImmediate();
    const request = closed ? null : endpoints.takeClaimRequest();
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
