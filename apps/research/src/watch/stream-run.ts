import type { RunEventType } from '@cairn/contracts';
import type * as operations from '@cairn/contracts';
import { notFound, validationFailed } from '@cairn/errors';
import type { RunFeed } from '../ledger/feed.ts';
import { findRun } from '../ledger/run-store.ts';
import type { Database } from '@cairn/postgres';
import type { RequestContext, StreamContext } from '@cairn/service-kit';
import { checkTicket, type TicketDeps } from '../runs/tickets.ts';
import { followRun } from './follow-run.ts';
import type { LogReader } from './log-reader.ts';
import { eventPresenter, type PresentedEvent } from './present-event.ts';

export interface WatchDeps extends TicketDeps {
  database: Database;
  feed: RunFeed;
  log: LogReader;
}

type WatchRequest = (
  | RequestContext<typeof operations.streamResearch>
  | RequestContext<typeof operations.streamLivePage>
) &
  StreamContext;

export type EmitEvent = (type: RunEventType, event: PresentedEvent, id: string) => Promise<void>;

/** Streams the log of a run as server-sent events, from the client's position. */
export async function streamRun(deps: WatchDeps, request: WatchRequest, emit: EmitEvent): Promise<void> {
  const { thread_id } = request.params;
  const { tenantId, credentialId } = request.identity;
  const holder = { threadId: thread_id, credentialId };
  const ticket = 'ticket' in request.query ? request.query.ticket : undefined;
  if (ticket !== undefined) await checkTicket(deps, ticket, { ...holder, use: 'page' });
  const run = await deps.database.withTenant(tenantId, (tx) => findRun(tx, thread_id));
  if (run === null) throw notFound('The run');
  const afterSeq = Math.max(request.query.last_event_id ?? 0, seqOf(request.lastEventId));
  const present = await eventPresenter(deps, tenantId, holder);
  request.open();
  // A stream that reaches its time limit ends silently; the client reconnects and resumes from its position.
  for await (const event of followRun(deps, { tenantId, runId: thread_id, afterSeq: () => afterSeq }, request.signal)) {
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
