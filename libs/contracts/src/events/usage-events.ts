import type { EventDeclarations } from './event-declaration.ts';

/** What is accounted for. */
export const USAGE_EVENTS = {
  llmUsage: { subject: 'cairn.event.usage.llm.called', publishers: ['memory', 'research'], public: null },
  auditRecorded: {
    subject: 'cairn.event.usage.audit.recorded',
    publishers: ['keys', 'tenancy', 'memory', 'research', 'webhooks'],
    public: null,
  },
} as const satisfies EventDeclarations;
