import type { EventData, RunEventType, streamResearch } from '@cairn/contracts';
import type { RunEventRow } from '@cairn/ledger';
import type { Database } from '@cairn/postgres';
import { findRecord } from '../runs/run-record.ts';
import { pageUrl, type TicketHolder, type TicketParts } from '../tickets.ts';

export type PresentedEvent = EventData<typeof streamResearch, RunEventType>;

/** Makes events as watchers see them. The address of the page is the watcher's own, so it is in no log. */
export async function eventPresenter(
  parts: TicketParts & { database: Database },
  tenantId: string,
  holder: TicketHolder,
): Promise<(event: RunEventRow) => Promise<PresentedEvent>> {
  const record = await parts.database.withTenant(tenantId, (tx) => findRecord(tx, holder.threadId));
  return async (event) => ({
    seq: event.seq,
    type: event.type as RunEventType,
    thread_id: holder.threadId,
    at: event.at.toISOString(),
    data:
      event.type === 'run.queued' && record?.live_page === true
        ? { ...event.data, live_url: await pageUrl(parts, holder) }
        : event.data,
  });
}
