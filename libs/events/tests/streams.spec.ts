import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestNats, type TestNats } from '@cairn/testing';
import type { JetStreamManager } from 'nats';
import { connectEventBus, type EventBus } from '../src/connection.ts';
import { DEAD_LETTER_STREAM, ensureStreams, EVENT_STREAM, JOURNAL_STREAM } from '../src/streams.ts';

let nats: TestNats;
let bus: EventBus;
let manager: JetStreamManager;
beforeAll(async () => {
  nats = await startTestNats();
  bus = await connectEventBus({ natsUrl: nats.url, name: 'spec' });
  ({ manager } = bus);
});
beforeEach(async () => {
  for await (const { config } of manager.streams.list()) await manager.streams.delete(config.name);
});
afterAll(async () => {
  await bus.close();
  await nats.stop();
});

async function namesOfStreams(): Promise<string[]> {
  const names: string[] = [];
  for await (const { config } of manager.streams.list()) names.push(config.name);
  return names.sort();
}

describe('the streams', () => {
  const ALL = [DEAD_LETTER_STREAM, EVENT_STREAM, JOURNAL_STREAM].sort();

  it('are made once by many parts that start together', async () => {
    const buses = await Promise.all(
      Array.from({ length: 16 }, () => connectEventBus({ natsUrl: nats.url, name: 'spec' })),
    );
    expect(await namesOfStreams()).toEqual(ALL);
    await Promise.all(buses.map((each) => each.close()));
  });

  it('are taken as they are when the broker says that a stream overlaps with itself, because another part just made it', async () => {
    // What one of two parts sees whose requests arrive at the same moment: missing, then overlapping, then there.
    const raced = {
      streams: {
        info: (name: string) => manager.streams.info(name),
        update: (...update: Parameters<JetStreamManager['streams']['update']>) => manager.streams.update(...update),
        async add(settings: { name: string; subjects: string[] }) {
          await manager.streams.add(settings);
          return manager.streams.add({ name: 'SECOND', subjects: settings.subjects });
        },
      },
    } as unknown as JetStreamManager;
    await ensureStreams(raced, 1);
    expect(await namesOfStreams()).toEqual(ALL);
    expect((await manager.streams.info(EVENT_STREAM)).config.max_age).toBeGreaterThan(0);
  });

  it('are refused while a stream of somebody else takes their subjects', async () => {
    const { config } = await manager.streams.add({ name: 'FOREIGN', subjects: ['cairn.>'] });
    expect(config.name).toBe('FOREIGN');
    await expect(connectEventBus({ natsUrl: nats.url, name: 'spec' })).rejects.toThrow('subjects overlap');
    expect(await namesOfStreams()).toEqual(['FOREIGN']);
  });
});
