import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { EventReplayService, subjectOfKind } from '@cairn/contracts';
import { eraseStoredEvents, replayPublished } from '@cairn/postgres';
import { listenGrpc, rpcClient } from '@cairn/service-kit';
import {
  ANY_PORT,
  createTestIdentities,
  eventually,
  startTestNats,
  type TestDatabase,
  type TestNats,
} from '@cairn/testing';
import {
  connectEventBus,
  consumeEventBatches,
  consumeEvents,
  type EventBus,
  eventReplayService,
  relayOutbox,
} from '../src/index.ts';
import { commitEvent, createEventsDatabase, ingested, silent, titleOf } from './event-fixtures.ts';

let nats: TestNats;
let database: TestDatabase;
let bus: EventBus;
let running: { close(): Promise<void> }[];
let handled: string[];
let batched: string[];

beforeEach(async () => {
  nats = await startTestNats();
  database = await createEventsDatabase();
  bus = await connectEventBus({ natsUrl: nats.url, name: 'replay' });
  handled = [];
  batched = [];
  running = [await relayOutbox({ bus, database: database.worker, schema: 'events', logger: silent })];
});
afterEach(async () => {
  await Promise.all(running.map((part) => part.close()));
  await bus.close();
  await database.close();
  await nats.remove();
});

const consumer = { subject: subjectOfKind('ingestCompleted'), logger: silent };

/** Both kinds of consumers; the one of batches recognises repeats by its own table, as usage does. */
async function consume(): Promise<void> {
  const recordOnce = async (title: string) => {
    if (!batched.includes(title)) batched.push(title);
  };
  running.push(
    await consumeEvents({
      ...consumer,
      bus,
      durable: 'one-by-one',
      database: database.worker,
      backoffMs: [50],
      async handle(_tx, event) {
        handled.push(titleOf(event)!);
      },
    }),
    await consumeEventBatches<string>({
      ...consumer,
      bus,
      durable: 'batches',
      read: (event) => titleOf(event)!,
      async handle(titles) {
        for (const title of titles) await recordOnce(title);
      },
    }),
  );
}

async function commit(...titles: string[]): Promise<void> {
  for (const title of titles) await commitEvent(database.app, ingested(title));
}

const count = async (table: string) =>
  (await database.worker.transaction((tx) => tx.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`)))[0]!.n;
const drained = () =>
  eventually(
    () => count('outbox'),
    (left) => left === 0,
  );
const replayAll = async () => {
  const between = { since: new Date(0), until: new Date() };
  let replayed = 0;
  for (let moved = 1; moved > 0; replayed += moved) moved = await replayPublished(database.worker, between);
  return replayed;
};

async function loseTheStreams(): Promise<void> {
  await nats.kill9();
  await rm(join(nats.dataDir, 'jetstream'), { recursive: true, force: true });
  await nats.restart();
}

describe('a broker that lost its streams', () => {
  it('is given every event again: what was consumed has its effect once, what was not has it now', async () => {
    await consume();
    await commit('consumed-1', 'consumed-2');
    await eventually(() => handled.length === 2 && batched.length === 2);
    await Promise.all(running.splice(1).map((part) => part.close()));
    await commit('published-1', 'published-2', 'published-3');
    await drained();
    // Stopped here, so that the last event is committed and not published.
    await running.shift()!.close();
    await commit('pending');
    await bus.close();
    await loseTheStreams();

    bus = await connectEventBus({ natsUrl: nats.url, name: 'replay' });
    running.push(await relayOutbox({ bus, database: database.worker, schema: 'events', logger: silent }));
    await consume();
    await eventually(() => handled.includes('pending'));
    expect(handled).not.toContain('published-1');
    expect(await replayAll()).toBeGreaterThanOrEqual(5);

    const all = ['consumed-1', 'consumed-2', 'pending', 'published-1', 'published-2', 'published-3'];
    await eventually(() => handled.length >= 6 && batched.length >= 6);
    await drained();
    await eventually(async () => (await bus.manager.consumers.info('CAIRN_EVENTS', 'one-by-one')).num_pending === 0);
    expect(handled.toSorted()).toEqual(all);
    expect(batched.toSorted()).toEqual(all);
  });

  it('gets its streams and consumers back while the services run', async () => {
    await consume();
    await commit('before');
    await eventually(() => handled.length === 1 && batched.length === 1);
    await loseTheStreams();
    // What `cairn operator broker prepare` does.
    await (await connectEventBus({ natsUrl: nats.url, name: 'prepare' })).close();
    await commit('after');
    await replayAll();
    await eventually(() => handled.includes('after') && batched.includes('after'), Boolean, 20_000);
    expect(handled.toSorted()).toEqual(['after', 'before']);
  });
});

describe('published events', () => {
  it('leave with an erasure, also when a replay puts them back at that moment', async () => {
    await commit(...Array.from({ length: 40 }, (_, n) => `title-${n}`));
    await drained();
    expect(await count('published_events')).toBe(40);
    await running.shift()!.close();
    const tenantId = 'tnt_events';
    await Promise.all([
      replayAll(),
      database.worker.transaction((tx) => eraseStoredEvents(tx, tenantId)),
      database.worker.transaction((tx) => eraseStoredEvents(tx, tenantId)),
    ]);
    expect((await count('published_events')) + (await count('outbox'))).toBe(0);
  });

  it('are not replayed outside the times that are asked for', async () => {
    await commit('early');
    await drained();
    const between = new Date();
    await commit('late');
    await drained();
    await running.shift()!.close();
    expect(await replayPublished(database.worker, { since: between, until: new Date() })).toBe(1);
    expect(await replayPublished(database.worker, { since: new Date(0), until: new Date(0) })).toBe(0);
    expect(await count('published_events')).toBe(1);
  });

  it('are replayed once when the end of the time that is asked for is in the future', async () => {
    await commit('once');
    await drained();
    const identities = await createTestIdentities();
    const service = eventReplayService(() => [database.worker]);
    const server = await listenGrpc([service], ANY_PORT, await identities.verifier(), silent);
    const client = rpcClient(EventReplayService, server.address, identities.serviceTokens('operator'));
    try {
      const until = timestampFromDate(new Date(Date.now() + 3_600_000));
      const answer = await client.replayEvents({ since: timestampFromDate(new Date(0)), until });
      expect(answer).toMatchObject({ replayed: 1n, finished: true });
    } finally {
      client.close();
      await server.close();
      await identities.remove();
    }
  });
});
