import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase } from '@cairn/postgres';
import { type Call, createClient } from './client.ts';
import type { ReplicatedCluster } from './cluster.ts';
import { CLIENT_ADDRESS } from './hosts.ts';
import type { FinalState, Ledger } from './ledger.ts';
import { anyOperation, startRun, type LoadContext } from './operations.ts';
import { RECEIVER_PORT } from './servers.ts';

interface Load {
  /** Ends it, and returns what the cluster holds once all it began has come to rest, or the time is up. */
  settle(timeoutMs: number): Promise<FinalState>;
  stop(): Promise<void>;
}

const LANE_MS = 1_000;
const RUN_EVERY_MS = 15_000;
const LOOK_EVERY_MS = 1_000;

/** As many lanes as requests a second; each sends one a second, and waits for its answer before the next. */
export async function startLoad(
  cluster: ReplicatedCluster,
  ledger: Ledger,
  requestsPerSecond: number,
  random: () => number,
): Promise<Load> {
  const receiver = await startReceiver(ledger);
  const name = `Load ${randomUUID().slice(0, 8)}`;
  const tenant = await cluster.operator<{ tenant_id: string; api_key: string }>(
    'tenant',
    'create',
    `--name=${name}`,
    '--plan=enterprise',
  );
  const call = createClient(cluster.gateways, ledger, tenant.api_key);
  const hook = { url: `http://127.0.0.1:${RECEIVER_PORT}/hook`, events: ['memory.ingest.completed'] };
  if ((await call('POST', '/webhooks', hook, 201)) === null)
    throw new Error(`the webhook was not registered: ${ledger.failures.at(-1)}`);
  const outbox = createDatabase({ url: cluster.outboxUrl, applicationName: 'cluster-load', poolMax: 4 });
  const { gateways } = cluster;
  const world: LoadContext = { call, gateways, ledger, outbox, tenantId: tenant.tenant_id, random, made: 0 };
  let going = true;
  const lane = async (number: number) => {
    await sleep((number * LANE_MS) / requestsPerSecond);
    while (going) {
      const nextMs = performance.now() + LANE_MS;
      await anyOperation(world);
      await sleep(Math.max(0, nextMs - performance.now()));
    }
  };
  const runs = async () => {
    for (; going; await sleep(RUN_EVERY_MS)) await startRun(world);
  };
  const loops = [...Array.from({ length: requestsPerSecond }, (_, number) => lane(number)), runs()];
  const stopSending = async () => {
    going = false;
    await Promise.all(loops);
  };
  return {
    async settle(timeoutMs) {
      await stopSending();
      return settled(call, cluster, ledger, timeoutMs);
    },
    async stop() {
      await stopSending();
      await outbox.close();
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
    await sleep(LOOK_EVERY_MS);
  }
}

async function finalState(call: Call, cluster: ReplicatedCluster, ledger: Ledger): Promise<FinalState> {
  const documents: FinalState['documents'] = [];
  for (let cursor = ''; ;) {
    const body = await call('GET', `/memory/documents?limit=200${cursor}`, undefined, 200);
    for (const { external_id, doc_id, status } of body.documents)
      documents.push({ externalId: external_id, docId: doc_id, status });
    if (body.next_cursor === undefined) break;
    cursor = `&cursor=${body.next_cursor}`;
  }
  const runs: FinalState['runs'] = [];
  for (const runId of ledger.runs)
    runs.push({ runId, status: (await call('GET', `/search/workflow/status/${runId}`, undefined, 200)).status });
  const credits = await call('GET', '/usage/credits?limit=200', undefined, 200);
  // Runs, and the model calls of each day.
  const sum = (state: string) =>
    (credits.ledger as { state: string; credits: number }[])
      .filter((entry) => entry.state === state)
      .reduce((total, entry) => total + entry.credits, 0);
  const usage = await call('GET', '/usage/llm', undefined, 200);
  const checked = await cluster.operator<{ differing_rows: number }>('usage', 'rebuild', '--check');
  return {
    documents,
    runs,
    countedCalls: usage.totals.calls,
    differingRollups: checked.differing_rows,
    credits: {
      granted: credits.granted,
      balance: credits.balance,
      charged: sum('settled'),
      reserved: sum('reserved'),
    },
  };
}
