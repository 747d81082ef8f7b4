import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { subjectOfKind } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { eventually, startTestNats, type TestNats } from '@cairn/testing';
import { connectEventBus, consumeEventBatches, EVENT_STREAM, type EventBus } from '../src/index.ts';
import { deadLetters, ingested, publishAll, silent, titleOf } from './event-fixtures.ts';

const SOON_MS = 60_000;
let nats: TestNats;
let bus: EventBus;
let open: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  nats = await startTestNats();
  bus = await connectEventBus({ natsUrl: nats.url, name: 'spec' });
});
afterEach(async () => {
  await Promise.all(open.map((consumer) => consumer.close()));
  open = [];
});
afterAll(async () => {
  await bus.close();
  await nats.remove();
});

/** Consumes titles that begin with the prefix and hands each batch of them to `handle`. */
async function consume(
  prefix: string,
  handle: (titles: readonly string[]) => Promise<void>,
  read: (title: string) => string = (title) => title,
): Promise<{ close(): Promise<void> }> {
  const consumer = await consumeEventBatches<string>({
    bus,
    durable: `b-${prefix}`,
    subject: subjectOfKind('ingestCompleted'),
    logger: silent,
    backoffMs: [20],
    batchMax: 50,
    read: (event) => {
      const title = titleOf(event) ?? '';
      return title.startsWith(prefix) ? read(title) : '';
    },
    handle: (titles) => handle(titles.filter((title) => title !== '')),
  });
  open.push(consumer);
  return consumer;
}

const named = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}-${n}`);
const ackPending = async (durable: string) => (await bus.manager.consumers.info(EVENT_STREAM, durable)).num_ack_pending;

describe('a consumer of batches', () => {
  it('hands on everything once, in batches that grow with what waits and are never above their bound', async () => {
    const titles = named('grow', 300);
    await publishAll(bus, titles.slice(0, 200).map(ingested));
    const batches: (readonly string[])[] = [];
    await consume('grow', async (batch) => {
      batches.push(batch);
    });
    await publishAll(bus, titles.slice(200).map(ingested));
    await eventually(
      () => batches.flat().length,
      (count) => count >= titles.length,
      SOON_MS,
    );
    expect(batches.flat().toSorted()).toEqual(titles.toSorted());
    expect(Math.max(...batches.map(({ length }) => length))).toBe(50);
    await eventually(
      () => ackPending('b-grow'),
      (pending) => pending === 0,
      SOON_MS,
    );
  });

  it('stores what cannot be read as a dead letter at once, and hands on what came beside it', async () => {
    const seen: string[] = [];
    const before = (await deadLetters(bus)).length;
    await publishAll(bus, named('read', 5).map(ingested));
    await consume(
      'read',
      async (batch) => {
        seen.push(...batch);
      },
      (title) => {
        if (title === 'read-2') throw new Error('no sense in it');
        return title;
      },
    );
    await eventually(
      () => seen.length,
      (count) => count === 4,
      SOON_MS,
    );
    const letters = await eventually(
      () => deadLetters(bus),
      ({ length }) => length === before + 1,
      SOON_MS,
    );
    expect(letters.at(-1)).toMatchObject({ consumer: 'b-read', cause: 'no sense in it' });
  });

  it('tries the events of a failed batch one by one, so that only the one to blame becomes a dead letter', async () => {
    const done = new Set<string>();
    const before = (await deadLetters(bus)).length;
    await publishAll(bus, named('blame', 20).map(ingested));
    await consume('blame', async (batch) => {
      if (batch.includes('blame-7')) throw new Error('blame-7 is bad');
      for (const title of batch) done.add(title);
    });
    await eventually(
      () => done.size,
      (count) => count === 19,
      SOON_MS,
    );
    const letters = await eventually(
      () => deadLetters(bus),
      ({ length }) => length === before + 1,
      SOON_MS,
    );
    expect(letters.at(-1)).toMatchObject({ consumer: 'b-blame', cause: 'blame-7 is bad' });
  });

  it('waits for as long as its database is away, and gives nothing up', async () => {
    let away = true;
    let tries = 0;
    const done = new Set<string>();
    await publishAll(bus, named('away', 3).map(ingested));
    const before = (await deadLetters(bus)).length;
    await consume('away', async (batch) => {
      if (batch.length === 0) return;
      tries += 1;
      if (away) throw new CairnError('unavailable', 'Not now.');
      for (const title of batch) done.add(title);
    });
    await eventually(
      () => tries,
      (count) => count > 12,
      SOON_MS,
    );
    away = false;
    await eventually(
      () => done.size,
      (count) => count === 3,
      SOON_MS,
    );
    expect((await deadLetters(bus)).length).toBe(before);
  });

  it('that closes gives back what it did not begin, and another one takes it', async () => {
    const done = new Set<string>();
    await publishAll(bus, named('close', 200).map(ingested));
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const first = await consume('close', async (batch) => {
      await held;
      for (const title of batch) done.add(title);
    });
    await eventually(
      () => ackPending('b-close'),
      (pending) => pending > 50,
      SOON_MS,
    );
    const closing = first.close();
    release();
    await closing;
    open = [];
    await consume('close', async (batch) => {
      for (const title of batch) done.add(title);
    });
    await eventually(
      () => done.size,
      (count) => count === 200,
      SOON_MS,
    );
  });
});
