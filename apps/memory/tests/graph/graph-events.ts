import { decodeEvent, type Event } from '@cairn/contracts';
import { connectEventBus, EVENT_STREAM } from '@cairn/events';
import { eventually } from '@cairn/testing';
import type { BootedMemory, Caller } from '../memory-harness.ts';

/** All events about the caller's memory that were published, after the outbox ran empty. */
export async function graphEvents(memory: BootedMemory, caller: Caller): Promise<Event[]> {
  await eventually(async () => {
    const rows = await memory.database.worker.transaction((tx) => tx.query('SELECT 1 FROM outbox LIMIT 1'));
    return rows.length === 0;
  });
  const bus = await connectEventBus({ natsUrl: memory.nats.url, name: 'spec' });
  try {
    const { state } = await bus.manager.streams.info(EVENT_STREAM);
    const events: Event[] = [];
    for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
      const message = await bus.manager.streams.getMessage(EVENT_STREAM, { seq }).catch(() => null);
      if (message?.subject.endsWith(`.${caller.memoryId}`) === true) events.push(decodeEvent(message.data));
    }
    return events;
  } finally {
    await bus.close();
  }
}
