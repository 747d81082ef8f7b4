import { timestampDate } from '@bufbuild/protobuf/wkt';
import { type Event, idTime } from '@cairn/contracts';
import type { AuditRow } from './audit-store.ts';

/** An event that no service of ours writes; it goes to the dead letters. */
class UnusableEvent extends Error {
  override readonly name = 'UnusableEvent';
}

const TEXT_MAX_CHARS = 256;

/** Decodes and validates an event; throws UnusableEvent for impossible values. */
export function readAuditEvent(event: Event): AuditRow {
  if (event.payload.case !== 'auditRecorded') throw new UnusableEvent('the event is not one of the audit log');
  if (event.occurredAt === undefined) throw new UnusableEvent('occurred_at is missing');
  const audit = event.payload.value;
  if (idTime('audit', audit.auditId) === null) throw new UnusableEvent('audit_id is not an id of the audit log');
  return {
    tenant_id: required('tenant_id', event.tenantId),
    audit_id: audit.auditId,
    occurred_at: timestampDate(event.occurredAt),
    operation: required('operation', audit.operation),
    actor_id: required('actor_id', audit.actorId),
    actor_kind: required('actor_kind', audit.actorKind),
    credential_id: required('credential_id', audit.credentialId),
    request_id: required('request_id', audit.requestId),
    client_address: audit.clientAddress === '' ? null : required('client_address', audit.clientAddress),
    target_names: audit.targets.map(({ name }) => required('target.name', name)),
    target_ids: audit.targets.map(({ id }) => required('target.id', id)),
    status: audit.status,
    answered: audit.answered,
  };
}

function required(name: string, value: string): string {
  if (value === '' || value.length > TEXT_MAX_CHARS || value.includes('\0'))
    throw new UnusableEvent(`${name} is impossible`);
  return value;
}
