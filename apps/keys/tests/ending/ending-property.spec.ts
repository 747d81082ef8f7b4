import { describe, expect, it } from '@jest/globals';
import { specCases } from '@cairn/testing';
import fc from 'fast-check';
import { simulate } from './simulation.ts';
import { sequences } from './steps.ts';
import { GUARDS } from './world.ts';

const RUNS = 12_000;
const RUNS_TO_BREAK = 20_000;
const STEPS_MAX = 16;
const TIMEOUT_MS = 300_000;

describe('nobody, by any sequence of minting, inviting, changing, rotating, ending and connecting apps,', () => {
  it(
    'ends what it may not end or what did not come of it, and an owner always remains',
    () => {
      fc.assert(
        fc.property(sequences(STEPS_MAX), (steps) => expect(simulate(steps)).toEqual([])),
        { numRuns: specCases(RUNS) },
      );
    },
    TIMEOUT_MS,
  );

  it.each(GUARDS)(
    'is stopped without the rule: %s',
    (guard) => {
      const result = fc.check(
        fc.property(sequences(STEPS_MAX), (steps) => simulate(steps, new Set([guard])).length === 0),
        { numRuns: RUNS_TO_BREAK, endOnFailure: true },
      );
      expect([guard, result.failed]).toEqual([guard, true]);
    },
    TIMEOUT_MS,
  );
});
