import fc from 'fast-check';
import type { Happening, Schedule } from './simulation.ts';

const GATEWAYS = 3;
const KEYS = 2;
const BUSY_MS = 100_000;

const gateway = fc.nat(GATEWAYS - 1);
const key = fc.nat(KEYS - 1);
/** Most of what matters lies close together, the rest far apart. */
const atMs = fc.oneof(
  { arbitrary: fc.integer({ min: 0, max: 12_000 }), weight: 3 },
  { arbitrary: fc.integer({ min: 0, max: BUSY_MS }), weight: 2 },
);
const forMs = fc.oneof(fc.integer({ min: 1, max: 3_000 }), fc.integer({ min: 1, max: 50_000 }));

const happening: fc.Arbitrary<Happening> = fc.oneof(
  { arbitrary: fc.record({ kind: fc.constant('request' as const), atMs, gateway, key }), weight: 12 },
  { arbitrary: fc.record({ kind: fc.constant('join' as const), atMs, gateway }), weight: 2 },
  { arbitrary: fc.record({ kind: fc.constant('leave' as const), atMs, gateway }), weight: 1 },
  {
    arbitrary: fc.record({ kind: fc.constant('stop' as const), atMs, gateway, forMs, freezes: fc.boolean() }),
    weight: 2,
  },
  {
    arbitrary: fc.record({
      kind: fc.constant('cut' as const),
      atMs,
      gateway,
      forMs,
      way: fc.constantFrom('from keys' as const, 'to keys' as const, 'push' as const, 'all' as const),
    }),
    weight: 2,
  },
  {
    arbitrary: fc.record({
      kind: fc.constant('revoke' as const),
      atMs,
      key,
      crashesAfterMs: fc.option(fc.integer({ min: 0, max: 4_000 }), { freq: 3 }),
    }),
    weight: 3,
  },
  { arbitrary: fc.record({ kind: fc.constant('restrict' as const), atMs, key }), weight: 2 },
);

/** A burst of requests with one key, around something else that happens to it. */
const burst: fc.Arbitrary<Happening[]> = fc
  .record({
    gateway,
    key,
    fromMs: fc.integer({ min: 0, max: BUSY_MS }),
    gaps: fc.array(fc.nat(3_000), { maxLength: 8 }),
  })
  .map(({ gateway: at, key: with_, fromMs, gaps }) => {
    let time = fromMs;
    return gaps.map((gap): Happening => {
      time += gap;
      return { kind: 'request', atMs: time, gateway: at, key: with_ };
    });
  });

/** A gateway that knows a key and is frozen, clocks and all, until its lease is over and the key is revoked. */
const frozen: fc.Arbitrary<Happening[]> = fc
  .record({
    gateway,
    key,
    fromMs: fc.integer({ min: 9_000, max: 40_000 }),
    forMs: fc.integer({ min: 30_000, max: 55_000 }),
    revokedAfterMs: fc.integer({ min: 0, max: 15_000 }),
    gaps: fc.array(fc.nat(6_000), { minLength: 1, maxLength: 6 }),
  })
  .map(({ gateway: at, key: with_, fromMs, forMs: stoppedMs, revokedAfterMs, gaps }) => {
    let time = fromMs + stoppedMs - 8_000;
    return [
      { kind: 'request', atMs: fromMs, gateway: at, key: with_ },
      { kind: 'stop', atMs: fromMs + 2_500, gateway: at, forMs: stoppedMs, freezes: true },
      { kind: 'revoke', atMs: fromMs + 2_600 + revokedAfterMs, key: with_, crashesAfterMs: null },
      ...gaps.map((gap): Happening => {
        time += gap;
        return { kind: 'request', atMs: time, gateway: at, key: with_ };
      }),
    ];
  });

/** A gateway that keys cannot reach, but that reaches keys, while a key is revoked. */
const deaf: fc.Arbitrary<Happening[]> = fc
  .record({
    gateway,
    key,
    fromMs: fc.integer({ min: 8_000, max: 40_000 }),
    forMs: fc.integer({ min: 1_000, max: 200_000 }),
  })
  .map(({ gateway: at, key: with_, fromMs, forMs: cutMs }) => [
    { kind: 'request', atMs: fromMs, gateway: at, key: with_ },
    { kind: 'cut', atMs: fromMs + 500, gateway: at, forMs: cutMs, way: 'push' },
    { kind: 'revoke', atMs: fromMs + 1_000, key: with_, crashesAfterMs: null },
    { kind: 'request', atMs: fromMs + 40_000, gateway: at, key: with_ },
  ]);

/** Gateways that join, and a mix of what may go wrong while keys are used, restricted and revoked. */
export const schedules: fc.Arbitrary<Schedule> = fc
  .record({
    joins: fc.array(fc.integer({ min: 0, max: 8_000 }), { minLength: GATEWAYS, maxLength: GATEWAYS }),
    mixed: fc.array(happening, { minLength: 4, maxLength: 30 }),
    bursts: fc.array(
      fc.oneof({ arbitrary: burst, weight: 6 }, { arbitrary: frozen, weight: 1 }, { arbitrary: deaf, weight: 1 }),
      { maxLength: 4 },
    ),
    delaysMs: fc.array(
      fc.oneof(
        { arbitrary: fc.integer({ min: 1, max: 20 }), weight: 6 },
        { arbitrary: fc.integer({ min: 20, max: 1_900 }), weight: 3 },
        { arbitrary: fc.constant('lost' as const), weight: 1 },
      ),
      { minLength: 1, maxLength: 40 },
    ),
    rates: fc.array(fc.double({ min: 0.98, max: 1.02, noNaN: true }), { minLength: 1, maxLength: GATEWAYS }),
  })
  .map(({ joins, mixed, bursts, delaysMs, rates }) => ({
    happenings: [
      ...joins.map((at, number): Happening => ({ kind: 'join', atMs: at, gateway: number })),
      ...mixed,
      ...bursts.flat(),
    ],
    delaysMs,
    rates,
  }));
