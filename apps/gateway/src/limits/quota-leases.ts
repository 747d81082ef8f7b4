import { monthOf, nextMonthOf } from './months.ts';
import type { UsageJournal } from './usage-journal.ts';

export interface QuotaDraw {
  tenantId: string;
  month: string;
  spent: bigint;
  hold: bigint;
}

export interface QuotaGrant {
  tenantId: string;
  month: string;
  held: bigint;
  limit: bigint;
  left: bigint;
  unlimited: boolean;
}

/** `exhausted`: the month's quota is used up; `unavailable`: keys cannot be reached. */
export type QuotaOutcome = 'admitted' | 'exhausted' | 'unavailable';

export interface QuotaLeases {
  /** Spends one request of the tenant's month; `wait` when only a draw can tell. */
  take(tenantId: string): QuotaOutcome | 'wait';
  wait(tenantId: string, resolve: (taken: QuotaOutcome) => void): void;
  /** What the next draw has to report and request, as much as fits into it; `closing`: everything is returned. */
  draws(max: number, closing?: boolean): QuotaDraw[];
  granted(draws: readonly QuotaDraw[], grants: readonly QuotaGrant[]): void;
  failed(draws: readonly QuotaDraw[]): void;
  /** When the current month ends and its quota resets. */
  resetsAt(): Date;
}

interface QuotaLeasesOptions {
  /** A monotonic clock. */
  nowMs: () => number;
  wallMs: () => number;
  /** Records what was spent beyond the life of this process; null: what it holds when it is killed counts as spent. */
  journal: UsageJournal | null;
  onError: (error: unknown) => void;
}

/** Keys treats a hold that was not renewed for 30 s as ended; this side stops earlier. */
const HOLD_USABLE_MS = 20_000;
const RENEW_EVERY_MS = 5_000;
const AHEAD_SECONDS = 2;
const AHEAD_MIN = 10;
const AHEAD_MAX = 10_000;
/** A gateway takes at most this fraction of what nobody holds, so that the last requests go to whoever needs them. */
const FRACTION_OF_LEFT = 8;
const IDLE_MS = 60_000;
/** When little is left, idle holds are returned sooner. */
const SCARCE_IDLE_MS = 2_000;
const SCARCE_FRACTION = 20;
const EXHAUSTED_CACHE_MS = 1_000;
const MEASURED_OVER_MS = 200;
const FAILED_CACHE_MS = 500;
/** An unlimited plan may be replaced by a limited one while this process runs. */
const UNLIMITED_CACHE_MS = 10_000;

interface Hold {
  tenantId: string;
  month: string;
  held: number;
  spent: number;
  /** What keys acknowledged last; unknown when a draw failed, which may have been executed all the same. */
  acknowledged: { hold: number; spent: number } | 'nothing' | 'unknown';
  /** Slot of the journal; null before the first request is recorded. */
  slot: number | null;
  limit: number;
  left: number;
  unlimitedUntilMs: number;
  exhaustedUntilMs: number;
  failedUntilMs: number;
  renewedAtMs: number;
  usedAtMs: number;
  /** Requests since `countedAtMs`. */
  demand: number;
  countedAtMs: number;
  perSecond: number;
  waiting: ((taken: QuotaOutcome) => void)[];
}

/**
 * Monthly request quotas of tenants, exact over all gateways: each spends only what keys lets it hold, reports what it
 * spent, and returns what it does not need. Numbers are per month and process, and what was spent only grows.
 */
export function createQuotaLeases(options: QuotaLeasesOptions): QuotaLeases {
  return new LeasedQuotas(options);
}

class LeasedQuotas implements QuotaLeases {
  private readonly options: QuotaLeasesOptions;
  // Never forgotten before the month is over: what was spent is counted from its beginning.
  private readonly holds = new Map<string, Hold>();
  private readonly active = new Set<Hold>();
  private month: string;
  private monthEndsAtMs: number;

  constructor(options: QuotaLeasesOptions) {
    this.options = options;
    this.month = monthOf(options.wallMs());
    this.monthEndsAtMs = nextMonthOf(options.wallMs());
  }

  take(tenantId: string): QuotaOutcome | 'wait' {
    const now = this.options.nowMs();
    const hold = this.holdOf(tenantId, now);
    hold.demand += 1;
    hold.usedAtMs = now;
    this.active.add(hold);
    if (now < hold.unlimitedUntilMs) return 'admitted';
    if (now - hold.renewedAtMs < HOLD_USABLE_MS) {
      if (hold.spent < hold.held) return this.spend(hold);
      if (now < hold.exhaustedUntilMs) return 'exhausted';
    }
    return now < hold.failedUntilMs ? 'unavailable' : 'wait';
  }

  wait(tenantId: string, resolve: (taken: QuotaOutcome) => void): void {
    const hold = this.holdOf(tenantId, this.options.nowMs());
    this.active.add(hold);
    hold.waiting.push(resolve);
  }

  draws(max: number, closing = false): QuotaDraw[] {
    const now = this.options.nowMs();
    const draws: QuotaDraw[] = [];
    for (const hold of closing ? this.holds.values() : this.active) {
      if (draws.length === max) break;
      if (closing && isSettled(hold)) continue;
      const wanted = closing ? hold.spent : this.wantedOf(hold, now);
      // Returned before keys is informed: the response may be lost.
      hold.held = Math.min(hold.held, wanted);
      if (this.isDue(hold, wanted, now))
        draws.push({ tenantId: hold.tenantId, month: hold.month, spent: BigInt(hold.spent), hold: BigInt(wanted) });
      else if (isSettled(hold) && now - hold.usedAtMs > IDLE_MS) this.active.delete(hold);
    }
    return draws;
  }

  granted(draws: readonly QuotaDraw[], grants: readonly QuotaGrant[]): void {
    const now = this.options.nowMs();
    const granted = new Map(grants.map((grant) => [`${grant.tenantId} ${grant.month}`, grant]));
    // Keys leaves entries that failed out of its response.
    this.failed(draws.filter(({ tenantId, month }) => !granted.has(`${tenantId} ${month}`)));
    for (const { tenantId, month, hold: wanted, spent } of draws) {
      const hold = this.holds.get(`${tenantId} ${month}`);
      const grant = granted.get(`${tenantId} ${month}`);
      if (hold === undefined || grant === undefined) continue;
      hold.acknowledged = { hold: Number(wanted), spent: Number(spent) };
      this.apply(hold, grant, now);
      if (month !== this.month && hold.waiting.length === 0) this.drop(hold);
    }
  }

  failed(draws: readonly QuotaDraw[]): void {
    const until = this.options.nowMs() + FAILED_CACHE_MS;
    for (const { tenantId, month } of draws) {
      const hold = this.holds.get(`${tenantId} ${month}`);
      if (hold === undefined) continue;
      hold.acknowledged = 'unknown';
      this.active.add(hold);
      hold.failedUntilMs = until;
      for (const resolve of hold.waiting.splice(0)) resolve('unavailable');
    }
  }

  resetsAt(): Date {
    return new Date(this.monthEndsAtMs);
  }

  private apply(hold: Hold, grant: QuotaGrant, now: number): void {
    hold.renewedAtMs = now;
    if (grant.unlimited) hold.unlimitedUntilMs = now + UNLIMITED_CACHE_MS;
    else {
      hold.held = Math.max(hold.spent, Number(grant.held));
      hold.limit = Number(grant.limit);
      hold.left = Number(grant.left);
    }
    for (const resolve of hold.waiting.splice(0)) {
      if (grant.unlimited) resolve('admitted');
      else if (hold.spent < hold.held) resolve(this.spend(hold));
      else if (hold.left === 0) resolve('exhausted');
      // It began to wait during this draw, which did not ask for it.
      else hold.waiting.push(resolve);
    }
    if (hold.waiting.length > 0) this.active.add(hold);
    if (!grant.unlimited && hold.spent === hold.held && hold.left === 0)
      hold.exhaustedUntilMs = now + EXHAUSTED_CACHE_MS;
  }

  /** Recorded before it is admitted, so that a kill at any moment leaves no unrecorded request. */
  private spend(hold: Hold): QuotaOutcome {
    const { journal } = this.options;
    try {
      hold.slot ??= journal?.slotFor(hold.tenantId, hold.month) ?? null;
      if (hold.slot !== null) journal?.write(hold.slot, hold.spent + 1);
    } catch (error) {
      this.options.onError(error);
      return 'unavailable';
    }
    hold.spent += 1;
    return 'admitted';
  }

  private wantedOf(hold: Hold, now: number): number {
    if (now - hold.countedAtMs >= MEASURED_OVER_MS) {
      hold.perSecond = (hold.demand * 1_000) / (now - hold.countedAtMs);
      hold.demand = 0;
      hold.countedAtMs = now;
    }
    const waiting = hold.waiting.length;
    const scarce = hold.limit > 0 && hold.left * SCARCE_FRACTION < hold.limit;
    const idle = now - hold.usedAtMs > (scarce ? SCARCE_IDLE_MS : IDLE_MS) || hold.month !== this.month;
    if (waiting === 0 && (idle || now < hold.unlimitedUntilMs)) return hold.spent;
    if (waiting === 0 && now < hold.exhaustedUntilMs) return hold.held;
    const most = hold.limit > 0 ? Math.max(1, Math.ceil(hold.left / FRACTION_OF_LEFT)) : AHEAD_MAX;
    const ahead = Math.min(Math.max(Math.ceil(hold.perSecond * AHEAD_SECONDS), AHEAD_MIN), AHEAD_MAX, most);
    const unspent = hold.held - hold.spent;
    if (waiting === 0 && unspent >= ahead / 2 && (!scarce || unspent <= 2 * ahead)) return hold.held;
    return hold.spent + ahead + waiting;
  }

  /** Whether keys must be informed: another hold is wanted, a request waits, or the hold would expire. */
  private isDue(hold: Hold, wanted: number, now: number): boolean {
    const { acknowledged } = hold;
    if (hold.waiting.length > 0) return true;
    if (now < hold.unlimitedUntilMs) return hold.demand > 0 && hold.unlimitedUntilMs - now < UNLIMITED_CACHE_MS / 2;
    if (acknowledged === 'nothing') return wanted > 0;
    if (acknowledged === 'unknown') return now >= hold.failedUntilMs;
    if (wanted !== acknowledged.hold && wanted !== hold.held) return true;
    if (now - hold.renewedAtMs < RENEW_EVERY_MS) return wanted < acknowledged.hold && wanted === hold.spent;
    return hold.held > hold.spent || acknowledged.spent !== hold.spent || wanted !== acknowledged.hold;
  }

  private holdOf(tenantId: string, now: number): Hold {
    if (this.options.wallMs() >= this.monthEndsAtMs) this.beginMonth();
    const name = `${tenantId} ${this.month}`;
    const known = this.holds.get(name);
    if (known !== undefined) return known;
    const hold: Hold = {
      tenantId,
      month: this.month,
      held: 0,
      spent: 0,
      acknowledged: 'nothing',
      slot: null,
      limit: 0,
      left: 0,
      unlimitedUntilMs: 0,
      exhaustedUntilMs: 0,
      failedUntilMs: 0,
      renewedAtMs: -Infinity,
      usedAtMs: now,
      demand: 0,
      countedAtMs: now,
      perSecond: 0,
      waiting: [],
    };
    this.holds.set(name, hold);
    return hold;
  }

  /** Holds of the previous month are returned with the next draw, and then dropped. */
  private beginMonth(): void {
    this.month = monthOf(this.options.wallMs());
    this.monthEndsAtMs = nextMonthOf(this.options.wallMs());
    for (const hold of this.holds.values()) {
      if (hold.acknowledged === 'nothing' && hold.waiting.length === 0) this.drop(hold);
      else this.active.add(hold);
    }
  }

  private drop(hold: Hold): void {
    this.holds.delete(`${hold.tenantId} ${hold.month}`);
    this.active.delete(hold);
  }
}

/** Whether keys knows that this process holds nothing beyond what it spent. */
function isSettled({ acknowledged, spent }: Hold): boolean {
  if (acknowledged === 'nothing') return true;
  return acknowledged !== 'unknown' && acknowledged.hold === spent && acknowledged.spent === spent;
}
