import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { StartingRuns } from './starting-runs.ts';

describe('runs that are starting', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('are few at a time; each makes room by a step or by the time that passes', () => {
    let calls = 0;
    const starting = new StartingRuns(1_000, () => {
      calls += 1;
    });
    const all = starting.room;
    for (let run = 1; run <= all; run += 1) starting.add(`run_${run}`);
    expect(starting.room).toBe(0);
    starting.remove('run_1');
    starting.remove('run_1');
    expect([starting.room, calls]).toEqual([1, 1]);
    jest.advanceTimersByTime(1_000);
    expect([starting.room, calls]).toEqual([all, all]);
    starting.add('run_1');
    starting.close();
    jest.advanceTimersByTime(1_000);
    expect(calls).toBe(all);
  });
});
