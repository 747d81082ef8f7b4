import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { specCases } from '@cairn/testing';
import { schedules } from './schedules.ts';
import { GUARDS, simulate } from './simulation.ts';

const RUNS = specCases(800);
const RUNS_TO_BREAK = 3_000;
const TIMEOUT_MS = 240_000;

describe('the revocation protocol', () => {
  it(
    'admits no request whose first byte was sent after a revocation or restriction was answered, in any schedule',
    async () => {
      await fc.assert(
        fc.asyncProperty(schedules, async (schedule) => {
          expect(await simulate(schedule)).toEqual([]);
        }),
        { numRuns: RUNS },
      );
    },
    TIMEOUT_MS,
  );

  it.each(GUARDS)(
    'fails without the %s',
    async (guard) => {
      const result = await fc.check(
        fc.asyncProperty(schedules, async (schedule) => {
          expect(await simulate(schedule, new Set([guard]))).toEqual([]);
        }),
        { numRuns: RUNS_TO_BREAK, endOnFailure: true },
      );
      expect([guard, result.failed]).toEqual([guard, true]);
    },
    TIMEOUT_MS,
  );
});
