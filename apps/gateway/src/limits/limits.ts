import type { AllowanceService } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import type { Logger, RpcClient, Running } from '@cairn/service-kit';
import { createLeasedRateLimiter, type LeasedRateLimiter } from './leased-rate-limiter.ts';
import { createQuotaLeases, type QuotaLeases, type QuotaOutcome } from './quota-leases.ts';
import type { RateDecision } from './gcra.ts';
import { earlierMonth } from './months.ts';
import { rateHeaders, rateLimited } from './rate-headers.ts';
import type { SubjectRate } from './rate-limit.ts';
import { deadProcesses, openUsageJournal, readJournal, removeJournal } from './usage-journal.ts';

interface LimitedCaller {
  identity: { tenantId: string };
  /** Every rate that applies to the caller, at least one; the narrowest subject first. */
  rates: readonly SubjectRate[];
}

/** The last checks of a request: the rates of its key and tenant, and the tenant's monthly quota. */
export interface Limits extends Running {
  /**
   * Takes one request; returns headers for its response. Throws `rate_limited`, `quota_exceeded`, or `unavailable` when
   * the request needs a draw and keys cannot be reached. Returns a promise only when it has to wait for a draw.
   */
  take(caller: LimitedCaller): Record<string, string> | Promise<Record<string, string>>;
}

interface LimitsOptions {
  keys: Pick<RpcClient<typeof AllowanceService>, 'drawAllowances' | 'settleHolds'>;
  /** Names this gateway process, and is never reused. */
  processId: string;
  membership: { gatewayCount(): number };
  /** Folder of the usage journals; undefined: none are written. */
  stateDir: string | undefined;
  logger: Pick<Logger, 'warn'>;
}

const DRAW_EVERY_MS = 100;
const DRAW_TIMEOUT_MS = 1_000;
const SETTLE_EVERY_MS = 5_000;
/** A process may have served tens of thousands of tenants. */
const SETTLE_TIMEOUT_MS = 10_000;
/** Keys has deleted the holds of earlier months. */
const SETTLED_MONTHS = 3;
/** Longer than a hold lasts without renewal. */
const DEAD_AFTER_MS = 35_000;
/** In one call; the rest follows with the next. */
const DRAWS_MAX = 5_000;

export function startLimits(options: LimitsOptions): Limits {
  return new LeasedLimits(options);
}

class LeasedLimits implements Limits {
  private readonly options: LimitsOptions;
  private readonly rates: LeasedRateLimiter;
  private readonly quotas: QuotaLeases;
  private readonly journal: ReturnType<typeof openUsageJournal> | null;
  private readonly timers: NodeJS.Timeout[];
  private readonly onError: (error: unknown) => void;
  private sequence = 0n;
  private drawing: Promise<void> | null = null;
  private soon = false;
  private settling: Promise<void> | null = null;

  constructor(options: LimitsOptions) {
    this.options = options;
    const { stateDir, processId, membership } = options;
    this.onError = (error) =>
      options.logger.warn(
        { err: error },
        'limits: a draw from keys failed; this gateway uses its reserved share and retries',
      );
    this.journal = stateDir === undefined ? null : openUsageJournal(stateDir, processId);
    const nowMs = () => performance.now();
    this.rates = createLeasedRateLimiter({ nowMs, gatewayCount: () => membership.gatewayCount() });
    this.quotas = createQuotaLeases({ nowMs, wallMs: Date.now, journal: this.journal, onError: this.onError });
    this.timers = [setInterval(() => void this.draw(), DRAW_EVERY_MS)];
    if (stateDir !== undefined) {
      const settle = () => {
        this.journal?.touch();
        this.settling ??= this.settleDeadProcesses(stateDir)
          .catch(this.onError)
          .finally(() => {
            this.settling = null;
          });
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
      for (;;) {
        const draws = this.quotas.draws(DRAWS_MAX, true);
        if (draws.length === 0) break;
        await this.send([], draws);
      }
      this.journal?.remove();
    } catch (error) {
      // The journal stays for the next process.
      this.onError(error);
    }
    this.journal?.close();
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
    // A caller without any rate has no limit to enforce, so nothing is admitted.
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
    const quota = new Promise<QuotaOutcome>((resolve) => {
      this.quotas.wait(caller.identity.tenantId, resolve);
    });
    this.drawSoon();
    return this.quotaResult(await quota, headers);
  }

  private quotaResult(quota: QuotaOutcome, headers: Record<string, string>): Record<string, string> {
    if (quota === 'admitted') return headers;
    if (quota === 'unavailable') throw limitUnknown();
    const resetsAt = this.quotas.resetsAt();
    throw Object.assign(
      new CairnError(
        'quota_exceeded',
        `The requests of this month are used up; the quota resets at ${resetsAt.toISOString()}.`,
        { retryAfterSeconds: Math.ceil((resetsAt.getTime() - Date.now()) / 1_000) },
      ),
      { responseHeaders: headers },
    );
  }

  /** Requests that arrive in the same tick of the event loop share a draw. */
  private drawSoon(): void {
    if (this.soon) return;
    this.soon = true;
    setImmediate(() => {
      this.soon = false;
      void this.draw();
    });
  }

  /** One draw at a time; requests that begin to wait during one are drawn right after it. */
  private async draw(): Promise<void> {
    if (this.drawing !== null) {
      await this.drawing;
      if (this.drawing !== null) return;
    }
    const rates = this.rates.draws(DRAWS_MAX);
    const quotas = this.quotas.draws(DRAWS_MAX);
    if (rates.length === 0 && quotas.length === 0) return;
    this.drawing = this.send(rates, quotas)
      .catch((error) => {
        this.rates.failed(rates.map((draw) => draw.keyId));
        this.quotas.failed(quotas);
        this.onError(error);
      })
      .finally(() => {
        this.drawing = null;
      });
    await this.drawing;
  }

  private async send(
    rates: ReturnType<LeasedRateLimiter['draws']>,
    quotas: ReturnType<QuotaLeases['draws']>,
  ): Promise<void> {
    this.sequence += 1n;
    const sentAtMs = performance.now();
    const response = await this.options.keys.drawAllowances(
      { gatewayId: this.options.processId, sequence: this.sequence, rates, quotas },
      { timeoutMs: DRAW_TIMEOUT_MS },
    );
    this.rates.granted(rates, response.rates, sentAtMs);
    this.quotas.granted(quotas, response.quotas);
  }

  /** Settles each process that died, as soon as its holds have expired. One that cannot be settled stops no other. */
  private async settleDeadProcesses(stateDir: string): Promise<void> {
    for (const processId of deadProcesses(stateDir, DEAD_AFTER_MS)) {
      try {
        await this.settleDeadProcess(stateDir, processId);
      } catch (error) {
        this.options.logger.warn(
          { err: error, process_id: processId },
          'limits: settling the usage of a gateway process that died failed; retrying',
        );
      }
    }
  }

  /** Reports to keys what the process had spent, and then removes its journal. */
  private async settleDeadProcess(stateDir: string, processId: string): Promise<void> {
    const oldest = earlierMonth(Date.now(), SETTLED_MONTHS);
    const quotas = readJournal(stateDir, processId)
      .filter(({ month }) => month >= oldest)
      .map((entry) => ({ ...entry, hold: entry.spent }));
    const { settled } = await this.options.keys.settleHolds(
      { gatewayId: processId, quotas },
      { timeoutMs: SETTLE_TIMEOUT_MS },
    );
    if (settled) removeJournal(stateDir, processId);
  }
}

interface PassedRate {
  rate: SubjectRate;
  decision: RateDecision;
}

/** Throws when the rate refuses the request. */
function passed(rate: SubjectRate, taken: RateDecision | 'unavailable'): PassedRate {
  if (taken === 'unavailable') throw limitUnknown();
  if (!taken.allowed) throw rateLimited(taken, REFUSALS[rate.policy], rateHeaders(taken, rate, rate.policy));
  return { rate, decision: taken };
}

const REFUSALS = {
  default: 'The key sends more requests than its limit allows.',
  tenant: 'The keys of this tenant together send more requests than its plan allows.',
} as const satisfies Record<SubjectRate['policy'], string>;

/** Of two rates the one that would refuse sooner. */
function tighter(a: PassedRate | null, b: PassedRate): PassedRate {
  return a !== null && a.decision.remaining <= b.decision.remaining ? a : b;
}

function limitUnknown(): CairnError {
  return new CairnError('unavailable', 'Rate limits are temporarily unavailable.', { retryAfterSeconds: 1 });
}
