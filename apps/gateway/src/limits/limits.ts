import type { AllowanceService } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import type { Logger, RpcClient, Running } from '@cairn/service-kit';
import type { Membership } from '../revocation/membership.ts';
import { createDrawnRates, type DrawnRates } from './drawn-rates.ts';
import { createHeldQuotas, type HeldQuotas, type QuotaTaken } from './held-quotas.ts';
import { type RateDecision, rateHeaders, type RateLimit, rateLimited } from './rate-limiter.ts';
import { bootsGone, openSpendingNotes, readNotes, removeNotes } from './spending-notes.ts';

export interface LimitedCaller extends RateLimit {
  identity: { keyId: string; tenantId: string };
}

/** What a request has to pass after everything else: the rate of its key and the monthly quota of its tenant. */
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
  return new DrawnLimits(options);
}

class DrawnLimits implements Limits {
  private readonly options: LimitsOptions;
  private readonly rates: DrawnRates;
  private readonly quotas: HeldQuotas;
  private readonly notes: ReturnType<typeof openSpendingNotes> | null;
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
    this.notes = stateDir === undefined ? null : openSpendingNotes(stateDir, bootId);
    const nowMs = () => performance.now();
    this.rates = createDrawnRates({ nowMs, sharing: () => membership.sharing() });
    this.quotas = createHeldQuotas({ nowMs, wallMs: Date.now, notes: this.notes, onError: this.onError });
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
    const rate = this.rates.take(caller.identity.keyId, caller);
    if (rate === 'wait') return this.takeLater(caller);
    return this.passRate(caller, rate);
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

  private async takeLater(caller: LimitedCaller): Promise<Record<string, string>> {
    const rate = new Promise<RateDecision | 'unavailable'>((resolve) => {
      this.rates.wait(caller.identity.keyId, resolve);
    });
    this.drawSoon();
    return this.passRate(caller, await rate);
  }

  private passRate(
    caller: LimitedCaller,
    rate: RateDecision | 'unavailable',
  ): Record<string, string> | Promise<Record<string, string>> {
    if (rate === 'unavailable') throw limitUnknown();
    const headers = rateHeaders(rate, caller);
    if (!rate.allowed) throw Object.assign(rateLimited(rate), { answerHeaders: headers });
    const quota = this.quotas.take(caller.identity.tenantId);
    if (quota === 'wait') return this.passQuotaLater(caller, headers);
    return this.passQuota(quota, headers);
  }

  private async passQuotaLater(
    caller: LimitedCaller,
    headers: Record<string, string>,
  ): Promise<Record<string, string>> {
    const quota = new Promise<QuotaTaken>((resolve) => {
      this.quotas.wait(caller.identity.tenantId, resolve);
    });
    this.drawSoon();
    return this.passQuota(await quota, headers);
  }

  private passQuota(quota: QuotaTaken, headers: Record<string, string>): Record<string, string> {
    if (quota === 'admitted') return headers;
    if (quota === 'unavailable') throw limitUnknown();
    const resetsAt = this.quotas.resetsAt();
    throw Object.assign(
      new CairnError(
        'quota_exceeded',
        `The requests of this month are used up; the quota begins anew at ${resetsAt.toISOString()}.`,
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

  private async send(rates: ReturnType<DrawnRates['wishes']>, quotas: ReturnType<HeldQuotas['wishes']>): Promise<void> {
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

function limitUnknown(): CairnError {
  return new CairnError('unavailable', 'What the limits of the key still allow cannot be found out right now.', {
    retryAfterSeconds: 1,
  });
}
