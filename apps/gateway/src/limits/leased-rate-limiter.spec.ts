import { describe, expect, it } from '@jest/globals';
import { specCases } from '@cairn/testing';
import fc from 'fast-check';
import {
  createLeasedRateLimiter,
  drawsAhead,
  type LeasedRateLimiter,
  type RateGrant,
  type RateDraw,
} from './leased-rate-limiter.ts';
import type { RateLimit } from './rate-limit.ts';

const KEY = 'key_1';
const TICK_MS = 100;

/** The bucket that keys hold, as its SQL function has it. */
function sharedBucket(nowMs: () => number) {
  let earnedMs = 0;
  return ({ keyId, requestsPerSecond, burst, want }: RateDraw): RateGrant => {
    const interval = 1_000 / requestsPerSecond;
    const earned = Math.max(earnedMs, nowMs());
    const fits = Math.max(0, Math.floor(burst - (earned - nowMs()) / interval + 1e-6));
    const granted = Math.min(want, fits);
    earnedMs = earned + granted * interval;
    const waitMs = Math.max(0, earnedMs + interval - nowMs() - burst * interval);
    return { keyId, granted, left: fits - granted, waitMs };
  };
}

interface Arrival {
  atMs: number;
  gateway: number;
}

interface World {
  limit: RateLimit;
  gateways: number;
  /** What a draw takes on its way there, and back. */
  latencyMs: number;
  /** Which draws, by their number, never arrive; and which are answered to nobody. */
  lost: (draw: number) => 'asked' | 'answered' | null;
}

/** Runs arrivals through gateways that share one bucket, in virtual time; returns when requests were admitted. */
function admissions({ limit, gateways, latencyMs, lost }: World, arrivals: readonly Arrival[]): Arrival[] {
  let now = 0;
  const bucket = sharedBucket(() => now);
  const admitted: Arrival[] = [];
  const agenda: { atMs: number; run: () => void }[] = [];
  const at = (atMs: number, run: () => void) => {
    let place = agenda.length;
    // What was planned first happens first.
    while (place > 0 && agenda[place - 1]!.atMs > atMs) place -= 1;
    agenda.splice(place, 0, { atMs, run });
  };
  let drawCount = 0;
  const members = Array.from({ length: gateways }, (_, gateway) => {
    const rates = createLeasedRateLimiter({ nowMs: () => now, gatewayCount: () => gateways });
    let drawing = false;
    const draw = () => {
      if (drawing) return;
      const draws = rates.draws(100);
      if (draws.length === 0) return;
      drawing = true;
      const sentAtMs = now;
      const fate = lost(drawCount++);
      const end = (then: () => void) => {
        drawing = false;
        then();
        draw();
      };
      if (fate === 'asked') return at(now + 300, () => end(() => rates.failed(draws.map((draw) => draw.keyId))));
      at(now + latencyMs, () => {
        const grants = draws.map(bucket);
        if (fate === 'answered') at(now + 300, () => end(() => rates.failed(draws.map((draw) => draw.keyId))));
        else at(now + latencyMs, () => end(() => rates.granted(draws, grants, sentAtMs)));
      });
    };
    return { rates, draw, gateway };
  });
  const end = Math.max(0, ...arrivals.map((arrival) => arrival.atMs)) + 1_000;
  for (const { atMs, gateway } of arrivals)
    at(atMs, () => arrive(members[gateway % gateways]!, limit, () => admitted.push({ atMs: now, gateway })));
  for (const { draw } of members)
    at(0, function tick() {
      draw();
      if (now < end) at(now + TICK_MS, tick);
    });
  while (agenda.length > 0) {
    const next = agenda.shift()!;
    now = next.atMs;
    next.run();
  }
  return admitted;
}

function arrive(
  { rates, draw }: { rates: LeasedRateLimiter; draw: () => void },
  limit: RateLimit,
  admit: () => void,
): void {
  const taken = rates.take(KEY, limit);
  if (taken === 'wait') {
    rates.wait(KEY, (later) => {
      if (later !== 'unavailable' && later.allowed) admit();
    });
    draw();
  } else if (taken !== 'unavailable' && taken.allowed) admit();
}

/** The most that any span of time admitted beyond what the limit allows for it. */
function worstExcess(admitted: readonly Arrival[], { requestsPerSecond, burst }: RateLimit): number {
  let worst = -Infinity;
  for (let first = 0; first < admitted.length; first += 1)
    for (let last = first; last < admitted.length; last += 1) {
      const spanS = (admitted[last]!.atMs - admitted[first]!.atMs) / 1_000;
      worst = Math.max(worst, last - first + 1 - (requestsPerSecond * spanS + burst));
    }
  return worst;
}

const steady = (perSecond: number, seconds: number, gatewayOf: (n: number) => number): Arrival[] =>
  Array.from({ length: perSecond * seconds }, (_, n) => ({ atMs: (n * 1_000) / perSecond, gateway: gatewayOf(n) }));
const NEVER = () => null;

describe('a rate that gateways share', () => {
  const arrivals = fc
    .array(
      fc.record({
        gapMs: fc.integer({ min: 0, max: 120 }),
        count: fc.integer({ min: 1, max: 30 }),
        gateway: fc.nat(2),
      }),
      {
        maxLength: 40,
      },
    )
    .map((bursts) => {
      let atMs = 0;
      return bursts.flatMap(({ gapMs, count, gateway }) => {
        atMs += gapMs;
        return Array.from({ length: count }, () => ({ atMs, gateway }));
      });
    });
  const worlds = fc.record({
    limit: fc.record({
      requestsPerSecond: fc.constantFrom(0.5, 1, 3, 10, 50, 200),
      burst: fc.constantFrom(1, 2, 5, 19, 20, 50, 100),
    }),
    gateways: fc.integer({ min: 1, max: 4 }),
    latencyMs: fc.constantFrom(0, 1, 5, 20, 60),
    lostOneIn: fc.constantFrom(0, 2, 5),
  });

  it('admits in no span of time more than rate × span + burst, whatever comes where and whatever draws are lost', () => {
    fc.assert(
      fc.property(worlds, arrivals, ({ lostOneIn, ...world }, all) => {
        const lost = (draw: number) =>
          lostOneIn === 0 || draw % lostOneIn !== 1 ? null : draw % 2 === 0 ? 'asked' : 'answered';
        const admitted = admissions({ ...world, lost }, all);
        // Less than one request: what a span of time allows need not be a whole number. What is not drawn ahead may
        // arrive nearer to the rest than the bucket gave it.
        const { requestsPerSecond } = world.limit;
        const onItsWay = drawsAhead(world.limit) ? 0 : 1 + (requestsPerSecond * world.latencyMs) / 1_000;
        expect(worstExcess(admitted, world.limit)).toBeLessThan(1 + onItsWay);
      }),
      { numRuns: specCases(70) },
    );
  });

  it.each([
    ['spread evenly over three', 3, (n: number) => n, 0.9],
    ['all on one of three', 3, () => 0, 0.8],
    ['all on the only one', 1, () => 0, 0.9],
    ['moving from one to another every second', 3, (n: number) => Math.floor(n / 200), 0.8],
  ])(
    'lets through nearly all that is allowed under four times that much traffic, %s',
    (_name, gateways, place, part) => {
      const limit = { requestsPerSecond: 50, burst: 50 };
      const admitted = admissions({ limit, gateways, latencyMs: 3, lost: NEVER }, steady(200, 10, place));
      const allowed = 50 * 10 + 50;
      expect(admitted.length).toBeLessThanOrEqual(allowed);
      expect(admitted.length).toBeGreaterThanOrEqual(part * allowed);
    },
  );

  it('admits a burst at once, wherever it comes', () => {
    const limit = { requestsPerSecond: 10, burst: 20 };
    const burst = Array.from({ length: 40 }, () => ({ atMs: 5_000, gateway: 1 }));
    const admitted = admissions({ limit, gateways: 2, latencyMs: 3, lost: NEVER }, burst);
    expect(admitted.length).toBeGreaterThanOrEqual(15);
    expect(admitted.length).toBeLessThanOrEqual(20);
  });

  it('goes on with a part of the limit while keys cannot be asked, and never without a bound', () => {
    const limit = { requestsPerSecond: 50, burst: 50 };
    const world = { limit, gateways: 2, latencyMs: 3, lost: () => 'asked' as const };
    const admitted = admissions(
      world,
      steady(200, 10, () => 0),
    );
    expect(admitted.length).toBeGreaterThanOrEqual(45);
    expect(admitted.length).toBeLessThanOrEqual(0.1 * (500 + 50) + 1);
  });

  it('asks nothing for a sparse caller', () => {
    let now = 0;
    const rates = createLeasedRateLimiter({ nowMs: () => now, gatewayCount: () => 3 });
    for (let second = 0; second < 60; second += 1) {
      now = second * 1_000;
      expect(rates.take(KEY, { requestsPerSecond: 50, burst: 100 })).toMatchObject({ allowed: true });
      expect(rates.draws(10)).toEqual([]);
    }
  });

  it('admits nothing without a rate', () => {
    const rates = createLeasedRateLimiter({ nowMs: () => 0, gatewayCount: () => 1 });
    for (const limit of [
      { requestsPerSecond: 0, burst: 5 },
      { requestsPerSecond: NaN, burst: 5 },
      { requestsPerSecond: 5, burst: 0 },
    ])
      expect(rates.take(KEY, limit)).toMatchObject({ allowed: false });
  });
});
