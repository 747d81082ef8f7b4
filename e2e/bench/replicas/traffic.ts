import { setTimeout as sleep } from 'node:timers/promises';
import { encodeEvent } from '@cairn/contracts';
import { appendToOutbox, createDatabase } from '@cairn/postgres';

export type Backlog = 'documents' | 'runs';

const BACKLOG_BATCHES = 40;
const BATCH_DOCUMENTS = 100;
const BACKLOG_RUNS = 100;

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
  /** Hands in more at once than is done in half a minute, so that every process finds some. */
  backlog(of: Backlog): Promise<void>;
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
  const hook = { url: options.hookUrl, events: ['memory.ingest.completed'] };
  await call('POST', '/webhooks', hook);
  if (failed > 0) throw new Error('the webhook was not registered');

  const every = async (pauseMs: number, work: () => Promise<void>) => {
    while (going) {
      const nextMs = performance.now() + pauseMs;
      await work();
      await sleep(Math.max(0, nextMs - performance.now()));
    }
  };
  const modelCall = () => {
    const usage = { provider: 'openai', model: 'gpt-5-mini', inputTokens: 1_000n, outputTokens: 100n };
    const event = encodeEvent('llmUsage', { tenantId, livemode: true }, usage);
    return outbox
      .withTenant(tenantId, (tx) => appendToOutbox(tx, event))
      .catch(() => {
        failed += 1;
      });
  };
  const content = () => `Crate number${(made += 1)} stands in the harbour. It is kept dry.`;
  const question = { query: 'Which crates stand there?', config: { sources: ['memory'] } };
  const loops = [
    every(100, () => call('GET', '/whoami')),
    every(100, () => call('GET', '/memories')),
    every(150, () => call('POST', '/memory/search', { query: 'What stands in the harbour?' })),
    every(150, () => call('GET', '/search/runs')),
    every(150, () => call('GET', '/webhooks')),
    every(150, () => call('GET', '/usage/credits')),
    every(250, () => call('POST', '/memory/documents', { content: content() })),
    every(1_000, () => call('POST', '/search/research/start', question)),
    every(100, modelCall),
  ];
  return {
    failures: () => failed,
    async backlog(of) {
      if (of === 'runs')
        for (let n = 0; n < BACKLOG_RUNS; n += 1) await call('POST', '/search/research/start', question);
      else
        for (let n = 0; n < BACKLOG_BATCHES; n += 1) {
          const documents = Array.from({ length: BATCH_DOCUMENTS }, () => ({ content: content() }));
          await call('POST', '/memory/documents', { documents });
        }
    },
    async stop() {
      going = false;
      await Promise.all(loops);
      await outbox.close();
    },
  };
}
