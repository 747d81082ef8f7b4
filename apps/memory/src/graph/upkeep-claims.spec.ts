import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Database } from '@cairn/postgres';
import { whileLeased } from './upkeep-claims.ts';

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
};

/** Claims whose lease is extended as `held` says: true while it is ours, false once it is somebody else's. */
function claims(held: () => Promise<boolean>) {
  const extended: unknown[] = [];
  const query = async (_sql: string, values: unknown[]) => {
    if (!(await held())) return [];
    extended.push(values);
    return [{}];
  };
  const workerDatabase = { transaction: (work: (tx: unknown) => unknown) => work({ query }) } as unknown as Database;
  return { extended, claims: { workerDatabase, owner: 'engine-1', settleMs: 0 } };
}

/** Work that ends after `ms` and reports when it is aborted. */
const work = (ms: number, aborted: () => void) => (signal: AbortSignal) =>
  new Promise<string>((resolve) => {
    signal.addEventListener('abort', aborted);
    setTimeout(() => resolve('done'), ms);
  });

describe('the lease of a memory that is worked on', () => {
  it('is extended every half minute, however long one step takes, and not any more after the work', async () => {
    const aborted = jest.fn();
    const { extended, claims: ours } = claims(async () => true);
    const done = whileLeased(ours, DUE, new AbortController().signal, work(10 * 60_000, aborted));
    await jest.advanceTimersByTimeAsync(10 * 60_000);
    expect(await done).toBe('done');
    expect(extended.length).toBeGreaterThanOrEqual(19);
    expect(extended[0]).toEqual(['ten_1', 'mem_1', 'engine-1', expect.any(Number)]);
    const [, , , leaseMs] = extended[0] as [string, string, string, number];
    expect(leaseMs).toBeGreaterThan(2 * 30_000);
    const before = extended.length;
    await jest.advanceTimersByTimeAsync(5 * 60_000);
    expect(extended).toHaveLength(before);
    expect(aborted).not.toHaveBeenCalled();
  });

  it.each([
    ['is somebody else’s', async () => false],
    ['cannot be extended', () => Promise.reject(new Error('the database is gone'))],
  ])('tells the work to stop when it %s', async (_when, held) => {
    const aborted = jest.fn();
    const { claims: ours } = claims(held);
    const done = whileLeased(ours, DUE, new AbortController().signal, work(60_000, aborted));
    await jest.advanceTimersByTimeAsync(29_000);
    expect(aborted).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(2_000);
    expect(aborted).toHaveBeenCalledTimes(1);
    await jest.advanceTimersByTimeAsync(60_000);
    await done;
  });
});
