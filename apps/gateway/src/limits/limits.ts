import type { AllowanceService } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import type { Logger, RpcClient, Running } from '@cairn/service-kit';
import type { Membership } from '../revocation/membership.ts';
import { createLeasedRateLimiter, type LeasedRateLimiter } from './leased-rate-limiter.ts';
import { createQuotaLeases, type QuotaLeases, type QuotaTaken } from './quota-leases.ts';
import type { RateDecision, RateLimit } from './gcra.ts';
import { type PolicyName, rateHeaders, rateLimited } from './rate-headers.ts';
import { bootsGone, openUsageJournal, readNotes, removeNotes } from './usage-journal.ts';

/** A rate and whose requests it counts. */
export interface SubjectRate extends RateLimit {
  /** The key (or OAuth client), or the tenant for all of its keys together. */
  subjectId: string;
  policy: keyof typeof REFUSALS;
}

export interface LimitedCaller {
  identity: { tenantId: string };
  /** Every rate that holds for the caller, at least one; the narrowest subject first. */
  rates: readonly SubjectRate[];
}

/** What a request has to pass after everything else: the rates of its key and tenant, and the tenant's monthly quota. */
export interface Limits extends Running {
  /**
   * Takes one request; gives the headers of its answer. Throws `rate_limited`, `quota_exceeded`, or `unavailable` when
   * more than this gateway may admit by itself is asked for and keys cannot be. A promise only when keys is asked.
   */
  take(caller: LimitedCaller): Record<string, string> | Promise<Record<string, string>>;
}

export interface LimitsOptions {
  keys: Pick<RpcClient<typeof AllowanceService>, 'drawAllowances' | 'settleHolds'>;
  /** Names this boot of this gateway and no other. */
  bootId: string;
  membership: Pick<Membership, 'sharing'>;
  /** Where notes of what was spent lie; undefined: none are kept. */
  stateDir: string | undefined;
  logger: Pick<Logger, 'warn'>;
}

const DRAW_EVERY_MS = 100;
const DRAW_TIMEOUT_MS = 1_000;
const SETTLE_EVERY_MS = 5_000;
/** Longer than a hold lasts that nobody renews. */
const GONE_AFTER_MS = 35_000;
/** Of one draw; the rest follows with the next. */
const WISHES_MAX = 5_000;

export function startLimits(options: LimitsOptions): Limits {
  return new LeasedLimits(options);
}

class LeasedLimits implements Limits {
  private readonly options: LimitsOptions;
  private readonly rates: LeasedRateLimiter;
  private readonly quotas: QuotaLeases;
  private readonly notes: ReturnType<typeof openUsageJournal> | null;
  private readonly timers: NodeJS.Timeout[];
  private readonly onError: (error: unknown) => void;
  private sequence = 0n;
  private drawing: Promise<void> | null = null;
  private soon = false;

  constructor(options: LimitsOptions) {
    this.options = options;
    const { stateDir, bootId, membership } = options;
    this.onError = (error) =>
      options.logger.warn({ err: error }, 'limits could not be shared; each gateway admits its own part');
    this.notes = stateDir === undefined ? null : openUsageJournal(stateDir, bootId);
    const nowMs = () => performance.now();
    this.rates = createLeasedRateLimiter({ nowMs, sharing: () => membership.sharing() });
    this.quotas = createQuotaLeases({ nowMs, wallMs: Date.now, notes: this.notes, onError: this.onError });
    this.timers = [setInterval(() => void this.draw(), DRAW_EVERY_MS)];
    if (stateDir !== undefined) {
      const settle = () => {
        this.notes?.touch();
        void this.settleEarlier(stateDir).catch(this.onError);
      };
      settle();
      this.timers.push(setInterval(settle, SETTLE_EVERY_MS));
    }
    for (const timer of this.timers) timer.unref();
  }

  take(caller: LimitedCaller): Record<string, string> | Promise<Record<string, string>> {
    return this.passRates(caller, 0, null);
  }

  async close(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    await this.drawing;
    try {
      for (
        let wishes = this.quotas.wishes(WISHES_MAX, true);
        wishes.length > 0;
        wishes = this.quotas.wishes(WISHES_MAX, true)
      )
        await this.send([], wishes);
      this.notes?.remove();
    } catch (error) {
      // The notes stay for the next boot.
      this.onError(error);
    }
    this.notes?.close();
  }

  /**
   * Takes one request from each rate from the `next` one on. What a key's own rate refuses is not taken from its
   * tenant, so a key over its limit costs the others nothing.
   */
  private passRates(
    caller: LimitedCaller,
    next: number,
    binding: PassedRate | null,
  ): Record<string, string> | Promise<Record<string, string>> {
    let tightest = binding;
    for (let index = next; index < caller.rates.length; index += 1) {
      const rate = caller.rates[index]!;
      const taken = this.rates.take(rate.subjectId, rate);
      if (taken === 'wait') return this.passRatesLater(caller, index, tightest);
      tightest = tighter(tightest, passed(rate, taken));
    }
    // A caller without any rate has no bound to hold, so nothing is admitted.
    if (tightest === null) throw limitUnknown();
    return this.passQuota(caller, rateHeaders(tightest.decision, tightest.rate, tightest.rate.policy));
  }

  private async passRatesLater(
    caller: LimitedCaller,
    index: number,
    binding: PassedRate | null,
  ): Promise<Record<string, string>> {
    const rate = caller.rates[index]!;
    const taken = new Promise<RateDecision | 'unavailable'>((resolve) => {
      this.rates.wait(rate.subjectId, resolve);
    });
    this.drawSoon();
    return this.passRates(caller, index + 1, tighter(binding, passed(rate, await taken)));
  }

  private passQuota(
    caller: LimitedCaller,
    headers: Record<string, string>,
  ): Record<string, string> | Promise<Record<string, string>> {
    const quota = this.quotas.take(caller.identity.tenantId);
    if (quota === 'wait') return this.passQuotaLater(caller, headers);
    return this.quotaResult(quota, headers);
  }

  private async passQuotaLater(
    caller: LimitedCaller,
    headers: Record<string, string>,
  ): Promise<Record<string, string>> {
    const quota = new Promise<QuotaTaken>((resolve) => {
      this.quotas.wait(caller.identity.tenantId, resolve);
    });
    this.drawSoon();
    return this.quotaResult(await quota, headers);
  }

  private quotaResult(quota: QuotaTaken, headers: Record<string, string>): Record<string, string> {
    if (quota === 'admitted') return headers;
    if (quota === 'unavailable') throw limitUnknown();
    const resetsAt = this.quotas.resetsAt();
    throw Object.assign(
      new CairnError(
        'quota_exceeded',
        `The requests of this month are used up; the quota resets at ${resetsAt.toISOString()}.`,
        { retryAfterSeconds: Math.ceil((resetsAt.getTime() - Date.now()) / 1_000) },
      ),
      { answerHeaders: headers },
    );
  }

  /** Those who come in the same moment are asked for together. */
  private drawSoon(): void {
    if (this.soon) return;
    this.soon = true;
    setImmediate(() => {
      this.soon = false;
      void this.draw();
    });
  }

  /** One draw at a time; who began to wait during one is asked for right after it. */
  private async draw(): Promise<void> {
    if (this.drawing !== null) {
      await this.drawing;
      if (this.drawing !== null) return;
    }
    const rates = this.rates.wishes(WISHES_MAX);
    const quotas = this.quotas.wishes(WISHES_MAX);
    if (rates.length === 0 && quotas.length === 0) return;
    this.drawing = this.send(rates, quotas)
      .catch((error) => {
        this.rates.failed(rates.map((wish) => wish.keyId));
        this.quotas.failed(quotas);
        this.onError(error);
      })
      .finally(() => {
        this.drawing = null;
      });
    await this.drawing;
  }

  private async send(
    rates: ReturnType<LeasedRateLimiter['wishes']>,
    quotas: ReturnType<QuotaLeases['wishes']>,
  ): Promise<void> {
    this.sequence += 1n;
    const sentAtMs = performance.now();
    const answer = await this.options.keys.drawAllowances(
      { gatewayId: this.options.bootId, sequence: this.sequence, rates, quotas },
      { timeoutMs: DRAW_TIMEOUT_MS },
    );
    this.rates.granted(rates, answer.rates, sentAtMs);
    this.quotas.granted(quotas, answer.quotas);
  }

  /** Tells keys what boots before this one had spent, as soon as their holds have ended. */
  private async settleEarlier(stateDir: string): Promise<void> {
    for (const bootId of bootsGone(stateDir, GONE_AFTER_MS)) {
      const quotas = readNotes(stateDir, bootId).map((note) => ({ ...note, hold: note.spent }));
      const { settled } = await this.options.keys.settleHolds(
        { gatewayId: bootId, quotas },
        { timeoutMs: DRAW_TIMEOUT_MS },
      );
      if (settled) removeNotes(stateDir, bootId);
    }
  }
}

interface PassedRate {
  rate: SubjectRate;
  decision: RateDecision;
}

/** Throws what refuses the request. */
function passed(rate: SubjectRate, taken: RateDecision | 'unavailable'): PassedRate {
  if (taken === 'unavailable') throw limitUnknown();
  if (!taken.allowed) throw rateLimited(taken, REFUSALS[rate.policy], rateHeaders(taken, rate, rate.policy));
  return { rate, decision: taken };
}

const REFUSALS = {
  default: 'The key sends more requests than its limit allows.',
  tenant: 'The keys of this tenant together send more requests than its plan allows.',
} as const satisfies Partial<Record<PolicyName, string>>;

/** Of two rates the one that would refuse first. */
function tighter(a: PassedRate | null, b: PassedRate): PassedRate {
  return a !== null && a.decision.remaining <= b.decision.remaining ? a : b;
}

function limitUnknown(): CairnError {
  return new CairnError('unavailable', 'Rate limits are temporarily unavailable.', { retryAfterSeconds: 1 });
}
