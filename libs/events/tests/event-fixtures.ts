import { encodeEvent, type EncodedEvent, newId } from '@cairn/contracts';
import { appendToOutbox, type Database, FOUNDATION_MIGRATIONS } from '@cairn/postgres';
import { createTestDatabase, type TestDatabase } from '@cairn/testing';
import pino, { type Logger } from 'pino';
import { DEAD_LETTER_STREAM, type EventBus, publishEvent } from '../src/index.ts';

const TENANT = 'tnt_events';
export const silent: Logger = pino({ level: 'silent' });

/** A schema with only outbox, inbox and idempotency keys, and a table that shows what a handler did. */
export async function createEventsDatabase(): Promise<TestDatabase> {
  return createTestDatabase({ service: 'events', migrations: [FOUNDATION_MIGRATIONS] });
}

/** An event that says `title`. */
export function ingested(title: string): EncodedEvent {
  return encodeEvent(
    'ingestCompleted',
    { tenantId: TENANT, livemode: true, memoryId: newId('memory') },
    { docId: newId('document'), vaultId: newId('vault'), title, chunks: 1 },
  );
}

/** What the event says, or null when it is of another kind. */
export function titleOf(event: { payload: { case: string | undefined; value?: unknown } }): string | null {
  return event.payload.case === 'ingestCompleted' ? (event.payload.value as { title: string }).title : null;
}

export async function publishAll(bus: EventBus, events: readonly EncodedEvent[]): Promise<void> {
  for (const event of events) await publishEvent(bus, event);
}

/** Writes an event as a service does, in a transaction of its tenant. */
export async function commitEvent(database: Database, event: EncodedEvent): Promise<void> {
  await database.withTenant(event.tenantId, (tx) => appendToOutbox(tx, event));
}

export async function deadLetters(
  bus: EventBus,
): Promise<{ consumer: string; subject: string; cause: string; data: Uint8Array }[]> {
  const info = await bus.manager.streams.info(DEAD_LETTER_STREAM);
  const letters = [];
  for (let seq = info.state.first_seq; seq <= info.state.last_seq && seq > 0; seq += 1) {
    const message = await bus.manager.streams.getMessage(DEAD_LETTER_STREAM, { seq });
    letters.push({
      consumer: message.header.get('cairn-consumer'),
      subject: message.header.get('cairn-subject'),
      cause: message.header.get('cairn-cause'),
      data: message.data,
    });
  }
  return letters;
}
