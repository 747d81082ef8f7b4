import { setTimeout as sleep } from 'node:timers/promises';
import { encodeEvent } from '@cairn/contracts';
import { appendToOutbox, createDatabase } from '@cairn/postgres';

export type Backlog = 'documents' | 'runs';

/** How much waits at least, and how many requests hand in more at once when it is less. */
const WAITING_MIN: Record<Backlog, number> = { documents: 1_500, runs: 80 };
const AT_ONCE: Record<Backlog, number> = { documents: 4, runs: 12 };
const BATCH_DOCUMENTS = 100;
const LOOK_AGAIN_MS = 300;
const MODEL_CALL = { provider: 'openai', model: 'gpt-5-mini', inputTokens: 1_000n, outputTokens: 100n };

interface TrafficOptions {
  gatewayUrl: string;
  apiKey: string;
  tenantId: string;
  /** Of a service that publishes model calls. */
  outboxUrl: string;
  /** Where a webhook is delivered to. */
  hookUrl: string;
}

export interface Traffic {
  /** Hands in more whenever little waits, until the signal aborts, so that every process always finds some. */
  keepWaiting(of: Backlog, countWaiting: () => Promise<number>, signal: AbortSignal): Promise<void>;
  /** Requests that did not get what they should. */
  failures(): number;
  stop(): Promise<void>;
}

/** Requests to every service, and what makes work in the background, each at a rate of its own. */
export async function startTraffic(options: TrafficOptions): Promise<Traffic> {
  const { gatewayUrl, apiKey, tenantId } = options;
  const outbox = createDatabase({ url: options.outboxUrl, applicationName: 'bench-replicas', poolMax: 2 });
  let failed = 0;
  let going = true;
  let made = 0;
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${gatewayUrl}/api/v1${path}`, {
      method,
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch(() => null);
    await response?.arrayBuffer();
    if (response?.ok !== true) failed += 1;
  };
  await call('POST', '/webhooks', { url: options.hookUrl, events: ['memory.ingest.completed'] });
  if (failed > 0) throw new Error('the webhook was not registered');

  const every = async (pauseMs: number, work: () => Promise<void>) => {
    while (going) {
      const nextMs = performance.now() + pauseMs;
      await work();
      await sleep(Math.max(0, nextMs - performance.now()));
    }
  };
  const modelCall = () => {
    const event = encodeEvent('llmUsage', { tenantId, livemode: true }, MODEL_CALL);
    return outbox
      .withTenant(tenantId, (tx) => appendToOutbox(tx, event))
      .catch(() => {
        failed += 1;
      });
  };
  const content = () => `Crate number${(made += 1)} stands in the harbour. It is kept dry.`;
  const question = { query: 'Which crates stand there?', config: { sources: ['memory'] } };
  const loops = [
    // Keys asks tenancy by gRPC, which asks research: a fourth of them from process to process by name.
    ...Array.from({ length: 4 }, () => every(100, () => call('GET', '/whoami'))),
    every(100, () => call('GET', '/memories')),
    every(150, () => call('POST', '/memory/search', { query: 'What stands in the harbour?' })),
    every(150, () => call('GET', '/search/runs')),
    every(150, () => call('GET', '/webhooks')),
    every(150, () => call('GET', '/usage/credits')),
    // Asks keys, memory, webhooks and usage by gRPC.
    every(100, () => call('GET', '/usage/limits')),
    every(250, () => call('POST', '/memory/documents', { content: content() })),
    every(1_000, () => call('POST', '/search/research/start', question)),
    every(100, modelCall),
  ];
  return {
    failures: () => failed,
    async keepWaiting(of, countWaiting, signal) {
      const handIn = {
        runs: () => call('POST', '/search/research/start', question),
        documents: () => {
          const documents = Array.from({ length: BATCH_DOCUMENTS }, () => ({ content: content() }));
          return call('POST', '/memory/documents', { documents });
        },
      }[of];
      while (!signal.aborted) {
        if ((await countWaiting().catch(() => Infinity)) >= WAITING_MIN[of]) await sleep(LOOK_AGAIN_MS);
        else await Promise.all(Array.from({ length: AT_ONCE[of] }, handIn));
      }
    },
    async stop() {
      going = false;
      await Promise.all(loops);
      await outbox.close();
    },
  };
}
