import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { KeysService } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import type { RpcClient, Running } from '@cairn/service-kit';

const REPORT_EVERY_MS = 1_000;
const REPORT_TIMEOUT_MS = 3_000;
const REPORT_ENTRIES_MAX = 5_000;
/** Keys whose use waits to be reported; use of further ones is dropped, and said to be. */
const WAITING_KEYS_MAX = 200_000;

interface Use {
  count: number;
  lastUsedAtMs: number;
}

interface Report {
  sequence: bigint;
  usage: [keyId: string, use: Use][];
}

export interface UsageReports extends Running {
  /** Counts one request that was let in. */
  count(keyId: string): void;
}

export interface UsageReportsOptions {
  keys: Pick<RpcClient<typeof KeysService>, 'reportUsage'>;
  /** Names this boot of this gateway and no other. */
  gatewayId: string;
  onError: (error: unknown) => void;
  reportEveryMs?: number;
  waitingKeysMax?: number;
}

/**
 * Tells keys every second what credentials were used. A report that may or may not have arrived is sent again under
 * its sequence, and keys adds each sequence once, so the counts are exact unless the process is killed: then what was
 * counted since the last report is lost. Closing sends the rest.
 */
export function createUsageReports(options: UsageReportsOptions): UsageReports {
  const waitingMax = options.waitingKeysMax ?? WAITING_KEYS_MAX;
  const waiting = new Map<string, Use>();
  let dropped = 0;
  let sequence = 0n;
  let unanswered: Report | null = null;
  let sending: Promise<void> | null = null;

  function nextReport(): Report | null {
    if (waiting.size === 0) return null;
    const usage = [...waiting].slice(0, REPORT_ENTRIES_MAX);
    for (const [keyId] of usage) waiting.delete(keyId);
    return { sequence: ++sequence, usage };
  }

  async function sendAll(): Promise<void> {
    for (;;) {
      unanswered ??= nextReport();
      if (unanswered === null) return;
      await send(options, unanswered);
      unanswered = null;
    }
  }

  const report = () => {
    if (dropped > 0) options.onError(new Error(`the use of more than ${waitingMax} keys waits; ${dropped} dropped`));
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
    async close() {
      clearInterval(timer);
      await sending;
      await report();
    },
  };
}

async function send({ keys, gatewayId, onError }: UsageReportsOptions, { sequence, usage }: Report): Promise<void> {
  const request = {
    gatewayId,
    sequence,
    usage: usage.map(([keyId, { count, lastUsedAtMs }]) => ({
      keyId,
      count: BigInt(count),
      lastUsedAt: timestampFromMs(lastUsedAtMs),
    })),
  };
  try {
    await keys.reportUsage(request, { timeoutMs: REPORT_TIMEOUT_MS });
  } catch (error) {
    // Sent again it would be refused again, and everything behind it would wait for ever.
    if (!(error instanceof CairnError) || error.code !== 'validation_failed') throw error;
    onError(error);
  }
}
