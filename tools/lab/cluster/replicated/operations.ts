import { setTimeout as sleep } from 'node:timers/promises';
import { encodeEvent } from '@cairn/contracts';
import { appendAllToOutbox, type Database } from '@cairn/postgres';
import type { Call } from './client.ts';
import type { Ledger } from './ledger.ts';

/** What the operations of a load work with. */
export interface LoadContext {
  call: Call;
  gateways: readonly string[];
  ledger: Ledger;
  /** Of a service that publishes model calls. */
  outbox: Database;
  tenantId: string;
  random: () => number;
  /** How many documents were made. */
  made: number;
}

const PLACES = ['harbour', 'workshop', 'greenhouse', 'archive', 'kitchen', 'tower'];
const ADMITTED_TIMEOUT_MS = 15_000;
const WRITE_PAUSE_MS = 500;
/** Of a hundred requests. */
const SHARES: [number, (world: LoadContext) => Promise<void>][] = [
  [25, ingest],
  [35, search],
  [33, listMemories],
  [4, callModel],
  [3, revokeKey],
];

/** Does one of the operations, each as often as its share. */
export async function anyOperation(world: LoadContext): Promise<void> {
  let at = world.random() * SHARES.reduce((sum, [share]) => sum + share, 0);
  const chosen = SHARES.find(([share]) => (at -= share) < 0) ?? SHARES[0]!;
  await chosen[1](world);
}

/** Starts a run over the tenant's documents. */
export async function startRun({ call, ledger }: LoadContext): Promise<void> {
  const body = { query: 'Which crates stand in the harbour?', config: { sources: ['memory'] } };
  const started = await call('POST', '/search/research/start', body, 200);
  if (started !== null) ledger.runs.add(started.thread_id);
}

async function ingest(world: LoadContext): Promise<void> {
  const number = (world.made += 1);
  const externalId = `crate-${number}`;
  const content = `Crate number${number} stands in the ${PLACES[number % PLACES.length]}. It is kept dry.`;
  const documents = [{ content, external_id: externalId }];
  const accepted = await world.call('POST', '/memory/documents', { documents }, 202);
  if (accepted === null) return;
  world.ledger.ingested.set(externalId, accepted.documents[0].doc_id);
  world.ledger.acknowledgedAtMs.push(performance.now());
}

async function search({ call, made }: LoadContext): Promise<void> {
  await call('POST', '/memory/search', { query: `What stands in the ${PLACES[made % PLACES.length]}?` }, 200);
}

async function listMemories({ call }: LoadContext): Promise<void> {
  await call('GET', '/memories', undefined, 200);
}

/** A model call, which goes the way of all of them: into a service's outbox, and from there with its relay. */
async function callModel({ outbox, ledger, tenantId, random }: LoadContext): Promise<void> {
  const usage = { provider: 'openai', model: 'gpt-5-mini', inputTokens: 1_000n, outputTokens: 100n };
  const event = encodeEvent('llmUsage', { tenantId, livemode: true }, usage);
  ledger.modelCalls.add(event.eventId);
  // Some are sent twice under other message ids: only the event's own id says that they are one.
  const sent = Array.from({ length: random() < 0.2 ? 2 : 1 }, (_none, n) => ({
    ...event,
    eventId: `${event.eventId}/${n}`,
  }));
  for (;;) {
    // Written again when nobody knows whether it was: then it is one more time the same event.
    const failed = await outbox
      .withTenant(tenantId, (tx) => appendAllToOutbox(tx, sent))
      .then(
        () => false,
        () => true,
      );
    if (!failed) return;
    await sleep(WRITE_PAUSE_MS);
  }
}

async function revokeKey({ call, gateways, ledger }: LoadContext): Promise<void> {
  const made = await call('POST', '/api-keys', { name: 'short-lived' }, 201);
  if (made === null) return;
  const { key_id: keyId, api_key: key } = made as { key_id: string; api_key: string };
  await call('GET', '/memories', undefined, 200, key);
  if ((await call('DELETE', `/api-keys/${keyId}`, undefined, 200)) === null) return;
  const entry = { admittedAfterwards: 0 };
  ledger.revoked.set(keyId, entry);
  for (const gateway of gateways) {
    const signal = AbortSignal.timeout(ADMITTED_TIMEOUT_MS);
    const url = `${gateway}/api/v1/memories`;
    const answer = await fetch(url, { headers: { 'x-api-key': key }, signal }).catch(() => null);
    if (answer?.ok === true) entry.admittedAfterwards += 1;
    await answer?.arrayBuffer().catch(() => undefined);
  }
}
