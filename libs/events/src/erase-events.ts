import { DEAD_LETTER_SUBJECT_ROOT, subjectOfScope } from '@cairn/contracts';
import { type MsgRequest, NatsError } from 'nats';
import { DEAD_LETTER_STREAM, EVENT_STREAM, type EventBus } from './connection.ts';

const NO_MESSAGE = 404;

/** Whose events are meant: all of a tenant's, or those about one workspace or memory of it. */
export interface EventsOf {
  tenantId: string;
  workspaceId?: string;
  memoryId?: string;
}

/**
 * Takes every event about the scope out of the streams and has the broker overwrite its bytes, which a purge does not.
 * One message at a time, so that any number of them needs no memory; may be repeated after a crash.
 */
export async function eraseEvents(bus: EventBus, scope: EventsOf): Promise<number> {
  const dead = [DEAD_LETTER_SUBJECT_ROOT, '*', scope.tenantId, scope.workspaceId ?? '*', scope.memoryId ?? '*'];
  return (
    (await eraseMatching(bus, EVENT_STREAM, subjectOfScope(scope))) +
    (await eraseMatching(bus, DEAD_LETTER_STREAM, dead.join('.')))
  );
}

/** The first message from `seq` on under the subject. The server has known this since 2.9; the client has no type for it. */
function nextOf(subject: string, seq: number): MsgRequest {
  return { seq, next_by_subj: subject } as MsgRequest;
}

async function eraseMatching(bus: EventBus, stream: string, subject: string): Promise<number> {
  let erased = 0;
  for (let seq = 1; ;) {
    const message = await bus.manager.streams.getMessage(stream, nextOf(subject, seq)).catch((error: unknown) => {
      if (error instanceof NatsError && error.api_error?.code === NO_MESSAGE) return null;
      throw error;
    });
    if (message === null) return erased;
    await bus.manager.streams.deleteMessage(stream, message.seq, true);
    erased += 1;
    seq = message.seq + 1;
  }
}
