import { DEAD_LETTER_SUBJECT_ROOT, type EventKind, EVENT_SUBJECTS, subjectOfKind } from './event.ts';

/** The services that have to do with events; each has a user of its own at the broker. */
export const EVENT_SERVICES = ['keys', 'tenancy', 'memory', 'research', 'webhooks', 'usage'] as const;
export type EventService = (typeof EVENT_SERVICES)[number];

/** Who may publish what. The broker enforces it, so that a subject identifies who wrote the event. */
export const EVENT_PUBLISHERS: Record<EventKind, readonly EventService[]> = {
  tenantChanged: ['tenancy'],
  workspaceCreated: ['tenancy'],
  workspaceDeleted: ['tenancy'],
  memoryCreated: ['tenancy'],
  memoryChanged: ['tenancy'],
  spaceCreated: ['tenancy'],
  spaceDeleted: ['tenancy'],
  keyCreated: ['keys'],
  keyRevoked: ['keys'],
  ingestCompleted: ['memory'],
  dlpFlagged: ['memory'],
  autoRouted: ['memory'],
  entityCreated: ['memory'],
  contradictionDetected: ['memory'],
  contradictionResolved: ['memory'],
  healthAssessed: ['memory'],
  documentsQueued: ['memory'],
  documentFailed: ['memory'],
  documentsDeleted: ['memory'],
  runStatusChanged: ['research'],
  llmUsage: ['memory', 'research'],
  auditRecorded: ['keys', 'tenancy', 'memory', 'research', 'webhooks'],
};

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
