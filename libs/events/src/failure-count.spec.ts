import { describe, expect, it } from '@jest/globals';
import { createFailureCount } from './failure-count.ts';

const delivery = (deliveryCount: number, seq = 1) => ({ seq, info: { deliveryCount } });

describe('an event', () => {
  it('that always fails by itself is given up at its eighth delivery, at whichever replica', () => {
    const replicas = [createFailureCount(), createFailureCount(), createFailureCount()];
    const givenUp = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => replicas[n % 3]!.add(delivery(n), false));
    expect(givenUp).toEqual([false, false, false, false, false, false, false, true]);
  });

  it('is never given up for what it is not to blame for, and then still has its eight failures', () => {
    const failures = createFailureCount();
    for (let n = 1; n <= 20; n += 1) expect(failures.add(delivery(n), true)).toBe(false);
    for (let n = 21; n <= 27; n += 1) expect(failures.add(delivery(n), false)).toBe(false);
    expect(failures.add(delivery(28), false)).toBe(true);
  });

  it('has them, too, when its blameless deliveries were at another replica or before a restart', () => {
    const failures = createFailureCount();
    for (let n = 9; n <= 15; n += 1) expect(failures.add(delivery(n), false)).toBe(false);
    expect(failures.add(delivery(16), false)).toBe(true);
  });

  it('is not given up at its eighth delivery when an earlier one was blameless', () => {
    const failures = createFailureCount();
    expect(failures.add(delivery(3), true)).toBe(false);
    expect(failures.add(delivery(8), false)).toBe(false);
  });

  it('that was handled has all its tries when it comes again', () => {
    const failures = createFailureCount();
    for (let n = 9; n <= 15; n += 1) failures.add(delivery(n), false);
    failures.forget(delivery(15));
    expect(failures.add(delivery(16), false)).toBe(false);
  });

  it('is not given up for the failures of another one that had its number in a stream that was lost', () => {
    const failures = createFailureCount();
    for (let n = 9; n <= 15; n += 1) failures.add(delivery(n), false);
    expect(failures.add(delivery(1), false)).toBe(false);
    expect(failures.add(delivery(2), false)).toBe(false);
  });

  it('that failed long before very many others is forgotten', () => {
    const failures = createFailureCount();
    for (let n = 9; n <= 15; n += 1) failures.add(delivery(n), false);
    for (let seq = 2; seq <= 10_001; seq += 1) failures.add(delivery(1, seq), false);
    expect(failures.add(delivery(16), false)).toBe(false);
  });
});
