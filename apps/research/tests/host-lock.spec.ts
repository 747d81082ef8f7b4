import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, eventually, type TestDatabase } from '@cairn/testing';
import { withHostLock } from '../src/crawl/host-lock.ts';
import { MIGRATIONS } from '../src/migrate.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase({ service: 'research', migrations: MIGRATIONS });
});
afterAll(() => test.close());

const never = new AbortController().signal;
const lock = <T>(host: string, holder: string, work: () => Promise<T>, { pauseMs = 0, signal = never } = {}) =>
  withHostLock(test.worker, { host, holder, pauseMs, signal }, work);
const holderOf = async (host: string) => {
  const select = 'SELECT busy_by FROM crawl_hosts WHERE host = $1';
  return (await test.worker.transaction((tx) => tx.query<{ busy_by: string | null }>(select, [host])))[0]?.busy_by;
};

describe('the lock of a host', () => {
  it('lets one holder work at a time, and other hosts meanwhile', async () => {
    let [working, most] = [0, 0];
    const work = async () => {
      working += 1;
      most = Math.max(most, working);
      await test.worker.ping();
      working -= 1;
    };
    await lock('other.test', 'elsewhere', () => Promise.all([1, 2, 3, 4].map((n) => lock('one.test', `${n}`, work))));
    expect(most).toBe(1);
  });

  it('is not taken before the pause after the last request is over', async () => {
    await lock('paused.test', 'first', async () => undefined, { pauseMs: 600 });
    const releasedAt = performance.now();
    await lock('paused.test', 'second', async () => undefined);
    expect(performance.now() - releasedAt).toBeGreaterThan(500);
  });

  it('is taken over when the lease of its holder is over, and stays with the new holder when the first one ends', async () => {
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const firstDone = lock('taken.test', 'first', () => first.promise);
    await eventually(async () => (await holderOf('taken.test')) === 'first');
    const secondDone = lock('taken.test', 'second', () => second.promise);
    await eventually(async () => {
      const end = `UPDATE crawl_hosts SET busy_until = now() - interval '1 second' WHERE busy_by = 'first'`;
      await test.worker.transaction((tx) => tx.execute(end));
      return (await holderOf('taken.test')) === 'second';
    });
    first.resolve();
    await firstDone;
    expect(await holderOf('taken.test')).toBe('second');
    second.resolve();
    await secondDone;
    expect(await holderOf('taken.test')).toBeNull();
  });

  it('is no longer waited for once the work is aborted', async () => {
    const stop = new AbortController();
    const waiting = lock('aborted.test', 'first', () => {
      const other = lock('aborted.test', 'second', async () => undefined, { signal: stop.signal });
      stop.abort();
      return expect(other).rejects.toThrow('aborted');
    });
    await waiting;
  });
});
