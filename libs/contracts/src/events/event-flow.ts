import { DEAD_LETTER_SUBJECT_ROOT, subjectOfKind } from './event.ts';
import type { EventKind, EventService } from './event-declaration.ts';
import { EVENT_SUBJECTS } from './event-table.ts';

export interface EventConsumer {
  service: EventService;
  durable: string;
  subject: string;
}

/** Who consumes what, by which durable consumer. A service can read no other events. */
export const EVENT_CONSUMERS = {
  keysTenants: { service: 'keys', durable: 'keys-tenants', subject: subjectOfKind('tenantChanged') },
  usageTenants: { service: 'usage', durable: 'usage-tenants', subject: subjectOfKind('tenantChanged') },
  usageCalls: { service: 'usage', durable: 'usage-calls', subject: subjectOfKind('llmUsage') },
  usageAudit: { service: 'usage', durable: 'usage-audit', subject: subjectOfKind('auditRecorded') },
  /** Everything that happens to memories. */
  webhooks: { service: 'webhooks', durable: 'webhooks', subject: 'cairn.event.memory.>' },
  webhooksRuns: { service: 'webhooks', durable: 'webhooks-runs', subject: subjectOfKind('runStatusChanged') },
  webhooksKeys: { service: 'webhooks', durable: 'webhooks-keys', subject: 'cairn.event.keys.key.>' },
} as const satisfies Record<string, EventConsumer>;

/** Erases the published events of what was deleted, and therefore reads any event. */
export const EVENT_ERASER: EventService = 'tenancy';

/** Matches the events of a kind, whatever tenant, workspace and memory they are about. */
export function publishableSubject(kind: EventKind): string {
  return `${EVENT_SUBJECTS[kind]}.*.*.*`;
}

/** Matches the dead letters of a durable consumer. */
export function deadLettersOf(durable: string): string {
  return `${DEAD_LETTER_SUBJECT_ROOT}.${durable}.>`;
}
