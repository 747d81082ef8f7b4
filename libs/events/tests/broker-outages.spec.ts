import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { subjectOfKind } from '@cairn/contracts';
import { eventually, startTestNats, type TestDatabase, type TestNats } from '@cairn/testing';
import { connectEventBus, consumeEvents, type EventBus, relayOutbox, runEventWork } from '../src/index.ts';
import { commitEvent, createEventsDatabase, ingested, silent, titleOf } from './event-fixtures.ts';

let nats: TestNats;
let database: TestDatabase;
let handled: string[];
let work: { close(): Promise<void> } | undefined;

beforeEach(async () => {
  nats = await startTestNats();
  database = await createEventsDatabase();
  handled = [];
});
afterEach(async () => {
  await work?.close();
  work = undefined;
  await database.close();
  await nats.remove();
});

/** What a service does: its relay, and a consumer that writes down what reaches it. */
const startDeps = async (bus: EventBus) => [
  await relayOutbox({ bus, database: database.worker, schema: 'events', logger: silent }),
  await consumeEvents({
    bus,
    durable: 'outages',
    subject: subjectOfKind('ingestCompleted'),
    database: database.worker,
    logger: silent,
    backoffMs: [50],
    async handle(_tx, event) {
      handled.push(titleOf(event)!);
    },
  }),
];

const start = (deps: typeof startDeps = startDeps) => {
  work = runEventWork({ broker: { natsUrl: nats.url }, name: 'outages', logger: silent, start: deps });
};

async function commitMany(prefix: string, count: number): Promise<string[]> {
  const titles = Array.from({ length: count }, (_, n) => `${prefix}-${n}`);
  for (const title of titles) await commitEvent(database.app, ingested(title));
  return titles;
}

describe('runEventWork', () => {
  it('does not hold up a start without a broker, and begins once there is one', async () => {
    await nats.kill9();
    start();
    const titles = await commitMany('early', 3);
    expect(handled).toEqual([]);
    await nats.restart();
    await eventually(() => handled.length === 3);
    expect(handled).toEqual(titles);
  });

  it('can be closed while there is no broker', async () => {
    await nats.kill9();
    start();
    await work!.close();
    work = undefined;
  });

  it('starts again when its parts could not start, and leaves no connection behind', async () => {
    const tries: EventBus[] = [];
    start(async (bus) => {
      tries.push(bus);
      if (tries.length === 1) throw new Error('not yet');
      return startDeps(bus);
    });
    const [title] = await commitMany('again', 1);
    await eventually(() => handled.includes(title!));
    expect(tries.map((bus) => bus.connection.isClosed())).toEqual([true, false]);
  });
});

describe('a broker that is killed with -9 and started again', () => {
  it('costs no event and doubles none, though services go on committing: relay and consumer recover by themselves', async () => {
    start();
    const writing = commitMany('stream', 300);
    await eventually(() => handled.length > 20);
    await nats.kill9();
    const titles = await writing;
    await nats.restart();
    titles.push(...(await commitMany('after', 5)));
    await eventually(() => handled.length >= 305, Boolean, 25_000);
    expect(handled.sort()).toEqual(titles.sort());
  });
});

describe('while the broker is down', () => {
  it('ping says unavailable, and parts close in bounded time', async () => {
    start();
    const [title] = await commitMany('up', 1);
    await eventually(() => handled.includes(title!));
    const bus = await connectEventBus({ natsUrl: nats.url, name: 'ping' });
    await expect(bus.ping()).resolves.toBeUndefined();
    await nats.kill9();
    await expect(bus.ping()).rejects.toMatchObject({ code: 'unavailable' });
    await bus.close();
    const begun = performance.now();
    await work!.close();
    work = undefined;
    expect(performance.now() - begun).toBeLessThan(8_000);
  });
});
