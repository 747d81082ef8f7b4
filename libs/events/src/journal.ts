import { decodeJournalEntry, type JournalEntry } from '@cairn/contracts';
import { NatsError } from 'nats';
import type { EventBus } from './connection.ts';
import { JOURNAL_STREAM } from './streams.ts';

/** The journal as the broker has it now. */
export interface JournalInfo {
  /** Another one when the stream was lost and made again. */
  journal: string;
  /** The oldest entry that it still holds; one more than the last when it holds none. */
  first: number;
  last: number;
}

export async function journalInfo(bus: EventBus): Promise<JournalInfo> {
  const { created, state } = await bus.manager.streams.info(JOURNAL_STREAM);
  return { journal: created, first: state.first_seq, last: state.last_seq };
}

/** The entries after a position, oldest first. */
export async function* readJournal(
  bus: EventBus,
  after: number,
): AsyncGenerator<{ position: number; entry: JournalEntry }> {
  for (let from = after + 1; ;) {
    const query = { seq: from, next_by_subj: '>' };
    const message = await bus.manager.streams.getMessage(JOURNAL_STREAM, query).catch(nullWhenMissing);
    if (message === null) return;
    yield { position: message.seq, entry: decodeJournalEntry(message.data) };
    from = message.seq + 1;
  }
}

const NO_MESSAGE_FOUND = 10_037;

function nullWhenMissing(error: unknown): null {
  if (error instanceof NatsError && error.api_error?.err_code === NO_MESSAGE_FOUND) return null;
  throw error;
}
