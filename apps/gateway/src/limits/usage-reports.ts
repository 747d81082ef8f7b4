import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { KeysService } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import type { RpcClient, Running } from '@cairn/service-kit';
import { type AnsweredRequest, type RequestGroup, RequestSeries } from './request-series.ts';

const REPORT_EVERY_MS = 1_000;
const REPORT_TIMEOUT_MS = 3_000;
const REPORT_ENTRIES_MAX = 5_000;
/** Keys whose usage waits to be reported; usage of further keys is dropped, and logged. */
const WAITING_KEYS_MAX = 200_000;
/** The series counts by the hour, so it is reported less often than the last use of a key. */
const SERIES_EVERY_MS = 10_000;
const SERIES_ENTRIES_MAX = 2_000;

interface KeyUsage {
  count: number;
  lastUsedAtMs: number;
}

interface Report {
  sequence: bigint;
  usage: [keyId: string, usage: KeyUsage][];
  requests: RequestGroup[];
}

export interface UsageReports extends Running {
  /** Counts one request that was admitted. */
  count(keyId: string): void;
  /** Counts one permitted request that was answered, for the series of requests. */
  answered(request: AnsweredRequest): void;
}

interface UsageReportsOptions {
  keys: Pick<RpcClient<typeof KeysService>, 'reportUsage'>;
  /** Names this gateway process, and is never reused. */
  gatewayId: string;
  onError: (error: unknown) => void;
  reportEveryMs?: number;
  seriesEveryMs?: number;
  waitingKeysMax?: number;
}

/**
 * Reports the usage of credentials to keys every second. A report that may not have arrived is sent again under its
 * sequence number, and keys counts each sequence number once, so the counts are exact unless the process is killed:
 * then what was counted since the last report is lost. Closing sends the rest.
 */
export function createUsageReports(options: UsageReportsOptions): UsageReports {
  const waitingMax = options.waitingKeysMax ?? WAITING_KEYS_MAX;
  const waiting = new Map<string, KeyUsage>();
  const series = new RequestSeries(waitingMax);
  const seriesEveryMs = options.seriesEveryMs ?? SERIES_EVERY_MS;
  let seriesSentMs = performance.now();
  let closing = false;
  let dropped = 0;
  let sequence = 0n;
  let unacknowledged: Report | null = null;
  let sending: Promise<void> | null = null;

  function nextReport(): Report | null {
    const isSeriesDue = !series.isEmpty && (closing || performance.now() - seriesSentMs >= seriesEveryMs);
    if (waiting.size === 0 && !isSeriesDue) return null;
    const usage = [...waiting].slice(0, REPORT_ENTRIES_MAX);
    for (const [keyId] of usage) waiting.delete(keyId);
    const requests = isSeriesDue ? series.take(SERIES_ENTRIES_MAX) : [];
    if (isSeriesDue && series.isEmpty) seriesSentMs = performance.now();
    return { sequence: ++sequence, usage, requests };
  }

  async function sendAll(): Promise<void> {
    for (;;) {
      unacknowledged ??= nextReport();
      if (unacknowledged === null) return;
      await send(options, unacknowledged);
      unacknowledged = null;
    }
  }

  const report = () => {
    if (dropped > 0)
      options.onError(
        new Error(`usage of more than ${waitingMax} keys waits to be reported; ${dropped} requests were not counted`),
      );
    dropped = 0;
    sending ??= sendAll()
      .catch(options.onError)
      .finally(() => {
        sending = null;
      });
    return sending;
  };
  const timer = setInterval(report, options.reportEveryMs ?? REPORT_EVERY_MS);
  timer.unref();

  return {
    count(keyId) {
      const use = waiting.get(keyId);
      if (use !== undefined) {
        use.count++;
        use.lastUsedAtMs = Date.now();
      } else if (waiting.size < waitingMax) waiting.set(keyId, { count: 1, lastUsedAtMs: Date.now() });
      else dropped++;
    },
    answered(request) {
      if (!series.add(request)) dropped++;
    },
    async close() {
      clearInterval(timer);
      await sending;
      closing = true;
      await report();
    },
  };
}

async function send(
  { keys, gatewayId, onError }: UsageReportsOptions,
  { sequence, usage, requests }: Report,
): Promise<void> {
  const request = {
    gatewayId,
    sequence,
    usage: usage.map(([keyId, { count, lastUsedAtMs }]) => ({
      keyId,
      count: BigInt(count),
      lastUsedAt: timestampFromMs(lastUsedAtMs),
    })),
    requests: requests.map(({ atMs, requests: count, durations, ...group }) => ({
      ...group,
      at: timestampFromMs(atMs),
      requests: BigInt(count),
      durations: durations.map(BigInt),
    })),
  };
  try {
    await keys.reportUsage(request, { timeoutMs: REPORT_TIMEOUT_MS });
  } catch (error) {
    // A retry would be rejected again, and everything behind it would wait forever.
    if (!(error instanceof CairnError) || error.code !== 'validation_failed') throw error;
    onError(error);
  }
}
