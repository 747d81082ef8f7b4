import type { RunEventType, streamLivePage, streamResearch } from '@cairn/contracts';
import { notFound, validationFailed } from '@cairn/errors';
import { findRun, type RunFeed } from '@cairn/ledger';
import type { Database } from '@cairn/postgres';
import type { Call, StreamCall } from '@cairn/service-kit';
import { checkTicket, type TicketParts } from '../tickets.ts';
import { followRun } from './follow-run.ts';
import type { LogReader } from './log-reader.ts';
import { eventPresenter, type PresentedEvent } from './present-event.ts';

export interface WatchParts extends TicketParts {
  database: Database;
  feed: RunFeed;
  log: LogReader;
}

type Watching = (Call<typeof streamResearch> | Call<typeof streamLivePage>) & StreamCall;

type EmitEvent = (type: RunEventType, event: PresentedEvent, id: string) => Promise<void>;

/** The log of a run as server-sent events, from where the client says it was. */
export async function streamRun(parts: WatchParts, call: Watching, emit: EmitEvent): Promise<void> {
  const { thread_id } = call.params;
  const { tenantId, credentialId } = call.identity;
  const holder = { threadId: thread_id, credentialId };
  const ticket = 'ticket' in call.query ? call.query.ticket : undefined;
  if (ticket !== undefined) await checkTicket(parts, ticket, { ...holder, use: 'page' });
  const run = await parts.database.withTenant(tenantId, (tx) => findRun(tx, thread_id));
  if (run === null) throw notFound('The run');
  const afterSeq = Math.max(call.query.last_event_id ?? 0, seqOf(call.lastEventId));
  const present = await eventPresenter(parts, tenantId, holder);
  call.open();
  // A stream that has reached its time ends without a word: the client comes back to where it was.
  for await (const event of followRun(parts, { tenantId, runId: thread_id, afterSeq: () => afterSeq }, call.signal)) {
    const presented = await present(event);
    await emit(presented.type, presented, String(presented.seq));
  }
}

function seqOf(lastEventId: string | undefined): number {
  if (lastEventId === undefined || lastEventId === '') return 0;
  if (!/^\d{1,15}$/.test(lastEventId))
    throw validationFailed([{ path: 'Last-Event-ID', message: 'is not the id of an event' }]);
  return Number(lastEventId);
}
