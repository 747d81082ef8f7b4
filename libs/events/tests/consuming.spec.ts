import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type EncodedEvent, subjectOfKind, EVENT_SUBJECT_ROOT } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { eventually, startTestNats, type TestDatabase, type TestNats } from '@cairn/testing';
import {
  connectEventBus,
  type ConsumeOptions,
  consumeEvents,
  EVENT_STREAM,
  type EventBus,
  publishEvent,
} from '../src/index.ts';
import { createEventsDatabase, deadLetters, ingested, publishAll, silent, titleOf } from './event-fixtures.ts';

let nats: TestNats;
let database: TestDatabase;
let bus: EventBus;
let open: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  nats = await startTestNats();
  database = await createEventsDatabase();
  bus = await connectEventBus({ natsUrl: nats.url, name: 'spec' });
});
afterEach(async () => {
  await Promise.all(open.map((consumer) => consumer.close()));
  open = [];
});
afterAll(async () => {
  await bus.close();
  await database.close();
  await nats.remove();
});

/** Consumes what is published with titles that begin with `prefix`; other specs' events pass it by. */
async function consume(prefix: string, options: Partial<ConsumeOptions> = {}): Promise<string[]> {
  const handled: string[] = [];
  const { handle, ...rest } = options;
  const consumer = await consumeEvents({
    bus,
    durable: `c-${prefix}`,
    subject: subjectOfKind('ingestCompleted'),
    database: database.worker,
    logger: silent,
    backoffMs: [20],
    async handle(tx, event) {
      const title = titleOf(event);
      if (title?.startsWith(prefix) !== true) return;
      await handle?.(tx, event);
      handled.push(title);
    },
    ...rest,
  });
  open.push(consumer);
  return handled;
}

const named = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}-${n}`);

describe('publishEvent', () => {
  it('stores an event once, however often it is published under its id', async () => {
    const before = (await bus.manager.streams.info(EVENT_STREAM)).state.messages;
    const event = ingested('once');
    await Promise.all([publishEvent(bus, event), publishEvent(bus, event)]);
    await publishEvent(bus, event);
    expect((await bus.manager.streams.info(EVENT_STREAM)).state.messages).toBe(before + 1);
  });

  it('fails when no stream takes the subject', async () => {
    await expect(
      publishEvent(bus, { subject: 'nobody.listens', eventId: 'x', payload: Buffer.from('') }),
    ).rejects.toThrow();
  });
});

describe('a consumer', () => {
  it('handles what was published before it was made, and after, in order', async () => {
    const titles = named('order', 12);
    await publishAll(bus, titles.slice(0, 6).map(ingested));
    const handled = await consume('order');
    await publishAll(bus, titles.slice(6).map(ingested));
    await eventually(() => handled.length === 12);
    expect(handled).toEqual(titles);
  });

  it('goes on where it stopped when it is started again', async () => {
    const first = await consume('resume');
    await publishAll(bus, [ingested('resume-1')]);
    await eventually(() => first.length === 1);
    await open.pop()!.close();
    await publishAll(bus, [ingested('resume-2')]);
    const second = await consume('resume');
    await eventually(() => second.length === 1);
    expect([first, second]).toEqual([['resume-1'], ['resume-2']]);
  });

  it('handles an event once that is delivered twice', async () => {
    const handled = await consume('twice');
    const event = ingested('twice-1');
    await publishEvent(bus, event);
    // Another message id: the broker cannot know that it is the same event; the inbox does.
    await bus.jetStream.publish(event.subject, event.payload, { msgID: randomUUID() });
    await publishAll(bus, [ingested('twice-2')]);
    await eventually(() => handled.includes('twice-2'));
    expect(handled).toEqual(['twice-1', 'twice-2']);
  });

  it('shares the events with its replicas, each to one of them', async () => {
    const one = await consume('share');
    const two = await consume('share');
    const titles = named('share', 40);
    await publishAll(bus, titles.map(ingested));
    await eventually(() => one.length + two.length === 40);
    expect([...one, ...two].sort()).toEqual([...titles].sort());
  });

  it('does not keep the inbox row of work that failed', async () => {
    let failures = 2;
    const handled = await consume('retry', {
      async handle(tx, event) {
        const rows = await tx.query('SELECT 1 FROM inbox WHERE event_id = $1', [event.eventId]);
        expect(rows).toHaveLength(1);
        if (failures > 0) {
          failures -= 1;
          throw new Error('not yet');
        }
      },
    });
    await publishAll(bus, [ingested('retry-1')]);
    await eventually(() => handled.length === 1);
    expect(failures).toBe(0);
  });
});

describe('an event that cannot be handled', () => {
  it('is tried eight times with pauses, then dead-lettered with its cause, while others pass', async () => {
    const tries: number[] = [];
    const handled = await consume('poison', {
      async handle(_tx, event) {
        if (titleOf(event) !== 'poison-bad') return;
        tries.push(performance.now());
        throw new Error('cannot\nbe read');
      },
    });
    const bad = ingested('poison-bad');
    await publishAll(bus, [ingested('poison-1'), bad, ingested('poison-2')]);
    await eventually(() => handled.length === 2);
    const letters = await eventually(
      () => deadLetters(bus),
      (found) => found.some(({ consumer }) => consumer === 'c-poison'),
    );
    const letter = letters.find(({ consumer }) => consumer === 'c-poison');
    expect(letter).toMatchObject({ subject: bad.subject, cause: 'cannot be read' });
    expect(Buffer.from(letter!.data).equals(bad.payload)).toBe(true);
    expect(tries).toHaveLength(8);
    expect(Math.min(...tries.slice(1).map((at, n) => at - tries[n]!))).toBeGreaterThanOrEqual(19);
    await publishAll(bus, [ingested('poison-3')]);
    await eventually(() => handled.includes('poison-3'));
    const info = () => bus.manager.consumers.info(EVENT_STREAM, 'c-poison');
    // An acknowledgement is on its way when the handler has returned.
    await eventually(info, ({ num_ack_pending: pending }) => pending === 0);
  });

  it('is tried eight times by all replicas together', async () => {
    let tries = 0;
    const handle = async () => {
      tries += 1;
      throw new Error('cannot be read');
    };
    for (let n = 0; n < 3; n += 1) await consume('replicas', { backoffMs: [1], handle });
    await publishAll(bus, [ingested('replicas-1')]);
    await eventually(
      () => deadLetters(bus),
      (letters) => letters.some(({ consumer }) => consumer === 'c-replicas'),
    );
    expect(tries).toBe(8);
  });

  it('because it is no event at all is dead-lettered and stops nobody', async () => {
    await bus.jetStream.publish(`${EVENT_SUBJECT_ROOT}.garbage`, Buffer.from([255, 255, 255]));
    const consumer = await consumeEvents({
      bus,
      durable: 'c-garbage',
      subject: `${EVENT_SUBJECT_ROOT}.garbage`,
      database: database.worker,
      logger: silent,
      backoffMs: [1],
      handle: () => Promise.reject(new Error('never called')),
    });
    open.push(consumer);
    await eventually(
      () => deadLetters(bus),
      (letters) => letters.some(({ subject }) => subject === `${EVENT_SUBJECT_ROOT}.garbage`),
    );
  });

  it('only because the database is away is never dead-lettered, however long that takes', async () => {
    let tries = 0;
    const handled = await consume('away', {
      backoffMs: [1],
      async handle() {
        tries += 1;
        if (tries <= 20) throw new CairnError('unavailable', 'The database cannot be reached right now.');
      },
    });
    await publishAll(bus, [ingested('away-1')]);
    await eventually(() => handled.length === 1);
    expect((await deadLetters(bus)).filter(({ consumer }) => consumer === 'c-away')).toEqual([]);
  });
});

describe('an event that was postponed because the database was away', () => {
  const away = () => new CairnError('unavailable', 'The database cannot be reached right now.');

  it('can still fail seven times before it is handled', async () => {
    let tries = 0;
    const handled = await consume('postponed', {
      backoffMs: [1],
      async handle() {
        tries += 1;
        if (tries <= 8) throw away();
        if (tries <= 15) throw new Error('not yet');
      },
    });
    await publishAll(bus, [ingested('postponed-1')]);
    await eventually(() => handled.length === 1);
    expect(tries).toBe(16);
    expect((await deadLetters(bus)).filter(({ consumer }) => consumer === 'c-postponed')).toEqual([]);
  });

  it('is dead-lettered at its eighth failure, also by a consumer that was started since', async () => {
    let postponed = 0;
    await consume('restarted', {
      // After the ninth it is not under way while the consumer is closed.
      backoffMs: [...Array.from({ length: 8 }, () => 1), 2_000],
      async handle() {
        postponed += 1;
        throw away();
      },
    });
    await publishAll(bus, [ingested('restarted-1')]);
    await eventually(() => postponed > 8);
    await open.pop()!.close();
    let tries = 0;
    await consume('restarted', {
      backoffMs: [1],
      async handle() {
        tries += 1;
        throw new Error('cannot be read');
      },
    });
    await eventually(
      () => deadLetters(bus),
      (letters) => letters.some(({ consumer }) => consumer === 'c-restarted'),
    );
    expect(tries).toBe(8);
  });
});

describe('a consumer whose subject is another than that of an earlier version', () => {
  const OLD_SUBJECT = `${EVENT_SUBJECT_ROOT}.memory.ingest.started.>`;
  const published = () => (event: EncodedEvent) =>
    bus.jetStream.publish(`${EVENT_SUBJECT_ROOT}.memory.ingest.started.x`, event.payload, { msgID: event.eventId });

  it('handles everything that was published under the new one, before and after, and nothing twice', async () => {
    const old = await consume('refilter', { subject: OLD_SUBJECT });
    await published()(ingested('refilter-old'));
    await eventually(() => old.length === 1);
    // The earlier version sees these pass by, and its place in the stream moves on.
    await publishAll(bus, named('refilter-before', 3).map(ingested));
    await published()(ingested('refilter-old-2'));
    await eventually(() => old.length === 2);
    const fresh = await consume('refilter');
    await publishAll(bus, named('refilter-after', 3).map(ingested));
    await eventually(() => fresh.length + old.length >= 8);
    await new Promise((resolve) => setTimeout(resolve, 200));
    // A replica of the earlier version goes on under the same durable; each event reaches one of them.
    expect([...old, ...fresh].sort()).toEqual(
      ['refilter-old', 'refilter-old-2', ...named('refilter-before', 3), ...named('refilter-after', 3)].sort(),
    );
  });

  it('is changed by one or by many replicas at once', async () => {
    await (
      await consume('many', { subject: OLD_SUBJECT })
    ).length;
    await open.pop()!.close();
    await publishAll(bus, named('many', 20).map(ingested));
    const replicas = await Promise.all([consume('many'), consume('many'), consume('many')]);
    await eventually(() => replicas.flat().length >= 20);
    await publishAll(bus, named('many-more', 5).map(ingested));
    await eventually(() => replicas.flat().length >= 25);
    expect(replicas.flat().sort()).toEqual([...named('many', 20), ...named('many-more', 5)].sort());
  });
});

describe('closing a consumer', () => {
  it('ends at once, also right after it was started', async () => {
    for (let n = 0; n < 5; n += 1) {
      await consume(`close-${n}`);
      await open.pop()!.close();
    }
  });

  it('waits for the event in hand', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let begun = false;
    const handled = await consume('hand', {
      async handle() {
        begun = true;
        await held;
      },
    });
    await publishAll(bus, [ingested('hand-1')]);
    await eventually(() => begun);
    const closed = open.pop()!.close();
    release();
    await closed;
    expect(handled).toEqual(['hand-1']);
  });
});
