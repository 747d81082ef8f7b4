import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeEvent } from '@cairn/contracts';
import { connectEventBus, type EventBus, publishEvent } from '@cairn/events';
import type { ReplicatedCluster } from './cluster.ts';
import { CLIENT_ADDRESS } from './hosts.ts';
import type { FinalState, Ledger } from './ledger.ts';
import { RECEIVER_PORT } from './servers.ts';

export interface Load {
  ledger: Ledger;
  /** Ends it, and returns what the cluster holds once all it began has come to rest, or the time is up. */
  settle(timeoutMs: number): Promise<FinalState>;
  stop(): Promise<void>;
}

interface Tenant {
  tenant_id: string;
  api_key: string;
}

interface Answer {
  status: number;
  // Bodies of every operation.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

/** A client with as many lanes as requests a second; each sends one a second, and waits for its answer. */
const REPEAT_STATUSES = new Set([408, 429, 503, 504]);
const REQUEST_TIMEOUT_MS = 15_000;
const GIVE_UP_MS = 120_000;
const REPEAT_PAUSE_MS = 500;
const RUN_EVERY_MS = 15_000;
const PLACES = ['harbour', 'workshop', 'greenhouse', 'archive', 'kitchen', 'tower'];

export async function startLoad(
  cluster: ReplicatedCluster,
  ledger: Ledger,
  requestsPerSecond: number,
  random: () => number,
): Promise<Load> {
  const receiver = await startReceiver(ledger);
  const name = `Load ${randomUUID().slice(0, 8)}`;
  const tenant = await cluster.operator<Tenant>('tenant', 'create', `--name=${name}`, '--plan=enterprise');
  const client = createClient(cluster.gateways, ledger);
  const call = (method: string, path: string, body?: unknown, key = tenant.api_key) =>
    client(method, `/api/v1${path}`, key, body);
  const hook = { url: `http://127.0.0.1:${RECEIVER_PORT}/hook`, events: ['memory.ingest.completed'] };
  const registered = await call('POST', '/webhooks', hook);
  if (registered.status !== 201) throw new Error(`the webhook was not registered: ${JSON.stringify(registered.body)}`);
  const bus = await connectEventBus({ natsUrl: cluster.eventsUrl, name: 'cluster-load', replicas: 3 });
  const operations = operationsOf({ call, cluster, ledger, bus, tenant, random });
  let going = true;
  const lane = async (number: number) => {
    await sleep((number * 1_000) / requestsPerSecond);
    while (going) {
      const nextMs = performance.now() + 1_000;
      await operations.any();
      await sleep(Math.max(0, nextMs - performance.now()));
    }
  };
  const runs = async () => {
    while (going) {
      await operations.startRun();
      await sleep(RUN_EVERY_MS);
    }
  };
  const loops = [...Array.from({ length: requestsPerSecond }, (_, number) => lane(number)), runs()];
  const stopSending = async () => {
    going = false;
    await Promise.all(loops);
  };
  return {
    ledger,
    async settle(timeoutMs) {
      await stopSending();
      return settled(call, cluster, ledger, timeoutMs);
    },
    async stop() {
      await stopSending();
      await bus.close();
      receiver.close();
    },
  };
}

async function startReceiver(ledger: Ledger): Promise<Server> {
  const receiver = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (part: string) => (text += part));
    request.on('end', () => {
      const { event_id: eventId, payload } = JSON.parse(text) as { event_id: string; payload: { doc_id: string } };
      ledger.delivered.push({ docId: payload.doc_id, eventId });
      ledger.deliveredAtMs.push(performance.now());
      response.writeHead(204).end();
    });
  });
  receiver.listen(RECEIVER_PORT, CLIENT_ADDRESS);
  await once(receiver, 'listening');
  return receiver;
}

/**
 * Sends a request to one gateway after the other until the answer is one that ends it, as a client's retry policy
 * does. Every request has an idempotency key or is one that changes nothing, so that it may be repeated.
 */
function createClient(gateways: readonly string[], ledger: Ledger) {
  let turn = 0;
  return async (method: string, path: string, key: string, body?: unknown): Promise<Answer> => {
    const giveUpAt = Date.now() + GIVE_UP_MS;
    const headers = {
      'x-api-key': key,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(method === 'GET' ? {} : { 'idempotency-key': randomUUID() }),
    };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    ledger.requests += 1;
    for (;;) {
      const gateway = gateways[(turn += 1) % gateways.length]!;
      let met: string;
      try {
        const response = await fetch(gateway + path, { ...init, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
        const text = await response.text();
        const answer = { status: response.status, body: parsed(text) };
        const inFlight = answer.status === 409 && answer.body?.code === 'idempotency_in_flight';
        if (!REPEAT_STATUSES.has(answer.status) && !inFlight) {
          if (answer.status >= 500) ledger.failures.push(`${answer.status} for ${method} ${path}: ${text.slice(0, 200)}`);
          return answer;
        }
        met = String(answer.status);
      } catch (error) {
        met = (error as Error).name === 'TimeoutError' ? 'no answer' : 'connection';
      }
      ledger.repeated.set(met, (ledger.repeated.get(met) ?? 0) + 1);
      if (Date.now() > giveUpAt) {
        ledger.failures.push(`${met} for ${method} ${path} for ${GIVE_UP_MS / 1_000} s`);
        return { status: 0, body: null };
      }
      await sleep(REPEAT_PAUSE_MS);
    }
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

type Call = (method: string, path: string, body?: unknown, key?: string) => Promise<Answer>;

interface World {
  call: Call;
  cluster: ReplicatedCluster;
  ledger: Ledger;
  bus: EventBus;
  tenant: Tenant;
  random: () => number;
}

function operationsOf({ call, cluster, ledger, bus, tenant, random }: World) {
  let count = 0;
  const operations: [number, () => Promise<void>][] = [
    [25, ingest],
    [35, search],
    [33, list],
    [4, modelCall],
    [3, revokeKey],
  ];

  async function ingest() {
    const number = (count += 1);
    const externalId = `crate-${number}`;
    const content = `Crate number${number} stands in the ${PLACES[number % PLACES.length]}. It is kept dry.`;
    const { status, body } = await call('POST', '/memory/documents', { documents: [{ content, external_id: externalId }] });
    if (status !== 202) return void fail('ingest', status, body);
    ledger.ingested.set(externalId, body.documents[0].doc_id);
    ledger.acknowledgedAtMs.push(performance.now());
  }

  async function search() {
    const { status, body } = await call('POST', '/memory/search', { query: `What stands in the ${PLACES[count % PLACES.length]}?` });
    if (status !== 200) fail('search', status, body);
  }

  async function list() {
    const { status, body } = await call('GET', '/memories');
    if (status !== 200) fail('list', status, body);
  }

  async function modelCall() {
    const usage = { provider: 'openai', model: 'gpt-5-mini', inputTokens: 1_000n, outputTokens: 100n };
    const event = encodeEvent('llmUsage', { tenantId: tenant.tenant_id, livemode: true }, usage);
    // Some are sent twice: only the event's id says that they are one.
    for (let n = random() < 0.2 ? 2 : 1; n > 0; n -= 1) await published({ ...event, eventId: `${event.eventId}/${n}` });
    ledger.modelCalls.add(event.eventId);
  }

  async function published(event: Parameters<typeof publishEvent>[1]) {
    for (;;) {
      const sent = await publishEvent(bus, event).then(
        () => true,
        () => false,
      );
      if (sent) return;
      await sleep(REPEAT_PAUSE_MS);
    }
  }

  async function revokeKey() {
    const made = await call('POST', '/api-keys', { name: 'short-lived' });
    if (made.status !== 201) return void fail('mint', made.status, made.body);
    const { key_id: keyId, api_key: key } = made.body as { key_id: string; api_key: string };
    await call('GET', '/memories', undefined, key);
    const deleted = await call('DELETE', `/api-keys/${keyId}`);
    if (deleted.status !== 200) return void fail('revoke', deleted.status, deleted.body);
    const entry = { admittedAfterwards: 0 };
    ledger.revoked.set(keyId, entry);
    for (const gateway of cluster.gateways) {
      const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
      const answer = await fetch(`${gateway}/api/v1/memories`, { headers: { 'x-api-key': key }, signal }).catch(() => null);
      if (answer?.ok === true) entry.admittedAfterwards += 1;
      await answer?.arrayBuffer().catch(() => undefined);
    }
  }

  function fail(operation: string, status: number, body: unknown) {
    // Those of 500 and more, and those given up, are noted by the client.
    if (status > 0 && status < 500) ledger.failures.push(`${status} for ${operation}: ${JSON.stringify(body).slice(0, 200)}`);
  }

  return {
    async any() {
      let at = random() * operations.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, operation] of operations) {
        at -= weight;
        if (at < 0) return operation();
      }
    },
    async startRun() {
      const body = { query: 'Which crates stand in the harbour?', config: { sources: ['memory'] } };
      const started = await call('POST', '/search/research/start', body);
      if (started.status !== 200) return void fail('run', started.status, started.body);
      ledger.runs.add(started.body.thread_id);
    },
  };
}

async function settled(call: Call, cluster: ReplicatedCluster, ledger: Ledger, timeoutMs: number): Promise<FinalState> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const state = await finalState(call, cluster, ledger);
    const told = new Set(ledger.delivered.map(({ docId }) => docId));
    const atRest =
      state.documents.every(({ status }) => status === 'completed') &&
      [...ledger.ingested.values()].every((docId) => told.has(docId)) &&
      state.countedCalls >= ledger.modelCalls.size &&
      state.runs.every(({ status }) => status === 'completed' || status === 'failed') &&
      state.credits.reserved === 0;
    if (atRest || Date.now() > deadline) return state;
    await sleep(1_000);
  }
}

async function finalState(call: Call, cluster: ReplicatedCluster, ledger: Ledger): Promise<FinalState> {
  const documents: FinalState['documents'] = [];
  for (let cursor = ''; ; ) {
    const { body } = await call('GET', `/memory/documents?limit=200${cursor}`);
    for (const { external_id, doc_id, status } of body.documents)
      documents.push({ externalId: external_id, docId: doc_id, status });
    if (body.next_cursor === undefined) break;
    cursor = `&cursor=${body.next_cursor}`;
  }
  const runs: FinalState['runs'] = [];
  for (const runId of ledger.runs)
    runs.push({ runId, status: (await call('GET', `/search/workflow/status/${runId}`)).body.status });
  const { body: credits } = await call('GET', '/usage/credits?limit=200');
  const sum = (state: string) =>
    (credits.ledger as { state: string; credits: number }[])
      .filter((entry) => entry.state === state)
      .reduce((total, entry) => total + entry.credits, 0);
  const { body: usage } = await call('GET', '/usage/llm');
  const checked = await cluster.operator<{ differing_rows: number }>('usage', 'rebuild', '--check');
  return {
    documents,
    runs,
    countedCalls: usage.totals.calls,
    differingRollups: checked.differing_rows,
    credits: {
      granted: credits.granted,
      balance: credits.balance,
      charged: credits.llm + sum('settled'),
      reserved: sum('reserved'),
    },
  };
}
