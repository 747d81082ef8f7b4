import { DEAD_LETTER_SUBJECT_ROOT, subjectOfScope } from '@cairn/contracts';
import { NatsError } from 'nats';
import type { EventBus } from './connection.ts';
import { DEAD_LETTER_STREAM, EVENT_STREAM } from './streams.ts';

/** Whose events are meant: all of a tenant's, or those about one workspace or memory of it. */
export interface EventsOf {
  tenantId: string;
  workspaceId?: string;
  memoryId?: string;
  /** Only messages that hold this id, such as a vault's or a document's. */
  mentions?: string;
}

/**
 * Removes every event and dead letter about the scope; returns how many. The broker overwrites each one's bytes on its
 * disk: a purge would only forget where they are. Holds one message at a time. What ends it in the middle leaves
 * the rest to be found by the next call.
 */
export async function eraseEvents(bus: EventBus, scope: EventsOf): Promise<number> {
  const { tenantId, workspaceId = '*', memoryId = '*' } = scope;
  const deadLetters = `${DEAD_LETTER_SUBJECT_ROOT}.*.${tenantId}.${workspaceId}.${memoryId}`;
  return (
    (await eraseFrom(bus, EVENT_STREAM, subjectOfScope(scope), scope.mentions)) +
    (await eraseFrom(bus, DEAD_LETTER_STREAM, deadLetters, scope.mentions))
  );
}

async function eraseFrom(bus: EventBus, stream: string, subject: string, mentions = ''): Promise<number> {
  let erased = 0;
  for (let from = 1; ;) {
    const message = await nextMessage(bus, stream, subject, from);
    if (message === null) return erased;
    if (Buffer.from(message.data).includes(mentions)) erased += await eraseMessage(bus, stream, message.seq);
    from = message.seq + 1;
  }
}

async function nextMessage(bus: EventBus, stream: string, subject: string, seq: number) {
  const query = { seq, next_by_subj: subject };
  return bus.manager.streams.getMessage(stream, query).catch(nullWhenMissing);
}

/** 1, or 0 when it went by itself meanwhile, by age or through another call. */
async function eraseMessage(bus: EventBus, stream: string, seq: number): Promise<number> {
  try {
    await bus.manager.streams.deleteMessage(stream, seq, true);
    return 1;
  } catch (error) {
    if ((await bus.manager.streams.getMessage(stream, { seq }).catch(nullWhenMissing)) !== null) throw error;
    return 0;
  }
}

const NO_MESSAGE_FOUND = 10_037;

function nullWhenMissing(error: unknown): null {
  if (error instanceof NatsError && error.api_error?.err_code === NO_MESSAGE_FOUND) return null;
  throw error;
}
