import { timestampDate } from '@bufbuild/protobuf/wkt';
import { type Event, idTime } from '@cairn/contracts';
import { optionalText, requiredText, UnusableEvent } from '../event-text.ts';
import type { AuditRow } from './audit-store.ts';

/** Decodes and validates an event; throws UnusableEvent for impossible values. */
export function readAuditEvent(event: Event): AuditRow {
  if (event.payload.case !== 'auditRecorded') throw new UnusableEvent('the event is not one of the audit log');
  if (event.occurredAt === undefined) throw new UnusableEvent('occurred_at is missing');
  const audit = event.payload.value;
  if (idTime('audit', audit.auditId) === null) throw new UnusableEvent('audit_id is not an id of the audit log');
  return {
    tenant_id: requiredText('tenant_id', event.tenantId),
    audit_id: audit.auditId,
    occurred_at: timestampDate(event.occurredAt),
    operation: requiredText('operation', audit.operation),
    actor_id: requiredText('actor_id', audit.actorId),
    actor_kind: requiredText('actor_kind', audit.actorKind),
    credential_id: requiredText('credential_id', audit.credentialId),
    request_id: requiredText('request_id', audit.requestId),
    client_address: optionalText('client_address', audit.clientAddress),
    target_names: audit.targets.map(({ name }) => requiredText('target.name', name)),
    target_ids: audit.targets.map(({ id }) => requiredText('target.id', id)),
    status: audit.status,
    answered: audit.answered,
  };
}
