import { setImmediate } from 'node:timers/promises';
import type { Logger, Running } from '@cairn/service-kit';
import type { BudgetKey } from './budgets/budget-keys.ts';
import { type Asked, type Claimed, claimDue, type ClaimParts, prepareTargets, type Target } from './claim.ts';
import type { Endpoints } from './endpoints.ts';
import { createTurns } from './turns.ts';

export interface ClaimLoopParts extends Omit<ClaimParts, 'turns'> {
  endpoints: Pick<Endpoints, 'takeAsked' | 'wereClaimed'>;
  /** Something may be due for the webhook now, or at the time. */
  hint: (webhookId: string, dueAt?: Date) => void;
  /** Makes an attempt that was claimed and charged. */
  start: (claimed: Claimed, charged: readonly BudgetKey[]) => void;
  logger: Logger;
}

export interface ClaimLoop extends Running {
  /** Claims for all who have something due and room, one claim after the other. */
  pump(): void;
}

const CLAIM_RETRY_MS = 250;

export function createClaimLoop(parts: ClaimLoopParts): ClaimLoop {
  const { endpoints, hint, logger, start } = parts;
  const claimParts: ClaimParts = { ...parts, turns: createTurns() };
  let claiming: Promise<void> | null = null;
  let closed = false;

  const failed = (error: unknown, webhookIds: Iterable<string>) => {
    logger.warn({ err: error }, 'deliveries wait');
    const again = new Date(parts.now().getTime() + CLAIM_RETRY_MS);
    for (const webhookId of webhookIds) hint(webhookId, again);
  };
  const prepare = (targets: readonly Target[]) => {
    const webhookIds = targets.map(({ webhook_id }) => webhook_id);
    prepareTargets(claimParts, targets).then(
      () => webhookIds.forEach((webhookId) => hint(webhookId)),
      (error: unknown) => failed(error, webhookIds),
    );
  };
  const claim = async (asked: Asked) => {
    try {
      const outcome = await claimDue(claimParts, asked);
      for (const claimed of outcome.claimed) start(claimed, outcome.budgetsOf.get(claimed.webhook_id)!);
      endpoints.wereClaimed(outcome);
      if (outcome.unprepared.length > 0) prepare(outcome.unprepared);
    } catch (error) {
      failed(error, asked.webhooks.keys());
    }
  };
  const claimReady = async () => {
    // Whoever becomes ready at the same moment is asked together: the first of them must not take what all waited for.
    await setImmediate();
    const asked = closed ? null : endpoints.takeAsked();
    const isAsked = asked !== null && asked.webhooks.size > 0;
    if (isAsked) await claim(asked);
    claiming = null;
    if (isAsked) pump();
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
