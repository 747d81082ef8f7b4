import { describe, expect, it } from '@jest/globals';
import { specCases } from '@cairn/testing';
import fc from 'fast-check';
import { GUARDS, simulate } from './simulation.ts';
import { sequences } from './steps.ts';

const RUNS = 10_000;
const RUNS_TO_BREAK = 10_000;
const STEPS_MAX = 10;
const TIMEOUT_MS = 300_000;

describe('whoever holds some credentials', () => {
  it(
    'reaches nothing that none of them allowed, by any sequence of minting, changing, rotating, clients and tokens',
    () => {
      fc.assert(
        fc.property(sequences(STEPS_MAX), (sequence) => expect(simulate(sequence)).toEqual([])),
        { numRuns: specCases(RUNS) },
      );
    },
    TIMEOUT_MS,
  );

  it.each(GUARDS)(
    'would, without the %s',
    (guard) => {
      const result = fc.check(
        fc.property(sequences(STEPS_MAX), (sequence) => simulate(sequence, new Set([guard])).length === 0),
        { numRuns: RUNS_TO_BREAK, endOnFailure: true },
      );
      expect([guard, result.failed]).toEqual([guard, true]);
    },
    TIMEOUT_MS,
  );
});
