import { afterEach, describe, expect, it } from '@jest/globals';
import type { UsageReport } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { eventually } from '@cairn/testing';
import { createUsageReports, type UsageReports } from './usage-reports.ts';

/** Keys as it counts: each sequence of a boot once. What `fail` throws is thrown before or after it was counted. */
class Keys {
  readonly used = new Map<string, number>();
  readonly received: bigint[] = [];
  readonly requests: UsageReport['requests'] = [];
  private last = 0n;
  before: () => Error | null = () => null;
  after: () => Error | null = () => null;

  async reportUsage(request: unknown): Promise<never> {
    const { sequence, usage, requests } = request as UsageReport;
    this.received.push(sequence);
    const early = this.before();
    if (early !== null) throw early;
    if (sequence > this.last) {
      for (const { keyId, count } of usage) this.used.set(keyId, (this.used.get(keyId) ?? 0) + Number(count));
      this.requests.push(...requests);
      this.last = sequence;
    }
    const late = this.after();
    if (late !== null) throw late;
    return {} as never;
  }
}

const down = () => new CairnError('unavailable', 'Down.');
const errors: unknown[] = [];
let reports: UsageReports | undefined;
function start(
  keys: Keys,
  more: { reportEveryMs?: number; seriesEveryMs?: number; waitingKeysMax?: number } = {},
): UsageReports {
  errors.length = 0;
  const onError = (error: unknown) => void errors.push(error);
  return (reports = createUsageReports({ keys, gatewayId: 'boot', onError, reportEveryMs: 10, ...more }));
}
afterEach(() => reports?.close());

describe('what credentials were used', () => {
  it('is reported as it was, while it goes on', async () => {
    const keys = new Keys();
    const usage = start(keys);
    for (let round = 0; round < 50; round++) {
      usage.count('a');
      if (round % 5 === 0) usage.count('b');
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await eventually(() => keys.used.get('a') === 50 && keys.used.get('b') === 10);
  });

  it('comes to the same over failures before and after keys had counted it', async () => {
    const keys = new Keys();
    let turn = 0;
    keys.before = () => (turn++ % 3 === 0 ? down() : null);
    keys.after = () => (turn % 4 === 0 ? down() : null);
    const usage = start(keys);
    for (let round = 0; round < 200; round++) {
      usage.count(`key ${round % 7}`);
      if (round % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 3));
    }
    const sum = () => [...keys.used.values()].reduce((total, count) => total + count, 0);
    await eventually(() => sum() === 200);
    expect(keys.received.every((sequence, at) => at === 0 || sequence - keys.received[at - 1]! <= 1n)).toBe(true);
  });

  it('is reported when the gateway closes', async () => {
    const keys = new Keys();
    const usage = start(keys, { reportEveryMs: 3_600_000 });
    for (let n = 0; n < 12_000; n++) usage.count(`key ${n}`);
    await usage.close();
    expect(keys.used.size).toBe(12_000);
    expect(keys.received).toEqual([1n, 2n, 3n]);
  });

  it('waits within its bound, and says what it dropped', async () => {
    const keys = new Keys();
    const usage = start(keys, { reportEveryMs: 3_600_000, waitingKeysMax: 2 });
    for (const keyId of ['a', 'b', 'c', 'a']) usage.count(keyId);
    await usage.close();
    expect([...keys.used]).toEqual([
      ['a', 2],
      ['b', 1],
    ]);
    expect(String(errors[0])).toContain('1 requests were not counted');
  });

  it('is not held up by a report that keys will never take', async () => {
    const keys = new Keys();
    let refuse = true;
    keys.before = () => {
      const error = refuse ? new CairnError('validation_failed', 'No.') : null;
      refuse = false;
      return error;
    };
    const usage = start(keys);
    usage.count('bad');
    await eventually(() => keys.received.length > 0);
    usage.count('good');
    await eventually(() => keys.used.get('good') === 1);
    expect(errors).toHaveLength(1);
  });
});

describe('the requests that were answered', () => {
  const answered = { tenantId: 'tnt_1', keyId: 'key_1', operation: 'listMemories', status: 200, durationMs: 3 };

  it('are reported in groups of what was alike, now and then and at the end, each once', async () => {
    const keys = new Keys();
    let turn = 0;
    keys.after = () => (turn++ % 2 === 0 ? down() : null);
    const usage = start(keys, { seriesEveryMs: 40 });
    for (let round = 0; round < 100; round++) {
      usage.answered(answered);
      usage.answered({ ...answered, status: 503, durationMs: 40_000 });
      usage.answered({ ...answered, operation: 'streamSearch', durationMs: null });
      if (round % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await usage.close();
    await usage.close();
    const sum = (operation: string, statusClass: number) =>
      keys.requests
        .filter((group) => group.operation === operation && group.statusClass === statusClass)
        .map(({ requests, durations }) => ({ requests, durations }))
        .reduce(
          (total, { requests, durations }) => ({
            requests: total.requests + Number(requests),
            timed: total.timed.map((count, bucket) => count + Number(durations[bucket])),
          }),
          { requests: 0, timed: Array.from({ length: 15 }, () => 0) },
        );
    const timed = (bucket: number) => Array.from({ length: 15 }, (_, at) => (at === bucket ? 100 : 0));
    expect(sum('listMemories', 2)).toEqual({ requests: 100, timed: timed(2) });
    expect(sum('listMemories', 5)).toEqual({ requests: 100, timed: timed(14) });
    expect(sum('streamSearch', 2)).toEqual({ requests: 100, timed: timed(-1) });
  });

  it('beyond the bound on waiting groups are dropped, and an error says how many', async () => {
    const keys = new Keys();
    const usage = start(keys, { waitingKeysMax: 2 });
    for (const keyId of ['a', 'b', 'c', 'a']) usage.answered({ ...answered, keyId });
    await usage.close();
    expect(keys.requests.map(({ keyId, requests }) => [keyId, Number(requests)])).toEqual([
      ['a', 2],
      ['b', 1],
    ]);
    expect(String(errors[0])).toContain('1 requests were not counted');
  });
});
