import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { LeaseLostError, whileLeased } from './while-leased.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Work that takes a minute and returns why it was aborted. */
const minute = (signal: AbortSignal) =>
  new Promise<unknown>((resolve) => {
    setTimeout(() => resolve(signal.reason), 60_000);
  });

describe('a heartbeat', () => {
  it('extends the lease for as long as the work takes, and no longer', async () => {
    const extend = jest.fn(async () => true);
    const done = whileLeased({ everyMs: 1_000, extend }, minute);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(await done).toBeUndefined();
    const extended = extend.mock.calls.length;
    expect(extended).toBeGreaterThanOrEqual(59);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(extend).toHaveBeenCalledTimes(extended);
  });

  it('ends when the work fails', async () => {
    const extend = jest.fn(async () => true);
    const failure = new Error('the work failed');
    await expect(whileLeased({ everyMs: 1_000, extend }, () => Promise.reject(failure))).rejects.toBe(failure);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(extend).not.toHaveBeenCalled();
  });

  it('aborts the work as soon as it finds the lease lost', async () => {
    let extensions = 0;
    const extend = async () => {
      extensions += 1;
      return extensions < 3;
    };
    const aborted = jest.fn();
    const done = whileLeased({ everyMs: 1_000, extend }, (signal) => {
      signal.addEventListener('abort', aborted);
      return minute(signal);
    });
    await jest.advanceTimersByTimeAsync(2_999);
    expect(aborted).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    expect(aborted).toHaveBeenCalledTimes(1);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(await done).toBeInstanceOf(LeaseLostError);
  });

  it('reports a failed extension without aborting the work, and tries again', async () => {
    const failure = new Error('the database is away');
    const extend = jest.fn(async () => true).mockRejectedValueOnce(failure);
    const onError = jest.fn();
    const done = whileLeased({ everyMs: 1_000, extend, onError }, minute);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(await done).toBeUndefined();
    expect(onError.mock.calls).toEqual([[failure]]);
    expect(extend.mock.calls.length).toBeGreaterThan(50);
  });
});
