import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { EncodedEvent } from './events/event.ts';
import { type JournalEntry, JournalEntrySchema } from './gen/cairn/events/v1/journal_pb.ts';
import { newId } from './ids.ts';

/** Entries of the journal are published below it, followed by the service and the tenant. */
export const JOURNAL_SUBJECT_ROOT = 'cairn.journal';

/** The services whose decisions outlive their databases; each reads all entries. */
export const JOURNAL_SERVICES = ['keys', 'tenancy'] as const;
type JournalService = (typeof JOURNAL_SERVICES)[number];

type Decision = Exclude<NonNullable<MessageInitShape<typeof JournalEntrySchema>['decision']>, { case: undefined }>;

/** Makes and encodes an entry for the outbox; it belongs in the transaction that decides. */
export function encodeJournalEntry(service: JournalService, tenantId: string, decision: Decision): EncodedEvent {
  const entryId = newId('event');
  const entry = create(JournalEntrySchema, { entryId, tenantId, decidedAt: timestampFromDate(new Date()), decision });
  const payload = toBinary(JournalEntrySchema, entry);
  return { tenantId, eventId: entryId, subject: `${journalSubjectOf(service)}.${tenantId}`, payload };
}

export function decodeJournalEntry(bytes: Uint8Array): JournalEntry {
  return fromBinary(JournalEntrySchema, bytes);
}

/** Below it a service publishes its entries. */
export function journalSubjectOf(service: JournalService): string {
  return `${JOURNAL_SUBJECT_ROOT}.${service}`;
}
