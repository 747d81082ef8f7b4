import type { EventData, RunEventType, streamResearch } from '@cairn/contracts';
import type { RunEventRow } from '../ledger/run.ts';
import type { Database } from '@cairn/postgres';
import { findRecord } from '../runs/run-record.ts';
import { pageUrl, type TicketHolder, type TicketDeps } from '../runs/tickets.ts';

export type PresentedEvent = EventData<typeof streamResearch, RunEventType>;

/** Presents events to a watcher. The live page's URL has the watcher's own ticket, so the log does not contain it. */
export async function eventPresenter(
  deps: TicketDeps & { database: Database },
  tenantId: string,
  holder: TicketHolder,
): Promise<(event: RunEventRow) => Promise<PresentedEvent>> {
  const record = await deps.database.withTenant(tenantId, (tx) => findRecord(tx, holder.threadId));
  return async (event) => ({
    seq: event.seq,
    type: event.type as RunEventType,
    thread_id: holder.threadId,
    at: event.at.toISOString(),
    data:
      event.type === 'run.queued' && record?.live_page === true
        ? { ...event.data, live_url: await pageUrl(deps, holder) }
        : event.data,
  });
}
