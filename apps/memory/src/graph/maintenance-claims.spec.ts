import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Database } from '@cairn/postgres';
import { whileClaimed } from './maintenance-claims.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const DUE = {
  tenant_id: 'ten_1',
  memory_id: 'mem_1',
  workspace_id: 'ws_1',
  livemode: true,
  revision: 1,
  analysed_revision: 0,
  analysis_version: 1,
  extractor_version: 1,
  relink_after: '',
  lease_owner: 'engine-1',
};

/** A database in which the lease is held as long as `held` returns true, with the statements that extended it. */
function database(held: () => Promise<boolean>) {
  const extended: unknown[] = [];
  const execute = async (_sql: string, values: unknown[]) => {
    if (!(await held())) return 0;
    extended.push(values);
    return 1;
  };
  const ours = { transaction: (work: (tx: unknown) => unknown) => work({ execute }) } as unknown as Database;
  return { extended, ours };
}

/** Work that ends after `ms` and reports when it is aborted. */
const work = (ms: number, aborted: () => void) => (signal: AbortSignal) =>
  new Promise<string>((resolve) => {
    signal.addEventListener('abort', aborted);
    setTimeout(() => resolve('done'), ms);
  });

describe('the lease of a memory under upkeep', () => {
  it('is extended every half minute, however long a step takes, until the work ends', async () => {
    const aborted = jest.fn();
    const { extended, ours } = database(async () => true);
    const done = whileClaimed(ours, DUE, new AbortController().signal, work(10 * 60_000, aborted));
    await jest.advanceTimersByTimeAsync(10 * 60_000);
    expect(await done).toBe('done');
    expect(extended.length).toBeGreaterThanOrEqual(19);
    expect(extended[0]).toEqual([expect.any(Number), 'ten_1', 'mem_1', 'engine-1']);
    const [leaseMs] = extended[0] as [number];
    expect(leaseMs).toBeGreaterThan(2 * 30_000);
    const before = extended.length;
    await jest.advanceTimersByTimeAsync(5 * 60_000);
    expect(extended).toHaveLength(before);
    expect(aborted).not.toHaveBeenCalled();
  });

  it.each([
    ['was lost', async () => false],
    ['cannot be extended', () => Promise.reject(new Error('the database is gone'))],
  ])('aborts the work when it %s', async (_when, held) => {
    const aborted = jest.fn();
    const { ours } = database(held);
    const done = whileClaimed(ours, DUE, new AbortController().signal, work(60_000, aborted));
    await jest.advanceTimersByTimeAsync(29_000);
    expect(aborted).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(2_000);
    expect(aborted).toHaveBeenCalledTimes(1);
    await jest.advanceTimersByTimeAsync(60_000);
    await done;
  });
});
